import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { partner, returnState, webhook } from '../support/partner.js';
import { bridgeError } from '../support/scripted-bridge.js';

const progressed = webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 });
const atIdentity = { progress: { step: 'identity', index: 2, count: 6 } };

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
    made.bridge.change('app_1', atIdentity);
    return { ...made, webhookUrl: made.bridge.requests[0]?.webhookUrl ?? '' };
  }

  test('Its event is delivered and its user can read it.', async (t) => {
    const { postWebhook, request, events, webhookUrl } = await beginWithLostAnswer(t);
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
    assert.equal(events[0]?.eventId, 'app_1.progress.1.identity');
    assert.equal((await request('/applications/app_1')).status, 200);
    assert.equal((await request('/applications/app_1', { user: 'usr_2' })).status, 404);
  });

  test('The same request again continues that application.', async (t) => {
    for (const isReportedFirst of [false, true]) {
      const { postSession, postWebhook, bridge, webhookUrl } = await beginWithLostAnswer(t);
      bridge.resumed = 'app_1';
      if (isReportedFirst) await postWebhook(webhookUrl, progressed);
      const answer = (await (await postSession({ reason: 'open', returnState })).json()) as { applicationId: string };
      assert.equal(answer.applicationId, 'app_1');
      assert.equal((await postWebhook(webhookUrl, progressed)).status, 204);
    }
  });

  test('An application of another user is not taken for it.', async (t) => {
    const { postWebhook, bridge, events, webhookUrl } = await beginWithLostAnswer(t);
    bridge.change('app_1', { userId: 'usr_2' });
    assert.equal((await postWebhook(webhookUrl, progressed)).status, 503);
    assert.equal(events.length, 0);
  });
});
