import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { operations } from '../../../src/contract/index.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { startReceiver } from '../receiver.js';

/** Canaries: values that must never be in the log, for any caller and any result. */
const canaries = {
  ssn: '900-77-0003',
  ssnDigits: '900770003',
  wrongSecret: 'canary-wrong-secret-of-thirty-letters',
  wrongToken: randomBytes(32).toString('base64url'),
  email: 'canary.mail@canary.example',
  answer: 'canary story of zanzibar',
  street: '7 Canary Street',
  hook: 'canary-hook-capability',
  card: '4242424242424242',
};

const person = {
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  email: canaries.email,
  dateOfBirth: '1985-03-27',
  residentialAddress: { street: canaries.street, city: 'Austin', state: 'TX' as const, zip: '78701' },
};

/** Bodies that are valid for one operation and invalid for all others. */
const bodies: unknown[] = [
  person,
  { ...person, email: [canaries.email] },
  { ...person, ssn: canaries.ssn },
  { ...person, backgroundQuestions: { felony: canaries.answer } },
  { clientId: canaries.email, clientSecret: canaries.wrongSecret },
  { lastName: 'Canarylast', ssn: canaries.ssn },
  { lastName: 'Canarylast', ssn: `${canaries.ssn}9` },
  { npn: '1', onboardType: 'team', paymentResponsibility: 'agency', ssn: canaries.ssn, ...person },
  { npn: '77', onboardType: 'team', paymentResponsibility: 'agency', ssn: canaries.ssnDigits, ...person },
  { npn: canaries.ssnDigits, onboardType: 'lookup' },
  { npns: [canaries.ssn, canaries.email] },
  { businessEmail: canaries.email, preference: canaries.answer },
  { note: canaries.answer, [canaries.ssn]: canaries.email },
  [canaries.ssn],
  canaries.answer,
  `{"ssn":"${canaries.ssn}","broken`,
];

async function setup(t: TestContext) {
  const bridge = await startApplyService({
    environment: { BRIDGE_METRICS_PORT: '0', BRIDGE_RATE_LIMIT: '100000', BRIDGE_WEBHOOK_RETRY_SCALE: '0.000001' },
  });
  t.after(() => bridge.stop());
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  await sql`update agency set onboard_types = '{lookup,subscribe,team}'`.execute(bridge.context.db);
  await addProducers(bridge.context, 'test', [sampleProducer('77', { ssn: canaries.ssnDigits })]);
  /** The bodies of all failures. */
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

  /**
   * Calls every operation with every body, with a valid token, an invalid one and none, with
   * canaries in all fields.
   */
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
        const more = {
          'idempotency-key': canaries.email,
          'x-forwarded-for': canaries.ssn,
          cookie: canaries.wrongSecret,
        };
        // Only the refused resets, because a successful one ends the tokens.
        const isReset = path.includes('credential') && authorization.endsWith(bridge.tokens.live);
        await call(method, `${here}${query}`, body, isReset ? more : { authorization, ...more });
      }
    }
    await call('GET', `/v1/nowhere/${canaries.wrongToken}?ssn=${canaries.ssn}`, undefined, {});
    await call('PUT', '/v1/auth/login', { clientSecret: canaries.wrongSecret }, {});
    await call('POST', '/v1/auth/login', canaries.answer.repeat(60_000), {});
    await call('POST', '/v1/auth/login', { clientSecret: canaries.wrongSecret }, { 'content-type': 'text/plain' });
  }

  /** Sends invalid and then valid input for every page, also after the submission. */
  async function apply(): Promise<void> {
    const webhookUrl = `${receiver.url}/${canaries.hook}?token=${canaries.wrongToken}`;
    receiver.answers.push(500, 200);
    const session = await bridge.createSession({ webhookUrl }, { profile: person });
    const visitor = createVisitor();
    const confession = { felony: 'yes', 'felony.explanation': canaries.answer };
    const card = { ...typed.payment, cardNumber: canaries.card };
    await visitor.get(`${bridge.applyUrl}/s/${canaries.wrongToken}?ssn=${canaries.ssn}`);
    await walkTo(visitor, session, 'identity');
    await visitor.post(`${session.applicationUrl}/identity`, { ssn: `${canaries.ssn}1` });
    await visitor.post(`${session.applicationUrl}/background/criminal`, confession);
    await visitor.post(`${session.applicationUrl}/payment`, { ...card, cardNumber: `${canaries.card}1` });
    const own = { identity: { ssn: canaries.ssn }, payment: card };
    await walkTo(visitor, { ...session, isSlow: true }, 'receipt', own);
    await receiver.arrival(8);
  }

  /** All output that an operator, a caller or Prometheus could read. */
  async function everythingSaid(): Promise<string> {
    const metrics = await (await fetch(bridge.metricsUrl ?? '')).text();
    return [...bridge.logged, ...failures, metrics].join('\n');
  }

  const secrets = {
    ...canaries,
    ...person,
    residentialAddress: canaries.street,
    agencyId: bridge.agencyId,
    liveSecret: bridge.credential.liveClientSecret,
    testSecret: bridge.credential.testClientSecret,
    liveToken: bridge.tokens.live,
    testToken: bridge.tokens.test,
  };
  const found = (text: string) =>
    Object.entries(secrets)
      .filter(([, secret]) => text.toLowerCase().includes(secret.toLowerCase()))
      .map(([name]) => name);
  return { bridge, callEverything, apply, everythingSaid, found, secrets, statuses };
}

test('No secret is in a log line, an error or a metric, for every call and every failure.', async (t) => {
  const { bridge, callEverything, apply, everythingSaid, found, secrets, statuses } = await setup(t);
  await callEverything();
  await apply();
  // Internal errors are logged with their details: the tables are dropped during the calls.
  for (const table of ['applicant', 'credential', 'registry_producer', 'subscription', 'team_member', 'application']) {
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_away`)}`.execute(bridge.context.db);
  }
  await callEverything();
  await createVisitor().get(`${bridge.applyUrl}/s/${canaries.wrongToken}`);
  await bridge.context.db.destroy();
  await callEverything();

  const said = await everythingSaid();
  assert.deepEqual(found(said), []);

  // Controls: the calls succeeded, and the search finds existing values.
  for (const status of [200, 400, 401, 404, 405, 413, 415, 500]) assert.ok(statuses.has(status), String(status));
  for (const level of ['debug', 'info', 'error']) bridge.context.log[level as 'info']({ note: 'Canaryfirst' }, level);
  assert.deepEqual(found(await everythingSaid()), ['firstName']);
  assert.match(said, /"msg":"A request failed\."/);
  assert.match(said, /"msg":"A webhook failed and will be retried\."/);
  assert.match(said, /bridge_http_requests_total\{/);
  for (const [name, secret] of Object.entries(secrets)) assert.ok(found(`${said} ${secret}`).includes(name), name);
});
