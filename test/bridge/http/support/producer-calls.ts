import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { ErrorBody } from '../../../../src/contract/index.js';
import { emptyProducer } from '../../../../src/bridge/registry/producer-record.js';
import type { TestBridge } from '../../../support/bridge.js';
import { callOperation } from '../../../support/call-operation.js';
import { addProducers } from '../../../support/producers.js';

/**
 * The calls of operations 5, 9, 11, 12 and 13 in test mode, with the token of the bridge's own
 * agency unless another is given.
 */
export function producerCalls({ bridgeUrl, tokens: { test } }: TestBridge) {
  return {
    onboard: (body: object, token = test) => callOperation(bridgeUrl, 'onboardProducer', { body, token }),
    activeLicenses: (query: string, token = test) => callOperation(bridgeUrl, 'listActiveLicenses', { query, token }),
    update: (body: object, token = test) => callOperation(bridgeUrl, 'getSubscriptionUpdate', { body, token }),
    subscribe: (npns: unknown, token = test) => callOperation(bridgeUrl, 'subscribe', { body: { npns }, token }),
    unsubscribe: (npns: unknown, token = test) => callOperation(bridgeUrl, 'unsubscribe', { body: { npns }, token }),
  };
}

/** The calls of a bridge. */
export type ProducerCalls = ReturnType<typeof producerCalls>;

/** Adds minimal producers to the registries of both modes. Resolves with the NPNs. */
export async function addManyProducers(bridge: TestBridge, count: number): Promise<string[]> {
  const npns = Array.from({ length: count }, (_, index) => String(700_000_000 + index));
  const biographic = { ...emptyProducer().biographic, lastName: 'Producer' };
  const records = npns.map((npn) => ({ npn, biographic: { ...biographic, npn } }));
  for (const mode of ['live', 'test'] as const) await addProducers(bridge.context, mode, records);
  return npns;
}

/** Asserts that a call failed with this error of the catalogue and these details. */
export function assertFailed(answer: { status: number; body: ErrorBody }, code: number, details: RegExp): void {
  assert.equal(answer.body.code, code, JSON.stringify(answer.body));
  assert.equal(answer.status, Math.floor(code / 100));
  assert.match(answer.body.details, details);
}

/** Every row of every table as text, like a stolen disk. */
export async function readWholeDatabase(bridge: TestBridge): Promise<string[]> {
  const { db } = bridge.context;
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(db);
  assert.ok(tables.length > 10);
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(db);
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}
