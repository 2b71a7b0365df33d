import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allowAddresses, confirmWithBridge, type AllowAddressesOptions } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { listen } from '../support/listen.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const documentation = ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'];

function isAllowed(ranges: readonly string[], options: AllowAddressesOptions, peer?: string, forwarded?: string) {
  const context = {
    application: { applicationId: 'app_1', sessionId: 'ses_1', userId: 'usr_1' },
    delivery: { id: '1', type: 'x', receivedAt: '', claims: {} as never, body: {} },
    headers: new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    peerAddress: peer,
    readApplication: () => assert.fail(),
  };
  const result = allowAddresses(ranges, options).check(context);
  assert.ok(!(result instanceof Promise));
  return result.ok;
}

suite('allowAddresses', () => {
  const peers: [peer: string | undefined, allowed: boolean][] = [
    ['192.0.2.0', true],
    ['192.0.2.255', true],
    ['192.0.3.0', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['::ffff:192.0.2.9', true],
    ['::FFFF:c000:0209', true],
    ['::192.0.2.9', false],
    ['2001:db8::1', true],
    ['2001:0DB8:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['2001:db9::1', false],
    ['2001:db8::1%eth0', true],
    ['192.0.2.9:51234', true],
    ['[2001:db8::1]:51234', true],
    ['192.0.2.09', false],
    ['0300.0.2.9', false],
    ['3221226009', false],
    ['192.0.2', false],
    ['192.0.2.9.1', false],
    ['192.0.2.256', false],
    ['2001:db8', false],
    ['2001:db8:::1', false],
    ['2001:db8::1::2', false],
    ['1:2:3:4:5:6:7:8:9', false],
    ['', false],
    [undefined, false],
  ];
  for (const [peer, allowed] of peers) {
    test(`${allowed ? 'lets pass' : 'refuses'} ${peer ?? 'nobody knows whom'}`, () => {
      assert.equal(isAllowed(documentation, {}, peer), allowed);
    });
  }

  test('knows the whole of either kind, and what stands for the other', () => {
    assert.equal(isAllowed(['0.0.0.0/0'], {}, '203.0.113.1'), true);
    assert.equal(isAllowed(['0.0.0.0/0'], {}, '2001:db8::1'), false);
    assert.equal(isAllowed(['::/0'], {}, '2001:db8::1'), true);
    assert.equal(isAllowed(['2000::/3'], {}, '203.0.113.1'), false);
    assert.equal(isAllowed(['::/0'], {}, '203.0.113.1'), true);
    assert.equal(isAllowed(['::ffff:192.0.2.0/120'], {}, '192.0.2.7'), true);
  });

  const chains: [what: string, options: AllowAddressesOptions, peer: string, forwarded: string, allowed: boolean][] = [
    ['no proxy: the header is not read', {}, '203.0.113.1', '192.0.2.9', false],
    ['one proxy', { trustedProxies: 1 }, '10.0.0.1', '192.0.2.9', true],
    [
      'one proxy, and a caller who writes the header too',
      { trustedProxies: 1 },
      '10.0.0.1',
      '192.0.2.9, 203.0.113.1',
      false,
    ],
    ['two proxies', { trustedProxies: 2 }, '10.0.0.1', '192.0.2.9, 10.0.0.2', true],
    ['two proxies, of which one was gone around', { trustedProxies: 2 }, '10.0.0.1', '192.0.2.9', false],
    ['no header at all', { trustedProxies: 1 }, '192.0.2.9', '', false],
    ['proxies by address', { trustedProxies: ['10.0.0.0/8'] }, '10.0.0.1', '192.0.2.9, 10.0.0.2', true],
    ['proxies by address, gone around', { trustedProxies: ['10.0.0.0/8'] }, '203.0.113.1', '192.0.2.9', false],
    ['proxies by address, spoofed', { trustedProxies: ['10.0.0.0/8'] }, '10.0.0.1', '192.0.2.9, 203.0.113.1', false],
    ['proxies by address, and nobody else', { trustedProxies: ['10.0.0.0/8'] }, '10.0.0.1', '10.0.0.2', false],
    [
      'proxies by address, of which one names nobody',
      { trustedProxies: ['10.0.0.0/8'] },
      '10.0.0.1',
      '192.0.2.9, ?',
      false,
    ],
    ['a proxy that names a port', { trustedProxies: 1 }, '10.0.0.1', '192.0.2.9:4711', true],
    ['a proxy that names nobody', { trustedProxies: 1 }, '10.0.0.1', 'unknown', false],
  ];
  for (const [what, options, peer, forwarded, allowed] of chains) {
    test(`behind ${what}: ${allowed ? 'passes' : 'refused'}`, () => {
      assert.equal(isAllowed(documentation, options, peer, forwarded), allowed);
    });
  }

  for (const range of [
    '192.0.2.1/24',
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2.0/',
    '192.0.2.0/2/4',
    'example',
    '',
  ]) {
    test(`does not take "${range}" for a range`, () => {
      assert.throws(() => allowAddresses([range]), TypeError);
      assert.throws(() => allowAddresses(['192.0.2.1'], { trustedProxies: [range] }), TypeError);
    });
  }

  test('does not take an empty list, or half a proxy', () => {
    assert.throws(() => allowAddresses([]), TypeError);
    assert.throws(() => allowAddresses(['::1'], { trustedProxies: 0.5 }), TypeError);
    assert.throws(() => allowAddresses(['::1'], { trustedProxies: -1 }), TypeError);
    // A number of proxies alone would be read as none.
    assert.throws(() => allowAddresses(['::1'], 1 as never), {
      name: 'TypeError',
      message: 'options must be an object.',
    });
  });
});

suite('a webhook from an address that is not allowed', () => {
  test('is refused, tells nobody anything and costs the bridge nothing', async (t) => {
    const checks = [allowAddresses(['192.0.2.0/24']), confirmWithBridge()];
    const peers = ['203.0.113.1', '192.0.2.1'];
    const { begin, bridge, postWebhook, verdicts, facts, clock } = partner(t, {
      checks,
      peerAddress: () => peers.shift(),
    });
    const { webhookUrl } = await begin();
    peers.unshift('203.0.113.1');
    bridge.move('app_1', { submittedAt: '2026-11-20T12:00:00.000Z' });
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await until('the first verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.outcome, 'refused');
    assert.equal(verdicts[0].checks.at(-1)?.name, 'allow-addresses');
    await clock.advance(10 * 60_000);
    assert.deepEqual([facts, bridge.readings], [[], []], 'nor later');
  });

  // As that one, it cannot be asked by itself.
  const bunServer = {
    address: { address: '192.0.2.1', family: 'IPv4', port: 1 },
    requestIP() {
      return this.address;
    },
  };
  const runtimes: [name: string, context: unknown][] = [
    ['toNodeListener', { peerAddress: '192.0.2.1' }],
    ['Deno.serve', { remoteAddr: { transport: 'tcp', hostname: '192.0.2.1', port: 1 } }],
    ['Bun.serve', bunServer],
  ];
  for (const [name, context] of [...runtimes, ['nothing', undefined] as const]) {
    test(`knows the caller from what ${name} hands over`, async (t) => {
      const { begin, handler, verdicts } = partner(t, { checks: [allowAddresses(['192.0.2.1'])] });
      const { webhookUrl } = await begin();
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' };
      await handler(new Request(webhookUrl, { method: 'POST', headers, body: '{}' }), context);
      await until('the verdict', () => verdicts.length === 1);
      assert.equal(verdicts[0]?.outcome, context === undefined ? 'refused' : 'accepted');
    });
  }

  test('knows the caller of a real connection', async (t) => {
    const { begin, handler, verdicts } = partner(t, { checks: [allowAddresses(['127.0.0.1'])] });
    const { webhookUrl } = await begin();
    const url = await listen(t, toNodeListener(handler));
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}${new URL(webhookUrl).pathname}`, { method: 'POST', headers, body: '{}' });
    await until('the verdict', () => verdicts.length === 1);
    assert.equal(verdicts[0]?.outcome, 'accepted');
  });
});
