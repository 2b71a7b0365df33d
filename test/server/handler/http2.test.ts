import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { toNodeListener } from '../../../src/server/node.js';
import { partner, returnState, webhook } from '../support/partner.js';

/** A backend behind `node:http2`, and one browser's connection to it. */
async function setup(t: TestContext) {
  const { handler, begin } = partner(t);
  const listener = toNodeListener(handler);
  const server = createServer((request, response) => {
    // Fastify passes the same objects when it serves HTTP/2.
    listener(request as never, response as never);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  t.after(() => {
    session.destroy();
    server.close();
  });
  async function send(path: string, headers: OutgoingHttpHeaders, body?: unknown) {
    const stream = session.request({ ':path': path, 'x-user': 'usr_1', ...headers });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return { status: head[':status'], text };
  }
  return { send, begin };
}

const posted = { ':method': 'POST', 'content-type': 'application/json' };

test('Over HTTP/2, users and webhooks are answered as over HTTP/1.', async (t) => {
  const { send, begin } = await setup(t);
  assert.deepEqual(await send('/licensing/applications', {}), { status: 200, text: '{"applications":[]}' });
  const created = await send('/licensing/sessions', posted, { reason: 'open', returnState });
  assert.equal(created.status, 200);
  assert.match(created.text, /"applicationId":"app_1"/);
  const { webhookUrl } = await begin();
  const { pathname } = new URL(webhookUrl);
  assert.equal((await send(pathname, posted, webhook('evt_1', 'application.session_started'))).status, 204);
});
