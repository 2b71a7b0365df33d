import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createSignatureVerifier } from '../../../src/server/webhooks/webhook-proof.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { createApplication, submitApplication } from '../applications.js';
import { runCommand } from '../process.js';

const secretKey = Buffer.alloc(32, 5).toString('base64');
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_SECRET_KEY: secretKey } });
});
after(() => bridge.stop());

interface Delivery {
  headers: Record<string, string>;
  body: string;
}

/**
 * Submits an application of an agency in test mode. Resolves with its first webhook as raw bytes.
 */
async function deliver(token: string): Promise<Delivery> {
  let arrive: (delivery: Delivery) => void = () => undefined;
  const arrival = new Promise<Delivery>((resolve) => (arrive = resolve));
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      response.end();
      arrive({ headers: incoming.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`;
  await submitApplication(bridge, await createApplication(bridge, { webhookUrl: url, token }), '0004');
  const delivery = await arrival;
  server.closeAllConnections();
  server.close();
  return delivery;
}

test('The command prints a secret once, by which Standard Webhooks and our own helper accept a webhook.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const variables = { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey };
  const run = (...words: string[]) => runCommand(['agency', 'webhook-secret', ...words, '--json'], variables);
  const made = await run('--id', agencyId, '--mode', 'test');
  assert.equal(made.code, 0, made.err);
  const { secret } = JSON.parse(made.out) as { secret: string };
  const { headers, body } = await deliver(tokens.test);
  assert.match(secret, /^whsec_[A-Za-z\d+/]{43}=$/);
  assert.equal((new Webhook(secret).verify(body, headers) as { type: string }).type, 'application.submitted');
  const verify = createSignatureVerifier(secret);
  await verify(new Headers(headers), Uint8Array.from(Buffer.from(body)), Date.now());
  const rows = await bridge.context.db.selectFrom('webhook_secret').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(secret.slice(6)));
  assert.ok(!bridge.logged.join('').includes(secret.slice(6)));

  const off = await run('--id', agencyId, '--mode', 'test', '--off');
  assert.deepEqual(JSON.parse(off.out), { agencyId, mode: 'test', ended: true });
  assert.equal((await deliver(tokens.test)).headers['webhook-signature'], undefined);
  const unknown = await run('--id', 'agc_unknown');
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /There is no agency of this id/);
  assert.equal((await run('--id', agencyId, '--mode', 'both')).code, 2);
});
