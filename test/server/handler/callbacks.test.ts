import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import type { HttpErrorBody, LogEntry } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

// The runner fails the test in which a rejection is unhandled.

const secretText = 'secret-of-a-database';
const wasSubmitted = webhook('evt_1', 'application.submitted');

/** Values that functions of the partner may throw. */
const thrown: Record<string, unknown> = {
  'an error': new Error(secretText),
  nothing: undefined,
  'an object with the name of our error and no usable fields': {
    name: 'BridgeClientError',
    code: 'unreachable',
    retryAfterMs: 1n,
    message: secretText,
  },
  'an object that throws when its name is read': {
    get name() {
      throw new Error(secretText);
    },
  },
};

const ways: Record<string, (what: unknown) => () => never> = {
  throws: (what) => () => {
    throw what;
  },
  rejects: (what) =>
    (async () => {
      await Promise.resolve();
      throw what;
    }) as unknown as () => never,
};

async function assertInternal(answer: Response, what: string): Promise<void> {
  assert.equal(answer.status, 500, what);
  const text = await answer.text();
  assert.equal((JSON.parse(text) as HttpErrorBody).code, 'internal');
  assert.doesNotMatch(text, new RegExp(secretText));
}

test('A log that throws or rejects changes no answer and no event.', async (t) => {
  for (const make of Object.values(ways)) {
    const logged = new Set<string>();
    const log = ({ event }: LogEntry) => (logged.add(event), make('The disk is full.')());
    let isBroken = true;
    const listener = () => (isBroken ? Promise.reject(new Error('The database is away.')) : undefined);
    const { begin, bridge, handler, postWebhook } = partner(t, { log, on: { submitted: listener } });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503);
    assert.equal((await handler.reconcile()).failed, 1);
    isBroken = false;
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    const expected = ['listener.failed', 'webhook.deferred', 'reconcile.failed', 'event.delivered', 'webhook.handled'];
    assert.deepEqual([...logged].sort(), expected.sort());
  }
});

suite('Functions of the partner that fail', () => {
  for (const name of ['identify', 'session'] as const) {
    test(`When \`${name}\` throws any value, the answer is 500 without it, the log says so once, and the bridge is not called.`, async (t) => {
      for (const [way, make] of Object.entries(ways)) {
        for (const [what, value] of Object.entries(thrown)) {
          const { postSession, entries, bridge } = partner(t, { [name]: make(value) });
          await assertInternal(await postSession(), `${way} ${what}`);
          assert.equal(bridge.requests.length, 0);
          const failures = entries.filter(({ event }) => event === 'handler.failed');
          assert.deepEqual(
            failures.map(({ level, message }) => [level, typeof message]),
            [['error', 'string']],
          );
        }
      }
    });
  }

  test('When a listener throws anything, the webhook is 503, and its event is delivered once the listener works.', async (t) => {
    for (const [way, make] of Object.entries(ways)) {
      for (const [what, value] of Object.entries(thrown)) {
        let listener: () => unknown = make(value);
        const calls: string[] = [];
        const { begin, bridge, postWebhook, entries } = partner(t, {
          on: { submitted: () => listener(), status: ({ state }) => calls.push(state) },
        });
        const { webhookUrl } = await begin();
        bridge.change('app_1', submitted);
        assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503, `${way} ${what}`);
        const failure = entries.find(({ event }) => event === 'listener.failed');
        assert.deepEqual([failure?.['listener'], typeof failure?.message], ['submitted', 'string']);
        listener = () => calls.push('submitted');
        assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
        assert.deepEqual(calls, ['submitted', 'TX', 'CA']);
      }
    }
  });
});

suite('Functions of the partner that return something else', () => {
  test('Without a user from `identify`, the answer is 401; with something that is no user, it is 500.', async (t) => {
    const others = [false, '', 0, 'usr_1', 7, true, [], {}, { userId: '' }, { userId: 7 }, { userId: null }, () => 1];
    for (const user of [undefined, null, ...others]) {
      const { postSession, request, bridge } = partner(t, { identify: () => user as never });
      const expected = user === undefined || user === null ? 401 : 500;
      assert.equal((await postSession()).status, expected, inspect(user));
      assert.equal((await request('/applications')).status, expected, inspect(user));
      assert.equal(bridge.requests.length, 0);
    }
  });

  test('A session that is not valid, such as one with a `javascript:` URL to return to, is 500, and the log names its field.', async (t) => {
    const valid = { applicationType: 'new', licenseType: 'life', states: ['TX'], returnUrl: 'https://agency.example' };
    const cases: [session: unknown, logged: RegExp][] = [
      [{}, /applicationType/],
      [{ ...valid, returnUrl: '/done' }, /returnUrl/],
      [{ ...valid, returnUrl: 'javascript:alert(1)' }, /returnUrl/],
    ];
    for (const [session, logged] of cases) {
      const { postSession, bridge, entries } = partner(t, { session: () => session as never });
      await assertInternal(await postSession(), inspect(session));
      assert.equal(bridge.requests.length, 0);
      assert.match(String(entries.at(-1)?.message), new RegExp(`^The result of session: .*${logged.source}`));
      assert.doesNotMatch(inspect(entries), /alert/);
    }
  });
});

const hang = () => new Promise<never>(() => undefined);

suite('A function of the partner that never settles', () => {
  for (const name of ['identify', 'session'] as const) {
    test(`When \`${name}\` never settles, the answer is 500 after 30 seconds, and the log names the function.`, async (t) => {
      const { bridge, clock, entries, postSession } = partner(t, { [name]: hang });
      const timers = clock.timers;
      let answer: Response | undefined;
      void postSession().then((given) => (answer = given));
      await clock.advance(29_999);
      assert.deepEqual([answer, entries], [undefined, []]);
      await clock.advance(1);
      assert.equal(answer?.status, 500);
      assert.equal(((await answer.json()) as HttpErrorBody).code, 'internal');
      assert.equal(bridge.requests.length, 0);
      assert.deepEqual(
        entries.map(({ level, event, message }) => [level, event, message]),
        [['error', 'handler.failed', `${name} took longer than 30 seconds.`]],
      );
      assert.equal(clock.timers, timers);
    });
  }

  for (const [name, seconds] of [
    ['verifyWebhook', 5],
    ['peerAddress', 30],
  ] as const) {
    test(`When \`${name}\` never settles, the webhook is 503 after ${seconds} seconds.`, async (t) => {
      let isCalled = false;
      const called = () => ((isCalled = true), hang());
      const { begin, clock, entries, postWebhook } = partner(t, { verifyWebhook: () => true, [name]: called });
      const { webhookUrl } = await begin();
      let status = 0;
      void postWebhook(webhookUrl, wasSubmitted).then((answer) => (status = answer.status));
      await until('its call', () => isCalled);
      await clock.advance(seconds * 1_000 - 1);
      assert.equal(status, 0);
      await clock.advance(1);
      assert.equal(status, 503);
      assert.equal(entries.at(-1)?.message, `${name} took longer than ${seconds} seconds.`);
    });
  }

  test('When a listener never settles, the log names it after 25 seconds, and close() does not wait longer.', async (t) => {
    let calls = 0;
    const { begin, bridge, clock, entries, handler, postWebhook } = partner(t, {
      isLeftOpen: true,
      on: { submitted: () => ((calls += 1), hang()) },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    const answer = postWebhook(webhookUrl, wasSubmitted);
    await until('the listener', () => calls === 1);
    let isClosed = false;
    void handler.close().then(() => (isClosed = true));
    await clock.advance(24_999);
    assert.equal(isClosed, false);
    await clock.advance(1);
    assert.equal((await answer).status, 503);
    assert.equal(isClosed, true);
    const failed = entries.filter(({ event }) => event === 'listener.failed');
    assert.deepEqual(
      failed.map(({ message }) => message),
      ['on.submitted took longer than 25 seconds.'],
    );
  });

  test('The result of `peerAddress` is the address of a webhook only if it is a text.', async (t) => {
    for (const address of [undefined, null, 7, {}, ['192.0.2.1'], '192.0.2.1']) {
      const seen: unknown[] = [];
      const { begin, postWebhook } = partner(t, {
        peerAddress: () => address as never,
        verifyWebhook: (_, { peerAddress }) => seen.push(peerAddress) > 0,
      });
      const { webhookUrl } = await begin();
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'x'))).status, 204);
      assert.deepEqual(seen, [typeof address === 'string' ? address : undefined]);
    }
  });
});
