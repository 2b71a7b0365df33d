import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Mode } from '../../../src/contract/index.js';
import { assertWebhookUrl, isAllowedAddress } from '../../../src/bridge/domain/values/partner-urls.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

const publicAddresses = ['8.8.8.8', '93.184.216.34', '2606:4700::6810:84e5', '64:ff9b::808:808'];
const loopback = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'];
// prettier-ignore
const internal = [
  '0.0.0.0', '10.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1', '192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1',
  '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0',
  'ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::a00:1', '100::1',
  '::7f00:1', '::127.0.0.1', '::808:808', '::ffff:0:7f00:1', '64:ff9b:1::808:808', '4000::1', '5f00::1', 'fec0::1', '2002:808:808::1',
];
const nonsense = ['', 'localhost', '1.2.3', '0x7f000001x', '999.1.1.1', ':::'];

for (const [title, addresses, isAllowed, isAllowedWithLoopback] of [
  ['Public addresses receive webhooks', publicAddresses, true, true],
  ['Loopback addresses receive webhooks only where that is allowed', loopback, false, true],
  ['Internal addresses receive no webhooks, even where loopback is allowed', internal, false, false],
  ['Texts that are no addresses receive no webhooks', nonsense, false, false],
] as const) {
  test(`${title}.`, () => {
    for (const address of addresses) {
      assert.equal(isAllowedAddress(address, false), isAllowed, address);
      assert.equal(isAllowedAddress(address, true), isAllowedWithLoopback, address);
    }
  });
}

const hosts = {
  loopback: [
    ...['127.0.0.1', '127.0.0.1:8443', 'localhost', 'app.localhost', 'LOCALHOST.', '[::1]', '[::ffff:127.0.0.1]'],
    ...['2130706433', '0x7f.1'],
  ],
  internal: [
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '172.16.0.1',
    '[fd12::1]',
    '[fe80::1]',
    '0.0.0.0',
    '[::127.0.0.1]',
  ],
  public: ['hooks.example', 'localhost.example', 'mylocalhost', '8.8.8.8', '[2606:4700::6810:84e5]'],
};
for (const [kind, mode, isLoopbackAllowed, isAllowed] of [
  ['loopback', 'test', true, true],
  ['loopback', 'test', false, false],
  ['loopback', 'live', true, false],
  ['internal', 'test', true, false],
  ['internal', 'live', false, false],
  ['public', 'test', false, true],
  ['public', 'live', false, true],
] as const) {
  test(`A webhook URL with a ${kind} host is ${isAllowed ? 'accepted' : 'refused'} in ${mode} mode ${isLoopbackAllowed ? 'with' : 'without'} loopback allowed.`, () => {
    for (const host of hosts[kind]) {
      const check = () => assertWebhookUrl(`https://${host}/hooks`, mode, isLoopbackAllowed);
      if (isAllowed) assert.doesNotThrow(check, host);
      else assert.throws(check, { failure: 'invalid_request' }, host);
    }
  });
}

let bridge: TestBridge;
before(async () => {
  // As in production, without the variable.
  bridge = await startBridge({ environment: { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: '' } });
});
after(() => bridge.stop());

test('In production, updateAccount and createSession (operations 2 and 18) refuse loopback in both modes, and say why.', async () => {
  const webhookUrl = 'https://127.0.0.1/hooks';
  const session = {
    ...{ userId: 'usr_abc123', applicationType: 'new', licenseType: 'life_health', states: ['TX'], webhookUrl },
    ...{ returnUrl: 'https://partner.example/done', paymentMethod: 'partner_billing' },
  };
  for (const token of (['live', 'test'] satisfies Mode[]).map((mode) => bridge.tokens[mode])) {
    for (const { status, body } of [
      await bridge.call('PATCH', '/v1/account', { token, body: { webhookUrl } }),
      await bridge.call('POST', '/v1/applications/sessions', { token, body: session }),
    ]) {
      assert.deepEqual([status, body.code], [400, 40001]);
      assert.match(body.details, /^webhookUrl: expected a public address; .*BRIDGE_ALLOW_LOOPBACK_WEBHOOKS/);
    }
  }
});
