import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { approved, submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { bridgeError } from '../support/scripted-bridge.js';

const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });
const wasSubmitted = webhook('evt_2', 'application.submitted');
const atIdentity = { progress: { step: 'identity', index: 2, count: 6 } };
const requiresAction = {
  state: 'CA',
  status: 'requires_action',
  updatedAt: '2026-11-20T12:01:00.000Z',
  actionUrl: 'https://apply.example/a/1',
  reason: 'Send your fingerprints.',
};

suite('A webhook is acknowledged once it is handled', () => {
  test('Listeners receive a whole application in order: submitted, action required, pending, decided.', async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    const [texas, california] = submitted.states as [object, object];
    const again = { ...requiresAction, updatedAt: '2026-11-20T12:03:00.000Z' };
    const chapters = [
      [texas, california],
      [texas, requiresAction],
      [texas, { ...california, updatedAt: '2026-11-20T12:02:00.000Z' }],
      [texas, again],
      [{ ...texas, status: 'approved', updatedAt: '2026-11-20T12:04:00.000Z' }, again],
    ];
    for (const [number, states] of chapters.entries()) {
      bridge.change('app_1', { ...submitted, states: states as typeof submitted.states });
      const answer = await postWebhook(webhookUrl, webhook(`evt_${number}`, 'application.status_changed'));
      assert.equal(answer.status, 204);
    }
    assert.deepEqual(
      events.map(({ eventId }) => eventId.replace(/-[\w-]{12}$/, '-hash')),
      [
        'app_1.submitted.1.submitted',
        'app_1.status:TX.1.pending_review',
        'app_1.status:CA.1.pending_review',
        'app_1.status:CA.2.requires_action',
        'app_1.requiresAction:CA.1.2-hash',
        'app_1.status:CA.3.pending_review',
        'app_1.status:CA.4.requires_action',
        'app_1.requiresAction:CA.2.4-hash',
        'app_1.status:TX.2.approved',
      ],
    );
    assert.equal(JSON.stringify(events.map(({ eventId }) => eventId)).includes('apply.example'), false);
    assert.equal((events[0] as { submittedAt?: string }).submittedAt, submitted.submittedAt);
  });

  test('A webhook about a decided application is acknowledged without asking the bridge.', async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    bridge.change('app_1', approved);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    bridge.fail('unreachable');
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(events.length, 3);
  });

  test('A corrected decision reaches the listeners and the page, and so does the right one.', async (t) => {
    const { begin, bridge, postWebhook, events, request } = partner(t);
    const { webhookUrl } = await begin();
    const [texas, california] = approved.states as [object, object];
    const chapters = [
      [texas, california],
      [{ ...texas, status: 'pending_review', updatedAt: '2026-11-20T14:00:00.000Z' }, california],
      [{ ...texas, status: 'denied', updatedAt: '2026-11-20T15:00:00.000Z' }, california],
    ] as const;
    for (const [number, states] of chapters.entries()) {
      bridge.change('app_1', { ...approved, states: states as unknown as typeof approved.states });
      const createdAt = `2026-11-20T${13 + number}:00:00.000Z`;
      const body = { ...webhook(`evt_${number}`, 'application.status_changed'), createdAt };
      assert.equal((await postWebhook(webhookUrl, body)).status, 204);
    }
    assert.deepEqual(
      events.map(({ eventId }) => eventId),
      [
        'app_1.submitted.1.submitted',
        'app_1.status:TX.1.approved',
        'app_1.status:CA.1.approved',
        'app_1.status:TX.2.pending_review',
        'app_1.status:TX.3.denied',
      ],
    );
    // The webhook about the next correction is lost.
    const again = { ...texas, updatedAt: '2026-11-20T16:00:00.000Z' };
    bridge.change('app_1', { ...approved, states: [again, california] as typeof approved.states });
    const shown = (await (await request('/applications/app_1')).json()) as typeof approved;
    assert.equal(shown.states[0]?.updatedAt, again.updatedAt);
    // Its own webhooks may arrive late: the newest status stays.
    const claims = { states: [{ state: 'TX', status: 'pending_review' }] };
    const late = { ...webhook('evt_1', 'application.status_changed', claims), createdAt: '2026-11-20T14:00:00.000Z' };
    assert.equal((await postWebhook(webhookUrl, late)).status, 204);
    assert.equal(events.at(-1)?.eventId, 'app_1.status:TX.4.approved');
  });

  test("The body of a webhook is not trusted: listeners receive the bridge's data.", async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    bridge.change('app_1', atIdentity);
    for (const body of [{ hello: 'world' }, 17, [], 'null', webhook('evt', 'something.new', { states: 'TX' })]) {
      assert.equal((await postWebhook(webhookUrl, body)).status, 204, JSON.stringify(body));
    }
    const event = { type: 'progress', eventId: 'app_1.progress.1.identity', applicationId: 'app_1' };
    assert.deepEqual(events, [{ ...event, sessionId: 'ses_1', userId: 'usr_1', ...atIdentity }]);
  });
});

suite('A webhook that cannot be handled is 503, and the next one delivers its change', () => {
  test('A bridge that fails loses no event.', async (t) => {
    const { begin, bridge, postWebhook, events } = partner(t);
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    for (const code of ['not_found', 'unreachable', 'unavailable', 'timeout', 'rate_limited', 'unreadable'] as const) {
      bridge.fail(code);
      assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 503, code);
    }
    bridge.fail(undefined);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(events.length, 3);
  });

  test('The answer to a webhook asks the sender to wait as long as the bridge asks for, in whole seconds, else five.', async (t) => {
    const { begin, bridge, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    for (const [retryAfterMs, expected] of [
      [1_500, '2'],
      [60_000, '60'],
      [undefined, '5'],
    ] as const) {
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
      const failure = Object.assign(bridgeError('rate_limited', 'getApplication'), wait);
      bridge.applications.get = () => Promise.reject(failure);
      assert.equal((await postWebhook(webhookUrl, progressed)).headers.get('retry-after'), expected);
    }
  });
});
