import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startBridge } from '../../support/bridge.js';
import { serveInProcess } from '../process.js';

/* Callers that send most of a body and never the rest. All figures are of a bridge in a process of its own. */

const sockets = 3_000;
const mebibyte = 1_048_576;

async function setup(t: TestContext) {
  // For its database, its agency and its tokens.
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const known = await startBridge({ environment: { BRIDGE_SECRET_KEY: secretKey } });
  t.after(() => known.stop());
  const variables = { DATABASE_URL: known.databaseUrl, BRIDGE_SECRET_KEY: secretKey, LOG_LEVEL: 'error' };
  const bridge = await serveInProcess({ ...variables, LOG_LEVEL: 'info', BRIDGE_RATE_LIMIT: '1000000' });
  t.after(() => bridge.end('SIGKILL'));
  const port = Number(new URL(bridge.bridgeUrl).port);
  const memory = () => {
    const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(bridge.child.pid)], { encoding: 'utf8' });
    return Math.round(Number(kibibytes) / 1_024);
  };
  const held: Socket[] = [];
  t.after(() => {
    for (const socket of held) socket.destroy();
  });

  /** Opens a connection, sends the text and so many bytes, and resolves when they have been taken or refused. */
  async function sendPart(head: string, bytes: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    held.push(socket);
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.once('data', () => socket.destroy());
    await Promise.race([once(socket, 'connect'), gone]);
    socket.write(head);
    await Promise.race([new Promise((resolve) => socket.write(body.subarray(0, bytes), resolve)), gone]);
    return socket;
  }

  /** Has so many connections send a part of a body. Resolves with how much memory the bridge took for them, in MiB. */
  async function attack(name: string, head: string, bytes: number): Promise<number> {
    const before = memory();
    for (let sent = 0; sent < sockets; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, () => sendPart(head, bytes)));
    }
    const after = memory();
    const open = held.filter((socket) => !socket.destroyed).length;
    t.diagnostic(`${name}: ${String(before)} MiB before, ${String(after)} MiB after, ${String(open)} still open`);
    return after - before;
  }
  return { bridge, known, attack };
}

/** `{"a":"xxx…`, as long as is wanted. */
const body = Buffer.alloc(mebibyte, 'x');
body.write('{"a":"');

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${String(length)}\r\n\r\n`;

test('3,000 logins of a mebibyte each that are never finished take no memory and keep nobody out.', async (t) => {
  const { bridge, attack } = await setup(t);
  const growth = await attack('logins of 1 MiB', head('/v1/auth/login', mebibyte), mebibyte - 1);
  assert.ok(growth < 200, `${String(growth)} MiB`);
  assert.equal((await fetch(`${bridge.bridgeUrl}/healthz`)).status, 200);
});

test('3,000 logins of the largest allowed size that are never finished take little memory.', async (t) => {
  const { bridge, attack } = await setup(t);
  const growth = await attack('logins of 4 KiB', head('/v1/auth/login', 4_096), 4_095);
  assert.ok(growth < 200, `${String(growth)} MiB`);
  assert.equal((await fetch(`${bridge.bridgeUrl}/healthz`)).status, 200);
});

test('3,000 bulk onboardings of one agency that are never finished take a bounded amount of memory, and others log in.', async (t) => {
  const { bridge, known, attack } = await setup(t);
  const authorization = `Authorization: Bearer ${known.tokens.test}\r\n`;
  const path = '/v1/account/producer/bulk/onboard';
  const growth = await attack('bulk onboardings', head(path, mebibyte, authorization), mebibyte - 1);
  assert.ok(growth < 400, `${String(growth)} MiB`);
  const { clientId, testClientSecret: clientSecret } = known.credential;
  const login = await fetch(`${bridge.bridgeUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  assert.equal(login.status, 200);
});
