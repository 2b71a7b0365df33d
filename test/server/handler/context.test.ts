import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PartnerSession, RefusalBody } from '../../../src/server/index.js';
import { partner, publicUrl, returnState } from '../support/partner.js';

function sessionRequest(): Request {
  return new Request(`${publicUrl}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': 'usr_1' },
    body: JSON.stringify({ reason: 'open', returnState }),
  });
}

suite('what a runtime hands over beside a request', () => {
  test('reaches `identify`', async (t) => {
    const contexts: unknown[] = [];
    const { handler } = partner(t, {
      identify: (_request, context) => {
        contexts.push(context);
        return { userId: 'usr_1' };
      },
    });
    const context = { session: 'of your own' };
    const session = (await (await handler(sessionRequest(), context)).json()) as PartnerSession;
    for (const path of ['applications', `applications/${session.applicationId}`]) {
      assert.equal((await handler(new Request(`${publicUrl}/${path}`), context)).status, 200);
    }
    const events = await handler(new Request(`${publicUrl}/applications/app_1/events`), context);
    await events.body?.cancel();
    assert.deepEqual(contexts, [context, context, context, context]);
  });

  test('keeps a Worker alive until the answer is there: others may wait for the same login', async (t) => {
    const { handler, bridge } = partner(t);
    await handler(sessionRequest());
    const release = bridge.hold();
    const works: Promise<unknown>[] = [];
    const asked = new Request(`${publicUrl}/applications/app_1`, { headers: { 'x-user': 'usr_1' } });
    const answering = handler(asked, { waitUntil: (work: Promise<unknown>) => works.push(work) });
    const kept = Promise.all(works).then(() => 'kept');
    assert.equal(await Promise.race([kept, new Promise((resolve) => setImmediate(resolve, 'held'))]), 'held');
    release();
    assert.equal((await answering).status, 200);
    assert.equal(await kept, 'kept');
  });

  test('is told of no refusal as of a failure of its own', async (t) => {
    const { handler } = partner(t);
    const works: Promise<unknown>[] = [];
    const answer = await handler(new Request(`${publicUrl}/applications/app_9`), {
      waitUntil: (work: Promise<unknown>) => works.push(work),
    });
    assert.equal(answer.status, 401);
    await Promise.all(works);
    assert.notEqual(works.length, 0);
  });
});

test('a body that somebody read before is named as such', async (t) => {
  const { handler } = partner(t);
  const request = sessionRequest();
  await request.json();
  const answer = await handler(request);
  assert.equal(answer.status, 500);
  assert.equal(((await answer.json()) as RefusalBody).code, 'body_already_read');
});
