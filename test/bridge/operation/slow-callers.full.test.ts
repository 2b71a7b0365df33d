import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { listen } from '../../../src/bridge/http/server.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';

const limits = {
  headersMs: 300,
  requestMs: 600,
  exchangeMs: 900,
  idleMs: 300,
  checkMs: 50,
  connections: 30,
  connectionsOfAddress: 20,
};
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ serverLimits: limits });
});
after(() => bridge.stop());

/** A connection to a port, and the bytes that were received when it was closed. */
function open(t: TestContext, address: string, localAddress = '127.0.0.1') {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (text) => (received += text.toString()));
  // Not `once`: it would reject for the reset that some of these end with.
  const closed = new Promise<string>((resolve) =>
    socket.once('close', () => {
      resolve(received);
    }),
  );
  return { socket, closed, received: () => received };
}

/**
 * Sends the same bytes again and again, fast enough never to be idle, until the server closes the
 * connection.
 */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

const listeners: [name: string, address: () => string, path: string][] = [
  ['the API', () => bridge.bridgeUrl, '/v1/auth/login'],
  ['the hosted application', () => bridge.applyUrl, '/s/some-token/profile'],
];

for (const [name, address, path] of listeners) {
  test(`${name} does not wait for slow headers.`, async (t) => {
    const { socket, closed } = open(t, address());
    const startedAt = performance.now();
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n`);
    drip(socket, 'X-More: 1\r\n');
    assert.match(await closed, /^HTTP\/1\.1 400 [\s\S]*"code":40001/);
    assert.ok(performance.now() - startedAt < 1_500);
  });

  test(`${name} does not wait for a slow body.`, async (t) => {
    const { socket, closed } = open(t, address());
    const startedAt = performance.now();
    const type = name === 'the API' ? 'application/json' : 'application/x-www-form-urlencoded';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 4000\r\n\r\n`);
    drip(socket, ' ');
    await closed;
    assert.ok(performance.now() - startedAt < 1_500);
  });

  test(`${name} does not keep an idle connection without a request.`, async (t) => {
    const silent = open(t, address());
    assert.match(await silent.closed, /^(HTTP\/1\.1 400 |$)/);
    const idle = open(t, address());
    idle.socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(await idle.closed, /^HTTP\/1\.1 404 /);
  });

  test(`${name} limits the connections of an IP address and of all, and accepts others when they have closed.`, async (t) => {
    const isServed = async (localAddress: string) => {
      const { socket, closed } = open(t, address(), localAddress);
      socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return /^HTTP\/1\.1 404 /.test(await closed);
    };
    const ofOne = await hold(t, address(), '127.0.0.1', limits.connectionsOfAddress);
    assert.equal(await isServed('127.0.0.1'), false);
    assert.equal(await isServed('127.0.0.2'), true);
    const ofOther = await hold(t, address(), '127.0.0.2', limits.connections - limits.connectionsOfAddress);
    assert.equal(await isServed('127.0.0.3'), false);
    for (const { socket } of [...ofOne, ...ofOther]) socket.destroy();
    await Promise.all([...ofOne, ...ofOther].map(({ closed }) => closed));
    await until(() => isServed('127.0.0.1'));
  });
}

/** Connections of an address that send nothing. */
async function hold(t: TestContext, address: string, localAddress: string, count: number) {
  const held = Array.from({ length: count }, () => open(t, address, localAddress));
  await Promise.all(held.map(({ socket }) => once(socket, 'connect')));
  return held;
}

test('Behind a proxy, all connections have its address: only their total is limited.', async (t) => {
  const environment = { BRIDGE_TRUSTED_PROXIES: '1', CONSOLE_PORT: '0' };
  const proxied = await startBridge({ serverLimits: limits, environment });
  t.after(() => proxied.stop());
  const acceptsMore = async (address: string) => {
    await hold(t, address, '127.0.0.1', limits.connectionsOfAddress);
    const { socket, closed } = open(t, address);
    socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return (await closed) !== '';
  };
  assert.equal(await acceptsMore(proxied.bridgeUrl), true);
  assert.equal(await acceptsMore(proxied.applyUrl), true);
  assert.equal(await acceptsMore(proxied.consoleUrl ?? ''), false, 'the console has a separate setting');
});

/** The server notices a closed connection after the client. */
async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise(setImmediate);
}

test('A response that is not read ends with its connection.', async (t) => {
  const server = await listen({ host: '127.0.0.1', port: 0, variable: 'NONE', limits });
  t.after(() => server.close(0));
  // More than both sides buffer.
  server.serve(() => Promise.resolve(new Response(new Uint8Array(64 * 1024 * 1024))));
  const { socket, closed } = open(t, `http://127.0.0.1:${server.port}`);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  const startedAt = performance.now();
  // A paused socket does not notice the end, so this checks whether it is writable.
  const probe = setInterval(() => socket.write('x'), 50);
  socket.once('close', () => {
    clearInterval(probe);
  });
  await closed;
  assert.ok(performance.now() - startedAt < 1_500);
});
