import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { PartnerSession } from '../../../src/server/index.js';
import { partner, returnState, webhook } from '../support/partner.js';

const hourMs = 60 * 60_000;
const nextState = 'z'.repeat(24);

/**
 * A user at work, a few minutes before the session ends, at a bridge that resumes their
 * application.
 */
async function setup(t: TestContext) {
  const { postSession, ...rest } = partner(t);
  const { session, webhookUrl } = await rest.begin();
  rest.bridge.change('app_1', { progress: { step: 'background', index: 3, count: 6 } });
  rest.clock.leap(24 * hourMs - 5 * 60_000);
  rest.bridge.resumed = 'app_1';
  const renew = async (body: object = {}, user = 'usr_1') => {
    const wanted = { reason: 'expired', applicationId: 'app_1', returnState: nextState, ...body };
    const answer = await postSession(wanted, { user });
    assert.equal(answer.status, 200);
    return (await answer.json()) as PartnerSession;
  };
  return { ...rest, session, webhookUrl, renew };
}

suite('A session that expires while the user is at work', () => {
  test('An expired session is followed by another link of the same application.', async (t) => {
    const { session, renew, bridge, clock } = await setup(t);
    const renewed = await renew();
    assert.equal(renewed.applicationId, session.applicationId);
    assert.equal(renewed.applicationUrl, 'https://apply.example/s/capability-of-ses_2');
    assert.equal(renewed.expiresAt, new Date(clock.now() + 24 * hourMs).toISOString());
    assert.equal(renewed.returnState, nextState);
    assert.match(bridge.requests[1]?.returnUrl ?? '', new RegExp(`state=${nextState}$`));
  });

  test('Several tabs renew a session once, and another device finds it.', async (t) => {
    const { renew, bridge } = await setup(t);
    const renewed = await renew();
    for (const body of [{ returnState }, { returnState, reason: 'resume', applicationId: undefined }]) {
      const { progress: _, ...again } = await renew(body);
      const { progress: __, ...before } = renewed;
      assert.deepEqual(again, before, 'with the returnState that the link carries');
    }
    assert.equal(bridge.requests.length, 2);
  });

  test('Webhooks to the URL of the earlier session and to that of the new one are handled.', async (t) => {
    const { webhookUrl, renew, bridge, postWebhook, events, request } = await setup(t);
    await renew();
    const urls = [webhookUrl, bridge.requests[1]?.webhookUrl ?? ''];
    assert.notEqual(urls[0], urls[1]);
    for (const [index, step] of ['payment', 'review'].entries()) {
      const sessionId = `ses_${String(index + 1)}`;
      bridge.change('app_1', { progress: { step, index: 5 + index, count: 6 } });
      const body = webhook(`evt_${String(index)}`, 'application.progress_updated', { sessionId });
      assert.equal((await postWebhook(urls[index] ?? '', body)).status, 204);
      assert.equal(events.length, index + 1);
    }
    assert.equal(events[1]?.sessionId, 'ses_2');
    const application = (await (await request('/applications/app_1')).json()) as { sessionId: string };
    assert.equal(application.sessionId, 'ses_2');
  });

  test('The application of another user is not renewed.', async (t) => {
    const { renew, bridge } = await setup(t);
    bridge.resumed = undefined;
    assert.equal((await renew({}, 'usr_2')).applicationId, 'app_2');
  });

  test('An application that the bridge no longer has does not keep its user from applying.', async (t) => {
    for (const wasRead of [false, true]) {
      const { begin, bridge, postSession, request } = partner(t);
      await begin();
      if (wasRead) assert.equal((await request('/applications/app_1')).status, 200);
      const { get } = bridge.applications;
      bridge.applications.get = (id) => get(id === 'app_1' ? 'gone' : id);
      for (const [number, body] of [{ reason: 'resume', applicationId: 'app_1' }, { reason: 'open' }].entries()) {
        const answer = await postSession({ ...body, returnState: String(number).padStart(24, 'x') });
        assert.equal(answer.status, 200);
        assert.notEqual(((await answer.json()) as PartnerSession).applicationId, 'app_1');
      }
    }
  });
});
