import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type {
  ActiveLicenses,
  ErrorBody,
  ProducerDetail,
  Subscription,
  SubscriptionUpdate,
} from '../../../../src/contract/index.js';
import { emptyProducer } from '../../../../src/bridge/registry/producer-record.js';
import type { TestBridge } from '../../../support/bridge.js';
import { addProducers } from '../../../support/producers.js';

/** A response whose body is one operation's or a failure's. */
export interface Answer<Body> {
  status: number;
  body: Body & ErrorBody;
}

/**
 * Calls of operations 5, 9, 11, 12 and 13 in test mode, with the token of the bridge's own agency
 * unless another is given.
 */
export interface ProducerCalls {
  onboard(body: object, token?: string): Promise<Answer<ProducerDetail>>;
  activeLicenses(query: string, token?: string): Promise<Answer<ActiveLicenses[]>>;
  update(body: object, token?: string): Promise<Answer<SubscriptionUpdate>>;
  subscribe(npns: unknown, token?: string): Promise<Answer<Subscription>>;
  unsubscribe(npns: unknown, token?: string): Promise<Answer<Subscription>>;
}

/** The calls of a bridge. */
export function producerCalls(bridge: TestBridge): ProducerCalls {
  async function call<Body>(method: string, path: string, body: unknown, token?: string): Promise<Answer<Body>> {
    const answer = await bridge.call(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { token }),
    });
    return answer as unknown as Answer<Body>;
  }
  return {
    onboard: (body, token) => call('POST', '/v1/account/producer', body, token),
    activeLicenses: (query, token) => call('GET', `/v1/account/producer/license/active${query}`, undefined, token),
    update: (body, token) => call('POST', '/v1/account/producer/subscription-update', body, token),
    subscribe: (npns, token) => call('POST', '/v1/subscribe', { npns }, token),
    unsubscribe: (npns, token) => call('DELETE', '/v1/unsubscribe', { npns }, token),
  };
}

/** Adds minimal producers to the registries of both modes. Resolves with the NPNs. */
export async function addManyProducers(bridge: TestBridge, count: number): Promise<string[]> {
  const npns = Array.from({ length: count }, (_, index) => String(700_000_000 + index));
  const biographic = { ...emptyProducer().biographic, lastName: 'Producer' };
  const records = npns.map((npn) => ({ npn, biographic: { ...biographic, npn } }));
  for (const mode of ['live', 'test'] as const) await addProducers(bridge.context, mode, records);
  return npns;
}

/** Asserts that a call failed with this error of the catalogue and these details. */
export function assertFailed(answer: Answer<unknown>, code: number, details: RegExp): void {
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
