import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { application, applicationBody, login, rejection, setup } from '../support/client.js';
import { failure, json, silence, type Behaviour } from '../support/hostile-bridge.js';
import { manualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';
import { assertNoSecrets } from './secrets.js';

/** Sends headers and a part of the body, and nothing more. */
const halfABody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"applicationId":');
};

type Setup = Awaited<ReturnType<typeof setup>>;

/**
 * The phase of a call when its caller aborts it: the setup of the phase, and the check that it is
 * reached.
 */
const phases: Record<string, [prepare: (made: Setup) => void, isThere: (made: Setup) => boolean]> = {
  'while it logs in': [
    ({ server }) => server.behave(login, silence),
    ({ server }) => server.requestsTo(login).length === 1,
  ],
  'before there is an answer': [
    ({ server }) => server.behave(application, silence),
    ({ server }) => server.requestsTo(application).length === 1,
  ],
  'in the middle of the answer': [
    ({ server }) => server.behave(application, halfABody),
    ({ server }) => server.requestsTo(application).length === 1,
  ],
  'between two attempts': [
    ({ server }) => server.behave(application, failure(503, { 'retry-after': '5' })),
    ({ entries }) => entries.some(({ event }) => event === 'bridge.retry'),
  ],
  'while it logs in again': [
    ({ server }) => {
      server.behave(application, failure(401));
      server.behave(login, json(200, { accessToken: 'token-1' }), silence);
    },
    ({ server }) => server.requestsTo(login).length === 2,
  ],
};

suite('a call that its caller aborts', () => {
  for (const [phase, [prepare, isThere]] of Object.entries(phases)) {
    test(`A call that is aborted ${phase} ends at once, leaves nothing behind and does not affect the next call.`, async (t) => {
      const clock = manualClock();
      const made = await setup(t, { clock });
      const { server, client, entries } = made;
      prepare(made);
      const controller = new AbortController();
      const ended = rejection(client.applications.get('app_1', { signal: controller.signal }));
      await until('the phase', () => isThere(made));
      const sent = server.requestsTo(application).length;
      controller.abort(new Error('A reason with token-1 in it.'));
      const error = await ended;
      assert.deepEqual([error.code, error.retryable], ['aborted', false]);
      assertNoSecrets(error, entries);
      assert.equal(server.requestsTo(application).length, sent);
      // All waiting calls share the login, so only its own deadline ends it.
      await clock.advance(10_000);
      assert.equal(clock.timers, 0);

      server.behave(login, json(200, { accessToken: 'token-2' }));
      server.behave(application, json(200, applicationBody));
      assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
    });
  }

  test('A call that its signal aborts does not abort others that wait for the same login.', async (t) => {
    const { server, client } = await setup(t);
    let answerLogin = () => {};
    server.behave(login, (response, request) => {
      answerLogin = () => json(200, { accessToken: 'late' })(response, request);
    });
    server.behave(application, json(200, applicationBody));
    const controller = new AbortController();
    const ended = rejection(client.applications.get('app_1', { signal: controller.signal }));
    const other = client.applications.get('app_1');
    await until('the login', () => server.seen.length === 1);
    controller.abort();
    assert.equal((await ended).code, 'aborted');
    answerLogin();
    assert.equal((await other).applicationId, 'app_1');
  });
});
