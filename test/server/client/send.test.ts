import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Repeat } from '../../../src/contract/index.js';
import { createBridgeClient, type BridgeClientOptions } from '../../../src/server/index.js';
import { prepareOperation, prepareRequest } from '../../../src/server/client/request.js';
import { mayRepeat, parseRetryAfter, retryDelayMs, send, type Outcome } from '../../../src/server/client/send.js';
import { applicationBody, clientSecret, rejection, sessionRequest } from '../support/client.js';
import { manualClock } from '../support/manual-clock.js';

const settings = { baseUrl: 'https://bridge.example', honorsIdempotencyKey: false };
const request = prepareRequest({ method: 'GET', path: '/v1/own' }, settings.baseUrl);
const { signal } = new AbortController();

suite('The outcome of an attempt', () => {
  const failing = (thrown: Error) => send(() => Promise.reject(thrown), request, undefined, signal);
  const withCode = (code: unknown, cause?: unknown) => Object.assign(new Error('secret'), { code, cause });

  const unsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
  test('A connection that was never made is unsent, and one that fails otherwise is lost.', async () => {
    for (const code of [...unsent, 'ECONNRESET', 'UND_ERR_SOCKET', 'XECONNREFUSED', 'ECONNREFUSED_']) {
      const kind = unsent.includes(code) ? 'unsent' : 'lost';
      assert.deepEqual(await failing(withCode(code)), { kind, networkCode: code });
    }
  });

  test('The code is found along a few causes, and only where it looks like one.', async () => {
    let nested = withCode('ECONNREFUSED');
    for (let depth = 0; depth < 5; depth += 1) nested = withCode(undefined, nested);
    assert.deepEqual(await failing(nested), { kind: 'unsent', networkCode: 'ECONNREFUSED' });
    assert.deepEqual(await failing(withCode(undefined, nested)), { kind: 'lost', networkCode: undefined });
    for (const code of ['900-11-0042', 'E', 'Econn', `E${'X'.repeat(61)}`, 7, undefined, null]) {
      assert.deepEqual(await failing(withCode(code)), { kind: 'lost', networkCode: undefined });
    }
    for (const thrown of [undefined, null, 'ECONNREFUSED']) assert.equal((await failing(thrown as never)).kind, 'lost');
  });

  test('An answer has at most 32 Mi characters.', async () => {
    const limit = 32 * 1024 * 1024;
    const read = async (length: number) => {
      const outcome = await send(async () => new Response('x'.repeat(length)), request, undefined, signal);
      return outcome.kind === 'answer' ? outcome.text?.length : assert.fail();
    };
    assert.deepEqual([await read(limit), await read(limit + 1)], [limit, undefined]);
  });

  test('The table of repetitions holds for every outcome and rule.', () => {
    const answer = (status: number): Outcome => ({ kind: 'answer', status, headers: new Headers(), text: '' });
    const table: [outcome: Outcome, allowed: Repeat[]][] = [
      [{ kind: 'unsent', networkCode: undefined }, ['always', 'unless_processed', 'unless_sent']],
      [{ kind: 'lost', networkCode: undefined }, ['always']],
      [answer(429), ['always', 'unless_processed']],
      ...[500, 502, 503, 504].map((status): [Outcome, Repeat[]] => [answer(status), ['always']]),
      ...[300, 400, 401, 403, 404, 408, 409, 428, 430, 499, 501, 505, 599].map((status): [Outcome, Repeat[]] => [
        answer(status),
        [],
      ]),
    ];
    for (const [outcome, allowed] of table) {
      for (const rule of ['always', 'unless_processed', 'unless_sent'] as const) {
        assert.equal(mayRepeat(rule, outcome), allowed.includes(rule), `${JSON.stringify(outcome)} ${rule}`);
      }
    }
  });

  test('A pause doubles from 250 ms to five seconds of jitter, after the time that the bridge asks for.', () => {
    const ceilings = [0, 1, 2, 3, 4, 5, 9].map((attempt) => retryDelayMs(attempt, undefined, () => 1));
    assert.deepEqual(ceilings, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    assert.deepEqual([retryDelayMs(0, 7_000, () => 0), retryDelayMs(0, 7_000, () => 0.5)], [7_000, 7_125]);
  });

  test('Retry-After is seconds or a date, at least now and at most a day.', () => {
    const now = Date.UTC(2026, 10, 20, 12);
    const dayMs = 24 * 60 * 60_000;
    for (const [value, expected] of [
      ['2', 2_000],
      [' 2 ', 2_000],
      ['0.05', 50],
      ['0', 0],
      ['86400', dayMs],
      ['86401', dayMs],
      ['Fri, 20 Nov 2026 12:00:03 GMT', 3_000],
      ['Fri, 20 Nov 2026 11:59:00 GMT', 0],
      ['Fri, 31 Dec 9999 23:59:59 GMT', dayMs],
      ['-5', 0],
      ['soon', undefined],
      ['', undefined],
      [null, undefined],
    ] as const) {
      assert.equal(parseRetryAfter(value, now), expected, String(value));
    }
  });
});

suite('Fields that only users enter', () => {
  const refused = [
    ...['ssn', 'SSN', 'socialSecurity', 'social_security_number', 'social-security', 'SocialSecurityNumber'],
    ...['backgroundQuestions', 'background_questions', 'background-answers', 'BACKGROUNDANSWERS2'],
  ];
  const sent = ['ssns', 'lossn', 'social', 'antisocialSecurity', 'background', 'myBackgroundQuestions'];

  test('A field with such a name is never sent, at any depth of a body or in a query; one with a similar name is.', () => {
    for (const name of [...refused, ...sent]) {
      for (const part of [
        { body: { [name]: '1' } },
        { body: { deep: [{ [name]: '1' }] } },
        { query: { [name]: '1' } },
      ]) {
        const prepare = () => prepareRequest({ method: 'POST', path: '/v1/own', ...part }, settings.baseUrl);
        if (refused.includes(name)) assert.throws(prepare, TypeError, name);
        else prepare();
      }
    }
  });

  test('An SSN is sent in the body of two operations, at its top, under its own name.', () => {
    const member = { onboardType: 'team', ssn: '900-11-0042' };
    prepareOperation('lookUpNpn', { body: { ssn: '900-11-0042' } }, settings);
    prepareOperation('onboardProducer', { body: member }, settings);
    for (const [id, body] of [
      ['onboardProducer', { ...member, onboardType: 'subscribe' }],
      ['onboardProducer', { ...member, SSN: '1' }],
      ['onboardProducer', { ...member, deep: { ssn: '1' } }],
      ['onboardProducer', { ...member, backgroundAnswers: [] }],
      ['lookUpNpn', { lastName: 'Sample', deep: { ssn: '1' } }],
      ['createSession', { ...sessionRequest, ssn: '1' }],
      ['updateAccount', { ssn: '1' }],
    ] as const) {
      const prepare = () => prepareOperation(id, { body }, settings);
      assert.throws(prepare, (error) => error instanceof TypeError && !error.message.includes('900'), id);
    }
  });
});

test('A request of the caller is repeated as one that reads only if it is a GET.', () => {
  const repeatOf = (method: 'GET' | 'POST') => prepareRequest({ method, path: '/v1/own' }, settings.baseUrl).repeat;
  assert.deepEqual([repeatOf('GET'), repeatOf('POST')], ['always', 'unless_processed']);
});

test('An Idempotency-Key has 1 to 255 visible characters.', () => {
  const prepare = (key: unknown) =>
    prepareOperation('createSession', { body: sessionRequest }, settings, key as string);
  for (const key of ['!', '~', 'x'.repeat(255)]) assert.equal(prepare(key).headers['idempotency-key'], key);
  for (const key of ['', 'x'.repeat(256), 'a b', 'é', 'a\n', null, 0]) assert.throws(() => prepare(key), TypeError);
});

/** A client whose bridge answers from this list, after the login. */
function clientOf(answers: (() => Response | Promise<Response>)[], options: Partial<BridgeClientOptions> = {}) {
  const sent: string[] = [];
  const client = createBridgeClient({
    baseUrl: settings.baseUrl,
    clientId: 'client_1',
    clientSecret,
    random: () => 0,
    async fetch(url) {
      sent.push(url);
      if (url.endsWith('/login')) return Response.json({ accessToken: 'token-1' });
      return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? assert.fail();
    },
    ...options,
  });
  return { client, sent };
}

suite('A call', () => {
  test('Statuses from 200 to 299 are answers, and no others.', async () => {
    for (const [status, code] of [
      [200, undefined],
      [201, undefined],
      [299, undefined],
      [300, 'refused'],
      [399, 'refused'],
      [400, 'refused'],
      [403, 'refused'],
      [404, 'not_found'],
      [428, 'refused'],
      [429, 'rate_limited'],
      [499, 'refused'],
      [500, 'unavailable'],
      [599, 'unavailable'],
    ] as const) {
      // Of any content type.
      const answer = () => new Response(JSON.stringify(applicationBody), { status });
      const { client } = clientOf([answer], { retries: 0 });
      if (code === undefined) await client.applications.get('app_1');
      else assert.equal((await rejection(client.applications.get('app_1'))).code, code, String(status));
    }
  });

  test('By default a call is repeated twice, and fails at ten seconds.', async () => {
    const { client, sent } = clientOf([() => new Response('', { status: 503 })]);
    await rejection(client.applications.get('app_1'));
    assert.equal(sent.length - 1, 3);

    const clock = manualClock();
    const silent = clientOf([() => new Promise<Response>(() => undefined)], { clock });
    let code: string | undefined;
    void rejection(silent.client.applications.get('app_1')).then((error) => (code = error.code));
    await clock.advance(9_999);
    assert.equal(code, undefined);
    await clock.advance(1);
    assert.equal(code, 'timeout');
  });

  test('A pause that ends with the deadline of a call is not begun, and a shorter one is.', async () => {
    for (const [seconds, requests] of [
      ['4.999', 2],
      ['5', 1],
    ] as const) {
      const clock = manualClock();
      const busy = () => new Response('', { status: 429, headers: { 'retry-after': seconds } });
      const { client, sent } = clientOf([busy], { clock, timeoutMs: 5_000 });
      const failed = rejection(client.applications.get('app_1'));
      await clock.advance(10_000);
      const { code, retryAfterMs } = await failed;
      assert.deepEqual([code, retryAfterMs], ['rate_limited', Number(seconds) * 1_000]);
      assert.equal(sent.length - 1, requests, seconds);
    }
  });

  test('A deadline is a number above 0 that timers take, 2,147,483,647 at most.', async () => {
    const { client } = clientOf([() => Response.json(applicationBody)], { clock: manualClock() });
    for (const timeoutMs of [1, 2_147_483_647]) await client.applications.get('app_1', { timeoutMs });
    for (const timeoutMs of [0, -1, 2_147_483_648, Number.NaN, Infinity, '5000' as never]) {
      await assert.rejects(client.applications.get('app_1', { timeoutMs }), TypeError);
      assert.throws(() => clientOf([], { timeoutMs }), TypeError);
    }
  });

  test('Wrong credentials are not tried again for ten seconds.', async () => {
    const clock = manualClock();
    let logins = 0;
    const refuse = async () => ((logins += 1), new Response('', { status: 401 }));
    const { client } = clientOf([], { clock, fetch: refuse });
    for (const [afterMs, expected] of [
      [0, 1],
      [9_999, 1],
      [1, 2],
    ] as const) {
      clock.leap(afterMs);
      assert.equal((await rejection(client.auth.login())).code, 'credentials_refused');
      assert.equal(logins, expected);
    }
  });

  test('An error shows an error number of up to six digits, an index of up to four, and names from the first 1,000 characters.', async () => {
    for (const [body, expected] of [
      [{ code: 999_999 }, [999_999, undefined]],
      [{ code: 1_000_000 }, [undefined, undefined]],
      [{ details: 'npns.1234: unknown' }, [undefined, 'npns.1234']],
      [{ details: 'npns.12345: unknown' }, [undefined, undefined]],
      [{ details: `${' '.repeat(996)}npns` }, [undefined, 'npns']],
      [{ details: `${' '.repeat(997)}npns` }, [undefined, undefined]],
    ] as const) {
      const { client } = clientOf([() => Response.json(body, { status: 400 })]);
      const { bridgeCode, field } = await rejection(client.subscriptions.add({ npns: ['1'] }));
      assert.deepEqual([bridgeCode, field], expected);
    }
  });

  test('An error shows a request id of up to 64 characters that repeats nothing that was sent.', async () => {
    for (const [id, isShown] of [
      ['x'.repeat(64), true],
      ['x'.repeat(65), false],
      ['a.b:c-d_1', true],
      ['a b', false],
      ['900-11-0042', false],
      ['900110042', false],
      ['Token-1', false],
      [clientSecret.slice(0, 20), false],
      ['app_9', false],
      ['own-header', false],
      ['Sample', false],
    ] as const) {
      const headers = { 'x-request-id': id };
      const { client } = clientOf([() => Response.json({}, { status: 400, headers })]);
      const path = '/v1/applications/app_9';
      const own = { method: 'POST', path, headers: { 'x-own': 'own-header' }, body: { lastName: 'sample' } } as const;
      assert.equal((await rejection(client.request(own))).requestId, isShown ? id : undefined, id);
    }
  });
});
