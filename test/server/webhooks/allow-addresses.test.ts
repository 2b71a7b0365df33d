import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allowAddresses } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';

const documentation = ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'];

function isAllowed(
  ranges: readonly string[],
  options: Parameters<typeof allowAddresses>[1],
  peerAddress?: string,
  forwarded?: string,
) {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = new Request('https://agency.example/licensing/webhooks/x', { method: 'POST', headers });
  const event = { type: 'unknown' as const, data: { states: [] } };
  const verdict = allowAddresses(ranges, options)(request, { id: 'x', event, peerAddress });
  assert.ok(verdict === true || typeof (verdict as { reason: unknown }).reason === 'string');
  return verdict === true;
}

suite('allowAddresses compares the address of the caller', () => {
  test('IPv4 and IPv6 addresses are allowed by range, in every form that a runtime reports, and in no ambiguous one.', () => {
    const peers: [peer: string | undefined, isAllowed: boolean][] = [
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
    for (const [peer, expected] of peers) assert.equal(isAllowed(documentation, {}, peer), expected, peer);
  });

  test('Ranges may cover all of IPv4 or IPv6, and an IPv4 address counts as its IPv6 form.', () => {
    const cases: [range: string, peer: string, isAllowed: boolean][] = [
      ['0.0.0.0/0', '203.0.113.1', true],
      ['0.0.0.0/0', '2001:db8::1', false],
      ['::/0', '2001:db8::1', true],
      ['2000::/3', '203.0.113.1', false],
      ['::/0', '203.0.113.1', true],
      ['::ffff:192.0.2.0/120', '192.0.2.7', true],
    ];
    for (const [range, peer, expected] of cases)
      assert.equal(isAllowed([range], {}, peer), expected, `${range} ${peer}`);
  });

  type Options = Parameters<typeof allowAddresses>[1];
  const one = { trustedProxies: 1 };
  const two = { trustedProxies: 2 };
  const known = { trustedProxies: ['10.0.0.0/8'] };
  const [proxy, caller, stranger] = ['10.0.0.1', '192.0.2.9', '203.0.113.1'];
  const chains: [what: string, options: Options, peer: string, forwarded: string, isAllowed: boolean][] = [
    ['no proxy, so the header is not read', {}, stranger, caller, false],
    ['one proxy', one, proxy, caller, true],
    ['one proxy and a caller that forges the header', one, proxy, `${caller}, ${stranger}`, false],
    ['two proxies', two, proxy, `${caller}, 10.0.0.2`, true],
    ['two proxies of which one was bypassed', two, proxy, caller, false],
    ['one proxy that sends no header', one, caller, '', false],
    ['one proxy that names a port', one, proxy, `${caller}:4711`, true],
    ['one proxy that names no address', one, proxy, 'unknown', false],
    ['proxies known by address', known, proxy, `${caller}, 10.0.0.2`, true],
    ['proxies known by address that were bypassed', known, stranger, caller, false],
    ['proxies known by address and a forged header', known, proxy, `${caller}, ${stranger}`, false],
    ['proxies known by address and no caller', known, proxy, '10.0.0.2', false],
    ['proxies known by address of which one names no address', known, proxy, `${caller}, ?`, false],
  ];
  for (const [what, options, peer, forwarded, expected] of chains) {
    test(`With ${what}, a webhook is ${expected ? 'accepted' : 'refused'}.`, () => {
      assert.equal(isAllowed(documentation, options, peer, forwarded), expected);
    });
  }

  test('Anything but a list of addresses or ranges is a TypeError.', () => {
    for (const range of [
      '192.0.2.1/24',
      '192.0.2.0/33',
      '2001:db8::/129',
      '192.0.2.0/',
      '192.0.2.0/2/4',
      'example',
      '',
    ]) {
      assert.throws(() => allowAddresses([range]), TypeError, range);
      assert.throws(() => allowAddresses(['192.0.2.1'], { trustedProxies: [range] }), TypeError, range);
    }
    assert.throws(() => allowAddresses([]), TypeError);
    for (const trustedProxies of [0.5, -1]) assert.throws(() => allowAddresses(['::1'], { trustedProxies }), TypeError);
    // A number instead of options would be read as no proxies.
    assert.throws(() => allowAddresses(['::1'], 1 as never), /allowAddresses: .*expected object/);
  });
});

suite('allowAddresses as verifyWebhook', () => {
  const wasSubmitted = webhook('evt_1', 'application.submitted');

  test('A webhook from an address that is not allowed is 403, costs the bridge nothing, and its event arrives with an allowed one.', async (t) => {
    let peer = '203.0.113.1';
    const { begin, bridge, postWebhook, events, entries } = partner(t, {
      verifyWebhook: allowAddresses(['192.0.2.0/24']),
      peerAddress: () => peer,
    });
    const { webhookUrl } = await begin();
    bridge.change('app_1', submitted);
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 403);
    assert.deepEqual([events, bridge.readings], [[], []]);
    assert.match(String(entries.at(-1)?.message), /address of the caller is not allowed/);
    peer = '192.0.2.1';
    assert.equal((await postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(events.length, 3);
  });

  test('Where the runtime does not provide the address, every webhook is 403, and the log says which option to set.', async (t) => {
    const { begin, postWebhook, entries } = partner(t, { verifyWebhook: allowAddresses(['192.0.2.1']) });
    const { webhookUrl } = await begin();
    const answer = await postWebhook(webhookUrl, wasSubmitted, { 'x-forwarded-for': '192.0.2.1' });
    assert.equal(answer.status, 403);
    assert.match(String(entries.at(-1)?.message), /does not provide the peer address\. Set `peerAddress`/);
  });

  // Like Bun's, it cannot be called without its server.
  const bunServer = {
    address: { address: '192.0.2.1', family: 'IPv4', port: 1 },
    requestIP() {
      return this.address;
    },
  };
  for (const [runtime, context] of Object.entries<unknown>({
    toNodeListener: { peerAddress: '192.0.2.1' },
    'Deno.serve': { remoteAddr: { transport: 'tcp', hostname: '192.0.2.1', port: 1 } },
    'Bun.serve': bunServer,
  })) {
    test(`The address that ${runtime} provides is used.`, async (t) => {
      for (const [allowed, status] of [
        ['192.0.2.1', 204],
        ['192.0.2.2', 403],
      ] as const) {
        const { begin, handler } = partner(t, { verifyWebhook: allowAddresses([allowed]) });
        const { webhookUrl } = await begin();
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
        assert.equal((await handler(new Request(webhookUrl, init), context)).status, status);
      }
    });
  }
});
