import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { buildConnector } from 'undici';
import { sendFailureNames, sendFailures, findSendFailure } from '../../../src/bridge/domain/webhooks/send-failures.js';
import { createWebhookSender, type WebhookSenderOptions } from '../../../src/bridge/outbox/webhook-sender.js';
import { createAuthority, createCertificate, type CertificateOptions } from '../../support/certificate.js';

const dayMs = 24 * 3_600_000;
const authority = createAuthority('Test Authority');
const stranger = createAuthority('Unknown Authority');

/** Sends a webhook to a URL, from a bridge that trusts the test authority. Resolves with the failure and its code. */
async function failureOf(t: TestContext, url: string, options: WebhookSenderOptions = {}) {
  const sender = createWebhookSender(() => new Date(), {
    isLoopbackAllowed: true,
    connector: { connect: (given) => buildConnector({ ...given, ca: authority.cert }) },
    ...options,
  });
  t.after(() => sender.close());
  const webhook = { id: 'evt_1', url, mode: 'test', body: '{}', requestId: null, traceparent: null } as const;
  const { status, error, code } = await sender.send({ ...webhook, secret: null }, new AbortController().signal);
  assert.equal(status, null);
  return { error, code };
}

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

for (const [what, certificate, error, code] of [
  [
    'that has expired',
    { issuer: authority, notAfter: new Date(Date.now() - dayMs / 2) },
    'certificate_expired',
    'CERT_HAS_EXPIRED',
  ],
  [
    'that is not valid yet',
    { issuer: authority, notBefore: new Date(Date.now() + dayMs / 2) },
    'certificate_not_yet_valid',
    'CERT_NOT_YET_VALID',
  ],
  ['that is self-signed', {}, 'certificate_self_signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['of an unknown authority', { issuer: stranger }, 'certificate_chain', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [
    'for another host',
    { issuer: authority, names: ['other.example'] },
    'certificate_host',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
] as const satisfies readonly [string, Partial<CertificateOptions>, string, string][]) {
  test(`A webhook to a receiver with a certificate ${what} fails with "${error}".`, async (t) => {
    const server = createHttpsServer(
      createCertificate({ names: ['localhost'], ...certificate }),
      (_request, response) => {
        response.end();
      },
    );
    const port = await listen(t, server);
    assert.deepEqual(await failureOf(t, `https://localhost:${port}/hook`), { error, code });
  });
}

for (const [what, answer, scheme, error] of [
  ['closes the connection', (socket) => socket.end(), 'http', 'reset'],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'http', 'reset'],
  ['does not answer', () => undefined, 'http', 'answer_timeout'],
  ['does not finish the TLS handshake', () => undefined, 'https', 'connect_timeout'],
  ['answers an https URL with HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https', 'tls'],
  [
    'answers an http URL with TLS',
    (socket) => socket.end(Buffer.from('15030300020250', 'hex')),
    'http',
    'answer_invalid',
  ],
  [
    'sends endless headers',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`),
    'http',
    'answer_too_large',
  ],
] as const satisfies readonly [string, (socket: Socket) => unknown, string, string][]) {
  test(`A webhook to a receiver that ${what} fails with "${error}".`, async (t) => {
    const port = await listen(
      t,
      createServer((socket) => {
        socket.once('data', () => answer(socket));
      }),
    );
    const url = `${scheme}://127.0.0.1:${port}/hook`;
    // Half of it is for the connection, whose timer may be a second late.
    const timeoutMs = error === 'connect_timeout' ? 6_000 : error === 'answer_timeout' ? 100 : 10_000;
    assert.equal((await failureOf(t, url, { timeoutMs })).error, error);
  });
}

test('A webhook to a port where nothing listens fails with "refused".', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  server.close();
  await once(server, 'close');
  assert.deepEqual(await failureOf(t, `http://127.0.0.1:${port}/`), { error: 'refused', code: 'ECONNREFUSED' });
});

for (const [code, error] of [
  ['ENOTFOUND', 'unknown_host'],
  ['EAI_AGAIN', 'dns_failed'],
] as const) {
  test(`A webhook to a host that the resolver reports with ${code} fails with "${error}".`, async (t) => {
    const connector: WebhookSenderOptions['connector'] = {
      resolve: (_hostname, callback) => {
        callback(Object.assign(new Error(`getaddrinfo ${code}`), { code }), []);
      },
    };
    assert.deepEqual(await failureOf(t, 'https://hooks.example/', { connector }), { error, code });
  });
}

test('A webhook to an internal address fails with "address_refused".', async (t) => {
  const { error } = await failureOf(t, 'http://127.0.0.1:9/', { isLoopbackAllowed: false });
  assert.equal(error, 'address_refused');
});

test('A code has one reason, and an unknown code is "network".', () => {
  const codes = sendFailureNames.flatMap((name) => sendFailures[name].codes.map((code) => [code, name] as const));
  for (const [code, name] of codes) assert.equal(findSendFailure(code.replace('*', 'X')), name, code);
  assert.equal(new Set(codes.map(([code]) => code)).size, codes.length);
  for (const code of ['EMFILE', 'ERR_INVALID_URL', undefined]) assert.equal(findSendFailure(code), 'network');
});

test('A code that is no constant of the platform is not recorded, because it may contain a part of the URL.', async (t) => {
  for (const code of ['failed at https://hooks.example/secret', 7, undefined]) {
    const connector: WebhookSenderOptions['connector'] = {
      connect: () => (_target, callback) => {
        callback(Object.assign(new Error('failed'), { code }), null);
      },
    };
    assert.deepEqual(await failureOf(t, 'https://hooks.example/', { connector }), {
      error: 'network',
      code: undefined,
    });
  }
});
