import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PartnerSession } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, publicUrl, returnState, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

function sessionRequest(): Request {
  return new Request(`${publicUrl}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': 'usr_1' },
    body: JSON.stringify({ reason: 'open', returnState }),
  });
}

suite('The second argument of the handler', () => {
  test('`identify`, `session` and `peerAddress` receive the context of the request.', async (t) => {
    const context = { session: 'of your own' };
    const received: unknown[] = [];
    const { handler, bridge } = partner(t, {
      identify(_, given) {
        received.push('identify', given);
        return { userId: 'usr_1' };
      },
      session(_, user, given) {
        received.push(user.userId, given);
        return { applicationType: 'new', licenseType: 'life', states: ['TX'], returnUrl: 'https://agency.example' };
      },
      peerAddress(_, given) {
        received.push('peerAddress', given);
        return undefined;
      },
      verifyWebhook: () => true,
    });
    const { applicationId } = (await (await handler(sessionRequest(), context)).json()) as PartnerSession;
    assert.deepEqual(received, ['identify', context, 'usr_1', context]);
    for (const path of ['applications', `applications/${applicationId}`, `applications/${applicationId}/events`]) {
      received.length = 0;
      const answer = await handler(new Request(`${publicUrl}/${path}`), context);
      assert.equal(answer.status, 200);
      await answer.body?.cancel();
      assert.deepEqual(received, ['identify', context]);
    }
    received.length = 0;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await handler(new Request(bridge.requests[0]?.webhookUrl ?? '', init), context);
    assert.deepEqual(received, ['peerAddress', context]);
  });

  test('A page does not wait for listeners: they are handed to `waitUntil`, so that a serverless instance stays for them.', async (t) => {
    let finish = () => {};
    let calls = 0;
    const { begin, bridge, handler } = partner(t, {
      on: { submitted: () => ((calls += 1), new Promise<void>((resolve) => (finish = resolve))) },
    });
    await begin();
    bridge.change('app_1', submitted);
    const works: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => works.push(work) };
    const headers = { 'x-user': 'usr_1' };
    assert.equal((await handler(new Request(`${publicUrl}/applications/app_1`, { headers }), context)).status, 200);
    await until('the listener', () => calls === 1);
    let isDone = false;
    const done = Promise.all(works).then(() => (isDone = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isDone, false);
    finish();
    await done;
  });

  test('The work of a webhook whose listener takes too long continues in `waitUntil`, and none of it rejects.', async (t) => {
    let finish = () => {};
    let calls = 0;
    const { begin, bridge, clock, handler, postWebhook } = partner(t, {
      on: { submitted: () => ((calls += 1), new Promise<void>((resolve) => (finish = resolve))) },
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    const works: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => works.push(work) };
    const body = webhook('evt_1', 'application.submitted');
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = handler(new Request(webhookUrl, init), context);
    await until('the listener', () => calls === 1);
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await clock.advance(8_999);
    assert.equal(isAnswered, false);
    await clock.advance(1);
    assert.equal((await answer).status, 503);
    assert.notEqual(works.length, 0);
    finish();
    await Promise.all(works);
    assert.equal((await postWebhook(webhookUrl, body)).status, 204);
    assert.equal(calls, 1, 'it is not called twice');
  });
});
