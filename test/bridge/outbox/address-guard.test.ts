import assert from 'node:assert/strict';
import { isIP, type LookupFunction } from 'node:net';
import { test } from 'node:test';
import type { buildConnector } from 'undici';
import { isAllowedAddress } from '../../../src/bridge/domain/sessions/partner-urls.js';
import { AddressRejected, createCheckingConnector } from '../../../src/bridge/outbox/webhook-sender.js';

const publicAddresses = ['8.8.8.8', '93.184.216.34', '2606:4700::6810:84e5', '64:ff9b::808:808'];
const loopback = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'];
// prettier-ignore
const internal = [
  '0.0.0.0', '10.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1', '192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1',
  '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0',
  'ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::a00:1', '100::1',
];
const nonsense = ['', 'localhost', '1.2.3', '0x7f000001x', '999.1.1.1', ':::'];

for (const address of publicAddresses) {
  test(`${address} is public and receives webhooks.`, () => {
    assert.equal(isAllowedAddress(address, false), true);
    assert.equal(isAllowedAddress(address, true), true);
  });
}
for (const address of loopback) {
  test(`${address} is loopback and receives webhooks only where that is allowed.`, () => {
    assert.equal(isAllowedAddress(address, false), false);
    assert.equal(isAllowedAddress(address, true), true);
  });
}
for (const address of [...internal, ...nonsense]) {
  test(`"${address}" is refused, even where loopback is allowed.`, () => {
    assert.equal(isAllowedAddress(address, false), false);
    assert.equal(isAllowedAddress(address, true), false);
  });
}

/** A connector with a fake network that records its calls. */
function setup(addresses: Record<string, string[]>) {
  const reached: string[] = [];
  const connector = createCheckingConnector(false, {
    resolve: (hostname, callback) => {
      callback(
        null,
        (addresses[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
    connect: (({ lookup }: { lookup?: LookupFunction }): buildConnector.connector => {
      return (target, callback) => {
        const record = (error: Error | null, found: unknown) => {
          if (error === null) reached.push(JSON.stringify(found));
          callback(error ?? new Error('recorded'), null);
        };
        if (isIP(target.hostname) !== 0) record(null, target.hostname);
        else lookup?.(target.hostname, { all: true }, record);
      };
    }) as typeof buildConnector,
  });
  const connect = (hostname: string) =>
    new Promise<Error | null>((resolve) => {
      connector({ hostname, host: hostname, protocol: 'https:', port: '443' }, (...[error]) => {
        resolve(error);
      });
    });
  return { connect, reached };
}

test('An IP literal, which is not resolved, is checked too.', async () => {
  const { connect, reached } = setup({});
  for (const literal of ['127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:7f00:1]', '10.1.2.3']) {
    assert.ok((await connect(literal)) instanceof AddressRejected, literal);
  }
  assert.deepEqual(reached, []);
});

test('A host name is checked by all IP addresses that it resolves to.', async () => {
  const { connect, reached } = setup({
    'inside.example': ['10.0.0.7'],
    'mixed.example': ['10.0.0.7', '8.8.8.8', '::1'],
    'outside.example': ['8.8.8.8'],
  });
  assert.ok((await connect('inside.example')) instanceof AddressRejected);
  assert.ok((await connect('nowhere.example')) instanceof AddressRejected);
  await connect('mixed.example');
  await connect('outside.example');
  const only = JSON.stringify([{ address: '8.8.8.8', family: 4 }]);
  assert.deepEqual(reached, [only, only]);
});
