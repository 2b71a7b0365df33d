import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ReceivedApplication, SessionOptions } from '../../../src/contract/index.js';
import { isUnfinished } from '../../../src/server/applications/record-changes.js';
import { createSessions, hasUsableLink } from '../../../src/server/applications/sessions.js';
import { memoryStore, type ApplicationRecord, type LicensingStore } from '../../../src/server/index.js';
import { createWebhookTokens } from '../../../src/server/webhooks/webhook-proof.js';
import { next, putAll, record } from '../store/record-suite.js';
import { submitted } from '../support/applications.js';
import { manualClock } from '../support/manual-clock.js';
import { partner, returnState, secret, webhook } from '../support/partner.js';
import { bridgeError, scriptedBridge } from '../support/scripted-bridge.js';

const wanted = { reason: 'open', returnState } as const;
const what: SessionOptions = {
  applicationType: 'new',
  licenseType: 'life',
  states: ['TX'],
  returnUrl: 'https://agency.example/done',
};
const session = { sessionId: 'ses_0', applicationUrl: 'https://apply.example/s/0', returnState };

/** The sessions of a handler, on a store that `change` may wrap. */
function setup(change: (store: LicensingStore) => Partial<LicensingStore> = () => ({}), maxUnfinished = 2) {
  const clock = manualClock();
  const bridge = scriptedBridge(() => clock.now());
  const memory = memoryStore();
  const store = { ...memory, ...change(memory) };
  const tokens = createWebhookTokens(secret);
  const webhookBase = 'https://agency.example/webhooks';
  return {
    bridge,
    clock,
    store,
    tokens,
    ...createSessions({ bridge, store, tokens, clock, webhookBase, maxUnfinished }),
  };
}

test('A link is used while it lasts more than a minute, and one that was reported as expired more than 330 seconds.', () => {
  const now = Date.UTC(2026, 10, 20);
  const isUsable = (reason: 'open' | 'resume' | 'expired', remainingMs?: number) => {
    const expiry = remainingMs === undefined ? {} : { expiresAt: new Date(now + remainingMs).toISOString() };
    return hasUsableLink(record(1, { session: { ...session, ...expiry } }), now, reason);
  };
  for (const reason of ['open', 'resume'] as const) {
    assert.deepEqual([isUsable(reason, 60_000), isUsable(reason, 60_001), isUsable(reason)], [false, true, true]);
  }
  assert.deepEqual([isUsable('expired', 330_000), isUsable('expired', 330_001)], [false, true]);
  assert.equal(isUsable('expired'), false, 'without an expiry, the element decides');
  assert.equal(hasUsableLink(record(1), now, 'open'), false, 'there is no session');
});

test('An application is unfinished with a session, unless it is submitted or superseded.', () => {
  assert.equal(isUnfinished(record(1, { session })), true);
  const application = { ...record(1).request, applicationId: 'app', sessionId: 'ses', userId: 'usr_1', ...submitted };
  for (const fields of [{}, { session, application }, { session, supersededBy: 'another' }]) {
    assert.equal(isUnfinished(record(1, fields)), false);
  }
});

suite('The creation of a session', () => {
  test('A request whose answer was lost is repeated as it was, also when the partner asks for something else by now.', async () => {
    const { bridge, create } = setup();
    const { create: createAtBridge } = bridge.sessions;
    bridge.sessions.create = async (...input) => {
      await createAtBridge(...input);
      throw bridgeError('unreachable', 'createSession');
    };
    const full = { ...what, paymentMethod: 'partner_billing' } as const;
    await assert.rejects(create('usr_1', wanted, full), { code: 'unreachable' });
    bridge.sessions.create = createAtBridge;
    const { applicationId } = await create('usr_1', wanted, { ...what, states: ['CA'] });
    assert.equal(applicationId, 'app_1');
    assert.deepEqual(bridge.requests[1], bridge.requests[0]);
    assert.equal(bridge.requests[0]?.paymentMethod, 'partner_billing');
  });

  test('A record that another instance wrote first is used.', async () => {
    const { bridge, create, store } = setup((memory) => ({
      async put(written) {
        // The other instance is faster by one write.
        if (written.version === 1) await memory.put({ ...written, request: { ...written.request, states: ['CA'] } });
        return memory.put(written);
      },
    }));
    const { id } = await create('usr_1', wanted, what);
    assert.deepEqual(bridge.requests[0]?.states, ['CA']);
    assert.deepEqual((await store.get(id))?.request.states, ['CA']);
  });

  for (const [kept, fields] of Object.entries({
    'with its session': { applicationId: 'app_0', session },
    'without a session': { applicationId: 'app_0' },
  })) {
    test(`A record that got another application meanwhile, ${kept}, keeps it.`, async () => {
      const { bridge, create, store } = setup();
      const { create: createAtBridge } = bridge.sessions;
      bridge.sessions.create = async (request, options) => {
        const found = await store.get(options?.idempotencyKey ?? '');
        if (found) await store.put(next(found, fields));
        return createAtBridge(request, options);
      };
      const created = create('usr_1', wanted, what);
      // Without a session, no link leads to the application of the record.
      if (kept === 'without a session') await assert.rejects(created, { name: 'ApplicationMismatchError' });
      else assert.deepEqual((await created).session, session);
      assert.equal((await store.listOpen(undefined, 1))[0]?.applicationId, 'app_0');
    });
  }

  test('A record whose session resumes the application of another record points to that one, and is asked for once.', async () => {
    const { bridge, create, store } = setup();
    const first = await create('usr_1', wanted, what);
    bridge.resumed = 'app_1';
    const again = { reason: 'open', returnState: 'z'.repeat(24) } as const;
    for (let repetition = 0; repetition < 2; repetition += 1) {
      const { id, session: renewed } = await create('usr_1', again, what);
      assert.deepEqual([id, renewed?.sessionId], [first.id, 'ses_2']);
    }
    assert.equal(bridge.requests.length, 2);
    assert.deepEqual(await store.listOpen(undefined, 10), [await store.get(first.id)]);
  });

  test('The same request after its link has expired is one more session, with a key that follows from the first.', async () => {
    const { bridge, clock, create } = setup();
    await create('usr_1', wanted, what);
    clock.leap(24 * 60 * 60_000);
    for (let repetition = 0; repetition < 2; repetition += 1) await create('usr_1', wanted, what);
    const { tokens } = setup();
    const keys = await Promise.all([returnState, `${returnState} ses_1`].map((seed) => tokens.recordId('usr_1', seed)));
    assert.deepEqual(
      bridge.requests.map(({ idempotencyKey }) => idempotencyKey),
      keys,
    );
  });

  test('Only unfinished applications with a link that works count, also behind forty newer ones that do not.', async () => {
    const { create, store } = setup();
    const application = { ...record(1).request, applicationId: 'app', sessionId: 'ses', userId: 'usr_1', ...submitted };
    const expired = { ...session, expiresAt: '2026-11-20T12:00:30.000Z' };
    await putAll(store, record(1, { session }), record(2), record(3, { session: expired }));
    await putAll(store, ...Array.from({ length: 38 }, (_, number) => record(10 + number, { session, application })));
    await create('usr_1', wanted, what);
    const another = { reason: 'open', returnState: 'z'.repeat(24) } as const;
    await assert.rejects(create('usr_1', another, what), { code: 'too_many_applications' });
    await create('usr_2', another, what);
  });
});

suite('A webhook of an application whose session was never saved finds it', () => {
  /** A user whose request failed after the bridge had created the application. */
  async function beginWithLostAnswer(t: Parameters<typeof partner>[0]) {
    const made = partner(t);
    const { create } = made.bridge.sessions;
    made.bridge.sessions.create = async (...input) => {
      await create(...input);
      throw bridgeError('unreachable', 'createSession');
    };
    assert.equal((await made.postSession()).status, 503);
    made.bridge.sessions.create = create;
    made.bridge.change('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
    return { ...made, webhookUrl: made.bridge.requests[0]?.webhookUrl ?? '' };
  }
  const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });

  test('Its event is delivered, its user can read it, and the same request again continues it.', async (t) => {
    for (const isReportedFirst of [false, true]) {
      const { postSession, postWebhook, request, events, bridge, webhookUrl } = await beginWithLostAnswer(t);
      bridge.resumed = 'app_1';
      if (isReportedFirst) {
        assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
        assert.equal(events[0]?.eventId, 'app_1.progress.1.identity');
        assert.equal((await request('/applications/app_1')).status, 200);
        assert.equal((await request('/applications/app_1', { user: 'usr_2' })).status, 404);
      }
      assert.equal(((await (await postSession()).json()) as { applicationId: string }).applicationId, 'app_1');
      assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
    }
  });

  test('A webhook that names no application, and an application of another user, are 503.', async (t) => {
    const { postWebhook, bridge, events, webhookUrl } = await beginWithLostAnswer(t);
    assert.equal((await postWebhook(webhookUrl, {})).status, 503);
    bridge.change('app_1', { userId: 'usr_2' });
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 503);
    assert.equal(events.length, 0);
  });
});

suite('The adoption of an application by a record without one', () => {
  const orphan = record(1);
  const found: ReceivedApplication = { applicationId: 'app_1', userId: 'usr_1', states: [] };
  const adopt = async (answer: ReceivedApplication, ...others: ApplicationRecord[]) => {
    const { bridge, store, adoptApplication } = setup();
    await putAll(store, orphan, ...others);
    bridge.applications.get = async () => answer;
    return { adopted: await adoptApplication(orphan, 'app_1'), kept: await store.get(orphan.id) };
  };

  test('The user in the answer of the bridge is the proof: without it or with another one, nothing is adopted.', async () => {
    const { userId: _, ...anonymous } = found;
    for (const answer of [anonymous, { ...found, userId: 'usr_2' }]) {
      assert.deepEqual(await adopt(answer), { adopted: undefined, kept: orphan });
    }
    await assert.rejects(adopt({ ...found, applicationId: 'app_2' }), { name: 'ApplicationMismatchError' });
  });

  test('The record gets the application, unless another record of the same user has it.', async () => {
    const { adopted, kept } = await adopt(found);
    assert.deepEqual([adopted, kept?.applicationId], [kept, 'app_1']);
    const owner = record(2, { applicationId: 'app_1' });
    const second = await adopt(found, owner);
    assert.deepEqual([second.adopted, second.kept?.supersededBy, second.kept?.isOpen], [owner, owner.id, false]);
    const stranger = record(2, { applicationId: 'app_1', userId: 'usr_2' });
    assert.deepEqual(await adopt(found, stranger), { adopted: undefined, kept: orphan });
  });
});
