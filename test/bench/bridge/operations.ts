import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AgencyCredential, OperationId } from '../../../src/contract/index.js';
import { operations } from '../../../src/contract/index.js';
import { sessionBody } from './sessions.js';
import type { Stage } from './stage.js';

/** A prepared call. */
export interface ReadyCall {
  path: string;
  body?: unknown;
  /** Default: the stage's. `null`: none. */
  token?: string | null;
}

/** Prepares a valid call of each operation. The preparation is not timed. */
export type Scenario = (stage: Prepared) => Promise<ReadyCall> | ReadyCall;

/** A stage with the data for successful operations. */
export interface Prepared extends Stage {
  npns: string[];
  applicationId: string;
  bulkId: string;
  territoryId: string;
}

/** Adds the data for the operations to a stage. */
export async function prepare(stage: Stage): Promise<Prepared> {
  const { npns } = JSON.parse(await stage.command('registry', 'list', '--limit', '500')) as { npns: string[] };
  const post = <T>(path: string, body: unknown) => send<T>(stage, 'POST', { path, body });
  await sql`update agency set onboard_types = '{lookup,subscribe,team}' where id = ${stage.agencyId}`.execute(stage.db);
  const { id: bulkId } = await post<{ id: string }>('/v1/account/producer/bulk/onboard', {
    npn: npns,
    onboardType: 'subscribe',
  });
  for (;;) {
    const job = await stage.db
      .selectFrom('bulkOnboarding')
      .select('completedAt')
      .where('id', '=', bulkId)
      .executeTakeFirst();
    if (job?.completedAt) break;
  }
  const territoryId = `ter_${randomUUID()}`;
  await sql`insert into territory (id, agency_id, name, states, created_at, updated_at)
    values (${territoryId}, ${stage.agencyId}, 'South', '[]', now(), now())`.execute(stage.db);
  // An update of a past day for getSubscriptionUpdate (operation 11).
  await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
    select mode, npn, '2026-01-01', '{biographic}', detail from registry_producer where mode = 'test' and npn = ${Number(npns[0])}`.execute(
    stage.db,
  );
  const { applicationId } = await post<{ applicationId: string }>(
    '/v1/applications/sessions',
    JSON.parse(sessionBody()),
  );
  return { ...stage, npns, bulkId, territoryId, applicationId };
}

/** Calls an operation. Resolves with the response's body; rejects unless it succeeds. */
export async function send<T>(stage: Stage, method: string, { path, body, token }: ReadyCall): Promise<T> {
  const bearer = token === undefined ? stage.token : token;
  const answer = await fetch(`${stage.bridgeUrl}${path}`, {
    method,
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

/** The scenario of every operation of the spec. */
export const scenarios: Record<Exclude<OperationId, 'completeApplication' | 'decideState'>, Scenario> = {
  login: async (stage) => {
    const { clientId, testClientSecret } = await newCredential(stage);
    return { path: '/v1/auth/login', body: { clientId, clientSecret: testClientSecret }, token: null };
  },
  updateAccount: () => ({ path: '/v1/account', body: { businessEmail: 'licensing@agency.example.com' } }),
  createAccountCredential: async (stage) => ({
    path: `/v1/account/account-credential?agencyId=${await newAgency(stage)}`,
    token: null,
  }),
  resetCredential: async (stage) => {
    const { clientId, liveClientSecret } = await newCredential(stage);
    const body = { clientId, clientSecret: liveClientSecret };
    const { accessToken } = await send<{ accessToken: string }>(stage, 'POST', {
      path: '/v1/auth/login',
      body,
      token: null,
    });
    return { path: operations.resetCredential.path, token: accessToken };
  },
  onboardProducer: (stage) => ({
    path: '/v1/account/producer',
    body: { npn: any(stage.npns), onboardType: 'subscribe' },
  }),
  getBulkDetails: (stage) => ({ path: `/v1/account/producer/bulk/details/${stage.bulkId}?page=3` }),
  startBulkOnboarding: (stage) => ({
    path: '/v1/account/producer/bulk/onboard',
    body: { npn: stage.npns.slice(0, 50), onboardType: 'lookup' },
  }),
  getBulkStatus: (stage) => ({ path: `/v1/account/producer/bulk/status/${stage.bulkId}` }),
  listActiveLicenses: () => ({ path: '/v1/account/producer/license/active?stateCode=TX,CA' }),
  lookUpNpn: async (stage) => ({ path: operations.lookUpNpn.path, body: await knownPerson(stage) }),
  getSubscriptionUpdate: (stage) => ({
    path: operations.getSubscriptionUpdate.path,
    body: { npn: stage.npns[0], reportDate: '2026-06-01' },
  }),
  subscribe: (stage) => ({ path: '/v1/subscribe', body: { npns: stage.npns.slice(0, 100) } }),
  unsubscribe: async (stage) => {
    const body = { npns: stage.npns.slice(400) };
    await send(stage, 'POST', { path: '/v1/subscribe', body });
    return { path: '/v1/unsubscribe', body };
  },
  assignTerritory: (stage) => ({
    path: `/v1/account/producer/${any(stage.npns)}/territories`,
    body: { territoryId: stage.territoryId },
  }),
  unassignTerritory: async (stage) => {
    const path = `/v1/account/producer/${any(stage.npns)}/territories`;
    await send(stage, 'POST', { path, body: { territoryId: stage.territoryId } });
    return { path: `${path}/${stage.territoryId}` };
  },
  listTerritories: () => ({ path: '/v1/account/territories' }),
  syncProfile: () => ({
    path: `/v1/users/usr_${randomUUID()}/licensing-profile`,
    body: {
      firstName: 'Avery',
      lastName: 'Sample',
      residentialAddress: { street: '1 A Street', city: 'Austin', state: 'TX', zip: '78701' },
    },
  }),
  createSession: () => ({ path: '/v1/applications/sessions', body: JSON.parse(sessionBody()) as unknown }),
  getApplication: (stage) => ({ path: `/v1/applications/${stage.applicationId}` }),
};

function any<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

async function newAgency({ db }: Stage): Promise<string> {
  const id = `agc_${randomUUID()}`;
  await db
    .insertInto('agency')
    .values({ id, name: 'Bench', onboardTypes: ['lookup'], createdAt: new Date(), deactivatedAt: null })
    .execute();
  return id;
}

async function newCredential(stage: Stage): Promise<AgencyCredential> {
  const path = `/v1/account/account-credential?agencyId=${await newAgency(stage)}`;
  return send<AgencyCredential>(stage, 'POST', { path, token: null });
}

/** A producer in the registry with an SSN: imported once by the operator's command. */
async function knownPerson(stage: Stage): Promise<{ lastName: string; ssn: string }> {
  const known = { lastName: 'Placeholder', ssn: '987-65-4321' };
  if (!imported.has(stage.bridgeUrl)) await importPerson(stage, known);
  imported.add(stage.bridgeUrl);
  return known;
}

const imported = new Set<string>();

async function importPerson(stage: Stage, { lastName, ssn }: { lastName: string; ssn: string }): Promise<void> {
  const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = await mkdtemp(join(tmpdir(), 'licensing-bridge-bench-'));
  const file = join(folder, 'person.ndjson');
  await writeFile(file, `${JSON.stringify({ ssn, biographic: { npn: '99', lastName } })}\n`);
  await stage.command('registry', 'import', file);
  await rm(folder, { recursive: true });
}
