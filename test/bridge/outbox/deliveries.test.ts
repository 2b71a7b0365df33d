import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { runCli } from '../../../src/bridge/cli/run.js';
import { enqueueEvent } from '../../../src/bridge/domain/webhooks/events.js';
import { createSignatureVerifier } from '../../../src/server/webhooks/webhook-proof.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication, submitApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';

const secretKey = Buffer.alloc(32, 5).toString('base64');
let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  const environment = { BRIDGE_WEBHOOK_RETRY_SCALE: '0.000001', BRIDGE_SECRET_KEY: secretKey };
  bridge = await startBridge({ environment });
});
after(() => bridge.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/**
 * Emits `count` events of an application, each in a separate transaction, with their index in
 * `step`.
 */
async function emit(id: string, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await changeApplication(bridge, id, (trx, application) =>
      enqueueEvent(trx, application, 'application.progress_updated', { step: 'profile', index, count: 6 }, new Date()),
    );
  }
}
const indices = () => receiver.received.map(({ event }) => (event.data as { index?: number }).index);

test('An event arrives once, with its documented body and headers.', async () => {
  const userId = 'usr_as_settled';
  const id = await createApplication(bridge, { userId, webhookUrl: `${receiver.url}?a=b` });
  await emit(id, 1);
  await receiver.arrival(1);
  const [{ path, headers, event }] = receiver.received as [Receiver['received'][0]];
  assert.equal(path, '/hook?a=b');
  assert.deepEqual(Object.keys(event), ['id', 'type', 'createdAt', 'data']);
  assert.match(event.id, /^evt_/);
  assert.equal(event.type, 'application.progress_updated');
  assert.match(event.createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { sessionId } = (await bridge.call('GET', `/v1/applications/${id}`)).body;
  assert.deepEqual(event.data, {
    applicationId: id,
    sessionId,
    userId,
    step: 'profile',
    index: 1,
    count: 6,
  });
  assert.equal(headers['webhook-id'], event.id);
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000) < 5);
  assert.equal(headers['content-type'], 'application/json');
});

test('Events of one application arrive in order, one at a time, a retried one before the next.', async () => {
  let open = 0;
  let most = 0;
  const slow =
    (status: number): Receiver['answers'][0] =>
    (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(status).end();
      }, 10);
    };
  receiver.answers.push(slow(200), slow(503), slow(500), slow(200));
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await emit(id, 4);
  await receiver.arrival(6);
  assert.deepEqual(indices(), [1, 2, 2, 2, 3, 4]);
  assert.equal(most, 1);
  const ids = receiver.received.slice(1, 4).map(({ event }) => event.id);
  assert.equal(new Set(ids).size, 1);
});

test('The command prints a secret once, by which Standard Webhooks and our own helper accept a webhook.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  async function run(...words: string[]) {
    let [out, err] = ['', ''];
    const variables = { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await runCli(['agency', 'webhook-secret', ...words, '--json'], variables, output);
    return { code, out, err };
  }
  async function deliver() {
    const before = receiver.received.length;
    const id = await createApplication(bridge, { webhookUrl: receiver.url, token: tokens.test });
    await submitApplication(bridge, id, '0004');
    await receiver.arrival(before + 1);
    const { headers, event } = receiver.received[before] ?? assert.fail();
    return { headers: headers as Record<string, string>, body: JSON.stringify(event) };
  }
  const made = await run('--id', agencyId, '--mode', 'test');
  assert.equal(made.code, 0, made.err);
  const { secret } = JSON.parse(made.out) as { secret: string };
  const { headers, body } = await deliver();
  assert.match(secret, /^whsec_[A-Za-z\d+/]{43}=$/);
  assert.equal((new Webhook(secret).verify(body, headers) as { type: string }).type, 'application.submitted');
  const verify = createSignatureVerifier(secret);
  await verify(new Headers(headers), Uint8Array.from(Buffer.from(body)), Date.now());
  const rows = await bridge.context.db.selectFrom('webhookSecret').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(secret.slice(6)));
  assert.ok(!bridge.logged.join('').includes(secret.slice(6)));

  const off = await run('--id', agencyId, '--mode', 'test', '--off');
  assert.deepEqual(JSON.parse(off.out), { agencyId, mode: 'test', ended: true });
  assert.equal((await deliver()).headers['webhook-signature'], undefined);
  const unknown = await run('--id', 'agc_unknown');
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /There is no agency of this id/);
  assert.equal((await run('--id', agencyId, '--mode', 'both')).code, 2);
});

test('Of a webhook, only its id and type are logged.', () => {
  const lines = bridge.logged.filter((line) => line.includes('webhook'));
  assert.ok(lines.length > 0);
  assert.doesNotMatch(lines.join(''), /usr_abc123|127\.0\.0\.1|hook\?/);
});
