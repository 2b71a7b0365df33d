import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Comparison } from '../report.js';
import { measure } from '../rounds.js';
import { requestsPerSecond, warmUp, type Load } from './load.js';
import type { Stage } from './stage.js';

/** The body of a session of a new user. */
export function sessionBody(): string {
  return JSON.stringify({
    userId: `usr_${randomUUID()}`,
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX', 'CA'],
    returnUrl: 'https://partner.example/done',
  });
}

/**
 * Compares session creation with the bare framework and the same insert, twice: as in production,
 * and with `synchronous_commit = off` on both sides. A commit waits for a write that several
 * connections share, and their number depends on the disk. So the first ratio varies; the second
 * compares the programs.
 */
export async function compareWrites(stage: Stage, rounds: number): Promise<Comparison[]> {
  const { bridgeUrl, bareUrl, token, db } = stage;
  const ours: Load = {
    url: `${bridgeUrl}/v1/applications/sessions`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: sessionBody,
  };
  const bare: Load = { url: `${bareUrl}/sessions`, method: 'POST', body: sessionBody };
  const durable = await compare({ what: 'session creation', ours, bare, rounds, least: 0.6 });
  // In the server's configuration, so that it applies to the open connections.
  await sql`alter system set synchronous_commit = off`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  try {
    const what = 'session creation, without the wait for the disk';
    return [durable, await compare({ what, ours, bare, rounds, least: undefined })];
  } finally {
    await sql`alter system reset synchronous_commit`.execute(db);
    await sql`select pg_reload_conf()`.execute(db);
  }
}

/** Compares an authenticated read of an application with a bare read of the same rows. */
export async function compareReads(stage: Stage, rounds: number): Promise<Comparison> {
  const { bridgeUrl, bareUrl, token } = stage;
  const applicationId = await createApplication(stage);
  const headers = { authorization: `Bearer ${token}` };
  const ours: Load = { url: `${bridgeUrl}/v1/applications/${applicationId}`, headers };
  const bare: Load = { url: `${bareUrl}/applications/${applicationId}` };
  return compare({ what: 'authenticated read', ours, bare, rounds, least: 0.7 });
}

/** Creates an application to read. Resolves with its id. */
export async function createApplication({ bridgeUrl, token }: Stage): Promise<string> {
  const answer = await fetch(`${bridgeUrl}/v1/applications/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: sessionBody(),
  });
  return ((await answer.json()) as { applicationId: string }).applicationId;
}

interface Loads {
  what: string;
  ours: Load;
  bare: Load;
  rounds: number;
  /** The target ratio. `undefined`: none. */
  least: number | undefined;
}

async function compare({ what, ours, bare, rounds, least }: Loads): Promise<Comparison> {
  for (const load of [ours, bare]) await warmUp(load);
  const contenders = [
    { name: 'bridge', round: () => requestsPerSecond(ours) },
    { name: 'bare', round: () => requestsPerSecond(bare) },
  ];
  const [first, second] = await measure(contenders, rounds);
  if (first === undefined || second === undefined) throw new Error('Two contenders give two results.');
  return {
    what,
    unit: 'requests/s',
    ours: first,
    reference: second,
    target: least === undefined ? undefined : { least },
  };
}
