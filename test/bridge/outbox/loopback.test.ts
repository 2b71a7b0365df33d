import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Mode } from '../../../src/contract/index.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver } from '../receiver.js';
import { until } from '../until.js';

let [production, development]: TestBridge[] = [];
before(async () => {
  // As in production, without the variable.
  production = await startBridge({ environment: { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: '' } });
  development = await startBridge({ environment: { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true' } });
});
after(async () => {
  await production?.stop();
  await development?.stop();
});

const request = {
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX'],
  returnUrl: 'https://partner.example/done',
  paymentMethod: 'partner_billing',
};

/** Sends a URL to both operations that accept one. Resolves with their responses. */
async function register(bridge: TestBridge | undefined, webhookUrl: string, mode: Mode) {
  assert.ok(bridge);
  const token = bridge.tokens[mode];
  return [
    await bridge.call('PATCH', '/v1/account', { token, body: { webhookUrl } }),
    await bridge.call('POST', '/v1/applications/sessions', { token, body: { ...request, webhookUrl } }),
  ];
}

const loopback = [
  'https://127.0.0.1/hooks',
  'https://127.0.0.1:8443/hooks',
  'https://localhost/hooks',
  'https://app.localhost/hooks',
  'https://LOCALHOST./hooks',
  'https://[::1]/hooks',
  'https://[::ffff:127.0.0.1]/hooks',
  'https://2130706433/hooks',
  'https://0x7f.1/hooks',
];
const internal = [
  'https://10.0.0.1/hooks',
  'https://169.254.169.254/latest/meta-data',
  'https://192.168.1.1/hooks',
  'https://172.16.0.1/hooks',
  'https://[fd12::1]/hooks',
  'https://[fe80::1]/hooks',
  'https://0.0.0.0/hooks',
];

for (const url of [...loopback, ...internal]) {
  test(`${url} is refused as a webhook URL in production: 400 in both modes, in operations 2 and 18.`, async () => {
    for (const mode of ['live', 'test'] as const) {
      for (const { status, body } of await register(production, url, mode)) {
        assert.equal(status, 400);
        assert.equal(body.code, 40001);
        assert.match(body.details, /^webhookUrl: expected a public address; .*BRIDGE_ALLOW_LOOPBACK_WEBHOOKS/);
      }
    }
  });
}

for (const url of loopback) {
  test(`${url} is accepted in test mode where loopback is allowed, and refused in live mode.`, async () => {
    for (const { status } of await register(development, url, 'test')) assert.equal(status, 200);
    for (const { status } of await register(development, url, 'live')) assert.equal(status, 400);
  });
}

for (const url of internal) {
  test(`${url} is refused in both modes, even where loopback is allowed.`, async () => {
    for (const mode of ['live', 'test'] as const) {
      for (const { status } of await register(development, url, mode)) assert.equal(status, 400);
    }
  });
}

test('A public host name or IP address is accepted in both modes.', async () => {
  for (const url of ['https://hooks.example/a', 'https://8.8.8.8/a', 'https://[2606:4700::6810:84e5]/a']) {
    for (const mode of ['live', 'test'] as const) {
      for (const { status } of await register(production, url, mode)) assert.equal(status, 200);
    }
  }
});

for (const [mode, name] of [
  ['test', 'production'],
  ['live', 'production'],
  ['live', 'development'],
] as const) {
  test(`A host that resolves to this machine receives no webhook of ${mode} mode in ${name}.`, async () => {
    const bridge = name === 'production' ? production : development;
    assert.ok(bridge);
    const receiver = await startReceiver();
    const id = await createApplication(bridge, {
      token: bridge.tokens[mode],
      webhookUrl: 'https://hooks.example/a',
      paymentMethod: 'partner_billing',
    });
    // Like a URL that was stored earlier, or a name that resolves to loopback.
    const set = { webhook_url: receiver.url };
    await bridge.context.db.updateTable('application').set(set).where('id', '=', id).execute();
    await changeApplication(bridge, id, (trx, application) =>
      enqueueEvent(trx, application, 'application.session_started', {}, new Date()),
    );
    const [attempt] = await until(
      () =>
        bridge.context.db
          .selectFrom('webhook_attempt')
          .innerJoin('webhook_event', 'webhook_event.id', 'webhook_attempt.event_id')
          .select('error')
          .where('application_id', '=', id)
          .execute(),
      (attempts) => attempts.length > 0,
    );
    assert.equal(attempt?.error, 'address_refused');
    assert.deepEqual(receiver.received, []);
    await receiver.close();
  });
}
