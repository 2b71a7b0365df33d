import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { memoryStore, type LicensingStore, type LogEntry, type RefusalBody } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

// Rejections that nobody handles fail the test in which they happen: the runner sees to that.

const secretText = 'secret-of-a-database';

/** What may be thrown; none of it ever reaches an answer. */
const thrown: Record<string, unknown> = {
  'an error': new Error(secretText),
  'a text': secretText,
  nothing: undefined,
  'something without a text': Object.create(null) as unknown,
  'an error whose message is an object': Object.assign(new Error(), { message: { text: secretText } }),
  'an error that cannot be read': Object.defineProperty(new Error(), 'message', {
    get() {
      throw new Error(secretText);
    },
  }),
};

const ways: Record<string, (what: unknown) => () => never> = {
  throws: (what) => () => {
    throw what;
  },
  rejects: (what) => () => {
    const work = async (): Promise<never> => {
      await Promise.resolve();
      throw what;
    };
    return work() as never;
  },
};

async function assertInternal(answer: Response): Promise<void> {
  assert.equal(answer.status, 500);
  const text = await answer.text();
  assert.equal((JSON.parse(text) as RefusalBody).code, 'internal');
  assert.doesNotMatch(text, new RegExp(secretText));
}

suite('a log', () => {
  for (const [way, make] of Object.entries(ways)) {
    test(`that ${way} changes no answer, no verdict and no summary`, async (t) => {
      const events = new Set<string>();
      const log = (entry: LogEntry) => {
        events.add(entry.event);
        return make('No room on the disk.')();
      };
      const store = memoryStore();
      const state = { isBroken: false };
      const breakable: LicensingStore = {
        ...store,
        claimFacts: (...given) => (state.isBroken ? Promise.reject(new Error('No.')) : store.claimFacts(...given)),
        applicationsWithLeftWork: (query) =>
          state.isBroken ? Promise.reject(new Error('No.')) : store.applicationsWithLeftWork(query),
      };
      const failing = () => {
        throw new Error('No.');
      };
      const { begin, bridge, handler, postSession, postWebhook, request, clock } = partner(t, {
        log,
        store: breakable,
        on: { progress: failing, webhook: failing },
      });
      const { webhookUrl } = await begin();
      bridge.move('app_1', { progress: { step: 'profile', index: 1, count: 6 } });
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'x'))).status, 202);
      assert.equal((await postWebhook(webhookUrl, '{')).status, 400);
      assert.equal((await postWebhook(`${webhookUrl}x`, {})).status, 404);
      // The listener is asked eight times.
      await clock.advance(10 * 60_000);
      bridge.move('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
      state.isBroken = true;
      assert.equal((await postWebhook(webhookUrl, webhook('evt_2', 'x'))).status, 202);
      await clock.advance(10 * 60_000);
      bridge.fail('unreachable');
      assert.equal((await postWebhook(webhookUrl, webhook('evt_3', 'x'))).status, 202);
      assert.equal((await request('/applications/app_1')).status, 200);
      assert.equal((await postSession()).status, 503);
      await clock.advance(120_000);
      assert.equal((await handler.reconcile()).failed, 1);
      bridge.fail('refused');
      bridge.createSession = failing;
      await assertInternal(await postSession());
      assert.deepEqual([...events].sort(), [
        'application.stale',
        'bridge.failed',
        'handler.failed',
        'left_work.failed',
        'listener.failed',
        'profile.refused',
        'reconcile.failed',
        'store.failed',
        'webhook.unknown_address',
        'webhook.verdict',
        'webhook.waiting',
      ]);
    });
  }
});

suite('what decides about a request', () => {
  for (const [way, make] of Object.entries(ways)) {
    for (const [what, value] of Object.entries(thrown)) {
      for (const name of ['identify', 'session', 'peerAddress'] as const) {
        test(`${name} that ${way} ${what} is a failure of the backend, which its log tells`, async (t) => {
          const { postSession, entries, bridge } = partner(t, { [name]: make(value) });
          await assertInternal(await postSession());
          assert.equal(bridge.sessions.length, 0);
          assert.deepEqual(
            entries.map(({ level, event, message }) => [level, event, typeof message]),
            [['error', 'handler.failed', 'string']],
          );
        });
      }
    }
  }

  const nobody = [undefined, null, false, '', 0];
  const nonsense = ['usr_1', 7, true, [], {}, { userId: '' }, { userId: 7 }, { userId: null }, () => 'usr_1'];
  for (const [users, status] of [
    [nobody, 401],
    [nonsense, 500],
  ] as const) {
    for (const user of users) {
      test(`identify that gives ${inspect(user)} is ${String(status)}`, async (t) => {
        const { postSession, request, bridge } = partner(t, { identify: () => user as never });
        assert.equal((await postSession()).status, status);
        assert.equal((await request('/applications')).status, status);
        assert.equal(bridge.sessions.length, 0);
      });
    }
  }

  for (const asked of [undefined, null, 'new', {}, { returnUrl: '/done' }, { returnUrl: 7 }]) {
    test(`session that gives ${inspect(asked)} begins nothing`, async (t) => {
      const { postSession, bridge } = partner(t, { session: () => asked as never });
      await assertInternal(await postSession());
      assert.equal(bridge.sessions.length, 0);
    });
  }

  for (const address of [undefined, null, 7, {}, ['192.0.2.1']]) {
    test(`peerAddress that gives ${inspect(address)} names nobody`, async (t) => {
      const seen: unknown[] = [];
      const check = { name: 'own', check: (context: { peerAddress: unknown }) => ({ ok: seen.push(context) > 0 }) };
      const { begin, postWebhook } = partner(t, { peerAddress: () => address as never, checks: [check] });
      const { webhookUrl } = await begin();
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'x'))).status, 202);
      await until('the check', () => seen.length === 1);
      assert.equal((seen[0] as { peerAddress: unknown }).peerAddress, undefined);
    });
  }
});

suite('a check', () => {
  const answers = [undefined, null, true, 'yes', {}, { ok: 'yes' }, { ok: 1 }, { ok: Promise.resolve(false) }];
  for (const answer of answers) {
    test(`that gives ${inspect(answer)} lets nothing pass, and nothing is lost`, async (t) => {
      let given: unknown = answer;
      const store = memoryStore();
      const { begin, bridge, clock, postWebhook, verdicts, facts, entries } = partner(t, {
        store,
        checks: [{ name: 'own', check: () => given as never }],
      });
      const { webhookUrl } = await begin();
      bridge.move('app_1', submitted);
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
      await clock.advance(10_000);
      assert.deepEqual([verdicts.length, facts.length, bridge.readings.length], [0, 0, 0]);
      assert.equal((await store.unsettledDeliveries('app_1')).length, 1);
      assert.ok(entries.some(({ event }) => event === 'webhook.waiting'));
      given = { ok: true };
      await clock.advance(60_000);
      await until('the verdict', () => verdicts[0]?.outcome === 'accepted');
      assert.equal(facts.length, 3);
    });
  }

  for (const [what, value] of Object.entries(thrown)) {
    test(`that throws ${what} is run again until it does not`, async (t) => {
      let isThrowing = true;
      const check = () => {
        if (isThrowing) throw value;
        return { ok: true };
      };
      const { begin, clock, postWebhook, verdicts } = partner(t, { checks: [{ name: 'own', check }] });
      const { webhookUrl } = await begin();
      await postWebhook(webhookUrl, webhook('evt_1', 'x'));
      await clock.advance(10_000);
      assert.equal(verdicts.length, 0);
      isThrowing = false;
      await clock.advance(60_000);
      await until('the verdict', () => verdicts[0]?.outcome === 'accepted');
    });
  }
});

suite('a listener', () => {
  for (const [way, make] of Object.entries(ways)) {
    for (const [what, value] of Object.entries(thrown)) {
      test(`that ${way} ${what} is asked eight times, and then the next one is told`, async (t) => {
        let calls = 0;
        const told: string[] = [];
        const failing = make(value);
        const { begin, bridge, clock, postWebhook } = partner(t, {
          on: {
            submitted: () => ((calls += 1), failing()),
            status: ({ state }) => told.push(state),
            webhook: failing,
          },
        });
        const { webhookUrl } = await begin();
        bridge.move('app_1', submitted);
        await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
        await clock.advance(10 * 60_000);
        assert.deepEqual([calls, told], [8, ['TX', 'CA']]);
      });
    }
  }

  test('of verdicts that hangs does not keep out the webhooks to come', async (t) => {
    let verdicts = 0;
    const { begin, clock, postWebhook } = partner(t, {
      isLeftOpen: true,
      on: { webhook: () => ((verdicts += 1), new Promise(() => undefined)) },
    });
    const { webhookUrl } = await begin();
    for (let number = 0; number < 40; number += 1) {
      assert.equal((await postWebhook(webhookUrl, webhook(`evt_${String(number)}`, 'x'))).status, 202);
      await clock.advance(1_000);
    }
    assert.equal(verdicts, 40);
  });
});
