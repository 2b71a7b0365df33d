import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CreateSessionRequest } from '../../../src/contract/index.js';
import { createSession } from '../../../src/bridge/domain/sessions/create-session.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { untilBlocked } from '../blocked.js';

let bridge: TestBridge;
let now = Date.now();
before(async () => {
  bridge = await startBridge({ clock: () => new Date(now), environment: { BRIDGE_RATE_LIMIT: '100000' } });
});
after(() => bridge.stop());

const request: CreateSessionRequest = {
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX', 'CA'],
  returnUrl: 'https://partner.example/done?x=1',
};
const create = (body: unknown = request, options: { key?: string; token?: string } = {}) =>
  bridge.call('POST', '/v1/applications/sessions', {
    body,
    ...(options.token === undefined ? {} : { token: options.token }),
    ...(options.key === undefined ? {} : { headers: { 'idempotency-key': options.key } }),
  });

test('A session is created for a user without a synced profile.', async () => {
  const { status, body } = await create({ ...request, userId: 'usr_new' });
  assert.equal(status, 200);
  const { sessionId, applicationId, applicationUrl, estimatedFees, ...rest } = body;
  assert.match(sessionId, /^ses_/);
  assert.match(applicationId, /^app_/);
  assert.match(applicationUrl.slice(bridge.applyUrl.length), /^\/s\/[\w-]{43}$/);
  assert.ok(estimatedFees.total > 0 && Number.isInteger(Math.round(estimatedFees.total * 100_000) / 1_000));
  const expiresAt = new Date(now + 86_400_000).toISOString();
  assert.deepEqual(rest, { expiresAt, prefilled: { npn: false, ssn: false, backgroundQuestions: false } });
  const read = await bridge.call('GET', `/v1/applications/${applicationId}`);
  const { userId: _, states: __, returnUrl: ___, ...asked } = request;
  const progress = { step: 'not_started', index: 0, count: 6 };
  assert.deepEqual(read.body, { applicationId, sessionId, userId: 'usr_new', ...asked, progress, states: [] });
});

test('prefilled lists only data of the bridge: an NPN of syncProfile, an SSN and answers of an earlier application.', async () => {
  const userId = 'usr_prefilled';
  await bridge.call('PATCH', `/v1/users/${userId}/licensing-profile`, { body: { npn: 5 } });
  const prefilled = async (options = {}) => {
    const body = { ...request, userId, paymentMethod: 'partner_billing' };
    const { npn, ssn, backgroundQuestions } = (await create(body, options)).body.prefilled;
    return [npn, ssn, backgroundQuestions];
  };
  assert.deepEqual(await prefilled(), [true, false, false]);
  const day = 86_400_000;
  const remember = (at: number) =>
    bridge.context.db
      .updateTable('applicant')
      .set({
        ssnEncrypted: bridge.context.keys.of('test').encrypt('900110004', 'applicant'),
        answersSubmittedAt: new Date(at),
      })
      .where('userId', '=', userId)
      .execute();
  await remember(now - 90 * day);
  assert.deepEqual(await prefilled(), [true, true, true]);
  await remember(now - 90 * day - 1);
  assert.deepEqual(await prefilled(), [true, true, false]);
  assert.deepEqual(await prefilled({ token: bridge.tokens.live }), [false, false, false]);
});

test('A live session with user_pays is refused without a payment processor, before a user types an SSN.', async () => {
  const live = { token: bridge.tokens.live };
  for (const paymentMethod of ['user_pays', undefined]) {
    const { status, body } = await create({ ...request, ...(paymentMethod && { paymentMethod }) }, live);
    assert.equal(status, 400);
    assert.equal(body.code, 40017);
    assert.equal(body.details, 'paymentMethod: expected partner_billing');
  }
  assert.equal((await create({ ...request, paymentMethod: 'partner_billing' }, live)).status, 200);
});

test('A type that the catalogue does not have is refused with the ones that it has.', async () => {
  for (const [field, wrong, expected] of [
    ['licenseType', 'lifehealth', /^licenseType: expected one of life, health, life_health, .*, consultant$/],
    ['applicationType', 'renew', /^applicationType: expected one of new, renewal, reinstatement, amendment$/],
  ] as const) {
    const { status, body } = await create({ ...request, [field]: wrong });
    assert.deepEqual([status, body.code], [400, 40001]);
    assert.match(body.details, expected);
  }
});

test('The token of an applicationUrl is not stored.', async () => {
  const { body } = await create();
  const token = body.applicationUrl.split('/').at(-1) ?? '';
  const row = await bridge.context.db
    .selectFrom('application')
    .selectAll()
    .where('id', '=', body.applicationId)
    .executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(row).includes(token));
});

const wrong: [string, unknown][] = [
  ...['', 5, null, 'a\u0000'].map((userId): [string, unknown] => ['userId', { ...request, userId }]),
  ...['New', 'renew', '1new', '', 'a b', 'x'.repeat(65), 'añb'].map((applicationType): [string, unknown] => [
    'applicationType',
    { ...request, applicationType },
  ]),
  ...['Life', null, 'lifehealth', 'life_property'].map((licenseType): [string, unknown] => [
    'licenseType',
    { ...request, licenseType },
  ]),
  ...[[], ['TX', 'TX'], 'TX', null].map((states): [string, unknown] => ['states', { ...request, states }]),
  ...[['tx'], ['ZZ'], [''], [5]].map((states): [string, unknown] => ['states.0', { ...request, states }]),
  ...['later', '', null].map((paymentMethod): [string, unknown] => ['paymentMethod', { ...request, paymentMethod }]),
  ...[
    'http://partner.example/',
    'javascript:alert(1)',
    'https://',
    'partner.example',
    '/done',
    null,
    'https://user:pass@partner.example/',
    'https://partner.example\\@evil.example/',
    'https://a b.example/',
    ' https://partner.example/',
    'https://partner.example/a b',
    'http://localhost.evil.example/',
    'http://127.0.0.2/',
    'https://partner.example:99999/',
    // Characters with a meaning in policies or headers, and URLs that are not written as URIs.
    'https://partner.example;script-src/',
    'https://partner.example%3Bscript-src/',
    'https://partner.example,evil.example/',
    'https://*.example/',
    "https://'none'/",
    'https://partner.example/\u0000',
    'https://partner.example/zurück',
    'https://münchen.example/',
    `https://partner.example/${'x'.repeat(2_048)}`,
  ].map((returnUrl): [string, unknown] => ['returnUrl', { ...request, returnUrl }]),
  ['webhookUrl', { ...request, webhookUrl: 'http://partner.example/' }],
  ['webhookUrl', { ...request, webhookUrl: null }],
];
for (const [field, body] of wrong) {
  const value = (body as Record<string, unknown>)[field.split('.')[0] ?? ''];
  const shown = value === undefined ? '(absent)' : JSON.stringify(value).slice(0, 60);
  test(`${field} ${shown} is 400.`, async () => {
    const answer = await create(body);
    assert.equal(answer.body.code, 40001, JSON.stringify(answer.body));
    assert.match(answer.body.details, new RegExp(`^${field}: `));
  });
}

for (const url of [
  'https://partner.example/',
  'https://partner.example:8443/a?b=c#d',
  'http://localhost/',
  'http://localhost:5170/x',
  'http://app.localhost/x',
  'http://127.0.0.1:5170/',
  'http://[::1]:5170/x?y',
]) {
  test(`${url} is accepted in test mode; live mode requires https.`, async () => {
    const body = { ...request, paymentMethod: 'partner_billing', returnUrl: url, webhookUrl: url };
    assert.equal((await create(body)).status, 200);
    const live = await create(body, { token: bridge.tokens.live });
    assert.equal(live.status, url.startsWith('https:') ? 200 : 400);
  });
}

test('Twenty concurrent calls with one key create one session, and later calls get the same response.', async () => {
  const body = { ...request, userId: 'usr_idem' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, { key: 'order-1' })));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
  const rows = await bridge.context.db
    .selectFrom('application')
    .select('id')
    .where('userId', '=', 'usr_idem')
    .execute();
  assert.equal(rows.length, 1);

  await bridge.call('PATCH', '/v1/users/usr_idem/licensing-profile', { body: { npn: 1 } });
  const shuffled = Object.fromEntries(Object.entries(body).reverse());
  assert.deepEqual((await create(shuffled, { key: 'order-1' })).body, answers[0]?.body);
});

test('A call with a key that is repeated has the prefilled data of the first time.', async () => {
  const userId = 'usr_idem_known';
  const sync = (npn: number | null) => bridge.call('PATCH', `/v1/users/${userId}/licensing-profile`, { body: { npn } });
  await sync(5);
  const first = await create({ ...request, userId }, { key: 'order-known' });
  assert.deepEqual(first.body.prefilled, { npn: true, ssn: false, backgroundQuestions: false });
  await sync(null);
  assert.deepEqual((await create({ ...request, userId }, { key: 'order-known' })).body, first.body);
});

test('A call with a key resumes the application that another call creates at the same moment.', async () => {
  const { context, agencyId } = bridge;
  const body = { ...request, userId: 'usr_idem_race' };
  const { first, second } = await context.db.transaction().execute(async (db) => {
    const session = await createSession({ ...context, db }, { agencyId, mode: 'test' }, body, undefined);
    const waiting = create(body, { key: 'order-meanwhile' });
    await untilBlocked(context.db);
    return { first: session, second: waiting };
  });
  const { applicationId, sessionId } = first;
  const resumed = await second;
  assert.equal(resumed.body.applicationId, applicationId);
  assert.notEqual(resumed.body.sessionId, sessionId);
  assert.deepEqual((await create(body, { key: 'order-meanwhile' })).body, resumed.body);
});

test('Another body with the same key is 400.', async () => {
  await create(request, { key: 'order-2' });
  const other = await create({ ...request, paymentMethod: 'user_pays' }, { key: 'order-2' });
  assert.equal(other.body.code, 40006);
  assert.match(other.body.details, /^Idempotency-Key: /);
});

test('Of two concurrent bodies with one key, one wins.', async () => {
  const bodies = Array.from({ length: 10 }, (_, index) => ({ ...request, userId: `usr_race_${index % 2}` }));
  const answers = await Promise.all(bodies.map((body) => create(body, { key: 'order-race' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    ...Array<number>(5).fill(200),
    ...Array<number>(5).fill(400),
  ]);
});

test('A key is kept until the last millisecond of its 24 hours.', async () => {
  const first = await create(request, { key: 'order-4' });
  now += 86_400_000 - 1;
  bridge.tokens.test = await freshToken();
  assert.equal(
    (await create(request, { key: 'order-4', token: bridge.tokens.test })).body.sessionId,
    first.body.sessionId,
  );
  now += 1;
  assert.notEqual(
    (await create(request, { key: 'order-4', token: bridge.tokens.test })).body.sessionId,
    first.body.sessionId,
  );
  bridge.tokens.test = await freshToken();
});

async function freshToken(): Promise<string> {
  const { clientId, testClientSecret: clientSecret } = bridge.credential;
  const { body } = await bridge.call('POST', '/v1/auth/login', { token: null, body: { clientId, clientSecret } });
  return body.accessToken;
}

for (const key of ['x'.repeat(256), ' ', 'ä']) {
  test(`An Idempotency-Key of ${key.length} characters ${JSON.stringify(key).slice(0, 5)} is ${key === ' ' ? 'ignored' : '400'}.`, async () => {
    const headers = { 'idempotency-key': key === 'ä' ? Buffer.from(key).toString('latin1') : key };
    const answer = await bridge.call('POST', '/v1/applications/sessions', {
      body: request,
      token: await freshToken(),
      headers,
    });
    assert.equal(answer.status, 400);
  });
}
