import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, mock, test } from 'node:test';
import { newAccessToken } from '../../../src/bridge/domain/accounts/access-token.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import { createKeys, hashToken, randomToken } from '../../../src/bridge/domain/keys/keys.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleProducer } from '../../support/producers.js';
import { assertFailure } from './support/assert-failure.js';

/** A bridge whose clock, and that of the limiter, moves by `mock.timers.tick` only. */
let bridge: TestBridge;
before(async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '60' } });
});
after(async () => {
  mock.timers.reset();
  await bridge.stop();
});

test('All tokens of a credential share its requests per minute; another agency has a separate limit.', async () => {
  const { credential, tokens } = await bridge.addAgency();
  const { id, clientId, testClientSecret: clientSecret } = credential;
  const read = (token: string) => bridge.call('GET', '/v1/applications/app_x', { token });
  const newToken = async () => (await login(bridge.context, { clientId, clientSecret }, 'test')).accessToken;
  for (let count = 0; count < 57; count += 1) await bridge.context.limiter.take('requests', id);
  for (const token of [tokens.test, tokens.live, await newToken()]) assert.equal((await read(token)).status, 404);
  mock.timers.tick(20_000);
  for (const token of [tokens.test, tokens.live, await newToken()]) {
    const refused = await read(token);
    const { details } = assertFailure(refused, 'too_many_requests');
    assert.equal(details, 'limit: expected at most 60 requests a minute by one credential');
    assert.equal(refused.headers.get('retry-after'), '40');
  }
  assert.equal((await read(bridge.tokens.test)).status, 404);
  mock.timers.tick(40_000);
  assert.equal((await read(tokens.test)).status, 404);
});

test('Of the invented tokens of an IP address the 601st in a minute is refused without a look-up; issued ones are answered.', async () => {
  const { context, tokens } = bridge;
  const read = (token: string) => bridge.call('GET', '/v1/applications/app_x', { token });
  const invented = randomToken();
  for (let count = 0; count < 599; count += 1) await context.limiter.take('inventedTokens', '127.0.0.1');
  assertFailure(await read(invented), 'invalid_token');

  // Of another instance, whose newer key this one does not have yet.
  const otherKeys = createKeys([randomBytes(32)]);
  const foreign = newAccessToken(otherKeys, 'test');
  const [row] = await context.db.selectFrom('accessToken').selectAll().where('mode', '=', 'test').execute();
  await context.db
    .insertInto('accessToken')
    .values({ ...(row ?? assert.fail()), tokenHash: hashToken(foreign) })
    .execute();
  const refused = await read(foreign);
  assertFailure(refused, 'too_many_requests');
  assert.equal(refused.headers.get('retry-after'), '60');
  for (const token of [tokens.test, tokens.live]) assert.equal((await read(token)).status, 404);
  const expired = newAccessToken(context.keys, 'test');
  assertFailure(await read(expired), 'invalid_token');
  mock.timers.tick(60_000);
  assert.equal((await read(foreign)).status, 404);
  assertFailure(await read(invented), 'invalid_token');
});

test("Of the logins of a credential the sixty-first in a minute is refused; other agencies' are not.", async () => {
  const { limiter } = bridge.context;
  const { credential } = await bridge.addAgency();
  const logIn = ({ clientId, testClientSecret: clientSecret } = credential) =>
    bridge.call('POST', '/v1/auth/login', { token: null, body: { clientId, clientSecret } });
  // addAgency has logged in twice.
  for (let count = 2; count < 59; count += 1) await limiter.take('logins', credential.id);
  assert.equal((await logIn()).status, 200);
  for (let tried = 0; tried < 11; tried += 1) assertFailure(await logIn(), 'too_many_requests');
  assert.equal((await logIn(bridge.credential)).status, 200, 'refused logins are not failed ones');
  mock.timers.tick(60_000);
  assert.equal((await logIn()).status, 200);
});

test('After twenty misses by SSN in an hour, neither hits nor misses are answered; hits do not count.', async () => {
  const sample = sampleProducer('12345', { ssn: '900123456' });
  await addProducers(bridge.context, 'test', [sample]);
  const { lastName } = sample.biographic;
  const { tokens } = await bridge.addAgency();
  const lookUp = (ssn: string, token = tokens.test) =>
    bridge.call('POST', '/v1/account/producer/npn-lookup', { body: { lastName, ssn }, token });
  const hits = await Promise.all(Array.from({ length: 22 }, () => lookUp('900123456')));
  assert.deepEqual([...new Set(hits.map(({ status }) => status))], [200]);

  // Like an attacker with a name and five digits: all guesses at once.
  const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => lookUp(`9001290${index + 10}`)));
  assert.equal(answers.filter(({ status }) => status === 400).length, 20);
  assert.equal(answers.filter(({ status }) => status === 429).length, 5);
  const refused = await lookUp('900123456');
  assertFailure(refused, 'too_many_requests');
  assert.equal(refused.headers.get('retry-after'), '3600');
  assert.equal((await lookUp('900123456', bridge.tokens.test)).status, 200);
  assert.equal((await lookUp('900123456', tokens.live)).status, 400, 'the other mode');
});
