import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { operations } from '../../../src/contract/index.js';
import { startBridge } from '../../support/bridge.js';
import { addProducers, sampleProducer } from '../../support/producers.js';

/** Canaries: values that must never be in the log, for any caller and any result. */
const canaries = {
  ssn: '900-77-0003',
  ssnDigits: '900770003',
  wrongSecret: 'canary-wrong-secret-of-thirty-letters',
  wrongToken: randomBytes(32).toString('base64url'),
  email: 'canary.mail@canary.example',
  answer: 'canary story of zanzibar',
  firstName: 'Canaryfirst',
};
const person = { firstName: canaries.firstName, lastName: 'Canarylast', email: canaries.email };
const member = { onboardType: 'team', paymentResponsibility: 'agency', ...person };

/** Bodies that are valid for one operation and invalid for all others. */
const bodies: unknown[] = [
  person,
  { ...person, email: [canaries.email] },
  { ...person, ssn: canaries.ssn },
  { ...person, backgroundQuestions: { felony: canaries.answer } },
  { clientId: canaries.email, clientSecret: canaries.wrongSecret },
  { lastName: 'Canarylast', ssn: canaries.ssn },
  { npn: '1', ssn: canaries.ssn, ...member },
  { npn: '77', ssn: canaries.ssnDigits, ...member },
  { npn: canaries.ssnDigits, onboardType: 'lookup' },
  { npns: [canaries.ssn, canaries.email] },
  { note: canaries.answer, [canaries.ssn]: canaries.email },
  `{"ssn":"${canaries.ssn}","broken`,
];

test('No secret is in a log line, an error or a metric, for every call and every failure.', async (t) => {
  const bridge = await startBridge({ environment: { BRIDGE_METRICS_PORT: '0', BRIDGE_RATE_LIMIT: '100000' } });
  t.after(() => bridge.stop());
  await sql`update agency set onboard_types = '{lookup,subscribe,team}'`.execute(bridge.context.db);
  await addProducers(bridge.context, 'test', [sampleProducer('77', { ssn: canaries.ssnDigits })]);
  const failures: string[] = [];
  const statuses = new Set<number>();

  async function call(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<void> {
    const response = await fetch(`${bridge.bridgeUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    statuses.add(response.status);
    if (response.status >= 400) failures.push(text);
  }

  /** Calls every operation with every body, with valid and wrong tokens, and canaries. */
  async function callEverything(): Promise<void> {
    const tokens = [bridge.tokens.test, bridge.tokens.live, canaries.wrongToken];
    for (const { method, path } of Object.values(operations)) {
      const here = path
        .replace('{applicationId}', canaries.email)
        .replace('{state}', canaries.ssn)
        .replace(/\{\w+\}/g, encodeURIComponent(canaries.answer));
      const query = `?agencyId=${canaries.wrongSecret}&page=${canaries.ssn}&stateCode=${encodeURIComponent(canaries.email)}`;
      for (const [index, body] of bodies.entries()) {
        const authorization = `Bearer ${tokens[index % tokens.length] ?? ''}`;
        const more = { 'idempotency-key': canaries.email, 'x-forwarded-for': canaries.ssn };
        // Only the refused resets, because a successful one ends the tokens.
        const isReset = path.includes('credential') && authorization.endsWith(bridge.tokens.live);
        await call(method, `${here}${query}`, body, isReset ? more : { authorization, ...more });
      }
    }
    await call('GET', `/v1/nowhere/${canaries.wrongToken}?ssn=${canaries.ssn}`, undefined, {});
    await call('POST', '/v1/auth/login', { clientSecret: canaries.wrongSecret }, { 'content-type': 'text/plain' });
  }

  await callEverything();
  // Internal errors are logged with their details: the tables are dropped during the calls.
  for (const table of ['applicant', 'credential', 'registryProducer', 'subscription', 'teamMember', 'application']) {
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(bridge.context.db);
  }
  await callEverything();

  const { liveClientSecret, testClientSecret } = bridge.credential;
  const secrets = { ...canaries, ...bridge.tokens, agencyId: bridge.agencyId, liveClientSecret, testClientSecret };
  const said = async () =>
    [...bridge.logged, ...failures, await (await fetch(bridge.metricsUrl ?? '')).text()].join('\n').toLowerCase();
  const found = async () => {
    const text = await said();
    return Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret.toLowerCase()) ? name : []));
  };
  assert.deepEqual(await found(), []);

  // Controls: the calls succeeded, and the search finds existing values.
  for (const status of [200, 400, 401, 404, 415, 500]) assert.ok(statuses.has(status), String(status));
  assert.match(await said(), /"msg":"a request failed\."/);
  bridge.context.log.info({ note: 'Canaryfirst' }, 'control');
  assert.deepEqual(await found(), ['firstName']);
});
