import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { serverLimits } from '../../../src/bridge/domain/limits/limits.js';
import { startBridge } from '../../support/bridge.js';
import { serveInProcess } from '../process.js';

/*
 * Callers that send most of a body and nothing more. All figures are of a bridge in a separate
 * process.
 */

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
  const held: Socket[] = [];
  t.after(() => {
    for (const socket of held) socket.destroy();
  });

  /**
   * Opens `count` connections that each send a part of a body. Resolves with the memory that the
   * bridge used for them, in MiB.
   */
  async function attack(name: string, head: string, bytes: number): Promise<number> {
    const before = memoryOf(bridge.child.pid);
    held.push(...(await holdBodies(bridge.bridgeUrl, sockets, head, body.subarray(0, bytes))));
    const after = memoryOf(bridge.child.pid);
    const open = held.filter((socket) => !socket.destroyed).length;
    t.diagnostic(`${name}: ${before} MiB before, ${after} MiB after, ${open} still open`);
    return after - before;
  }
  return { bridge, known, attack };
}

/** `{"a":"xxx…`, of any length. */
const body = Buffer.alloc(mebibyte, 'x');
body.write('{"a":"');

test('3,000 unfinished logins of one mebibyte each use no memory, and other logins succeed.', async (t) => {
  const { bridge, attack } = await setup(t);
  const growth = await attack('logins of 1 MiB', headOf('/v1/auth/login', mebibyte), mebibyte - 1);
  assert.ok(growth < 200, `${growth} MiB`);
  assert.equal((await fetch(`${bridge.bridgeUrl}/healthz`)).status, 200);
});

test('3,000 unfinished bulk onboardings of one agency use limited memory, and others log in.', async (t) => {
  const { bridge, known, attack } = await setup(t);
  const authorization = `Authorization: Bearer ${known.tokens.test}\r\n`;
  const path = '/v1/account/producer/bulk/onboard';
  const growth = await attack('bulk onboardings', headOf(path, mebibyte, authorization), mebibyte - 1);
  assert.ok(growth < 400, `${growth} MiB`);
  const { clientId, testClientSecret: clientSecret } = known.credential;
  const login = await fetch(`${bridge.bridgeUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  assert.equal(login.status, 200);
});

/** The head of a POST of JSON with the given Content-Length. */
function headOf(path: string, bodyBytes: number, moreHeaders = ''): string {
  const type = 'Content-Type: application/json';
  return `POST ${path} HTTP/1.1\r\nHost: bridge\r\n${type}\r\n${moreHeaders}Content-Length: ${bodyBytes}\r\n\r\n`;
}

/**
 * Opens connections that send a head and a part of a body, and nothing more. Resolves when each
 * part was accepted or refused. The caller destroys the sockets.
 */
async function holdBodies(url: string, count: number, head: string, part: Uint8Array): Promise<Socket[]> {
  const port = Number(new URL(url).port);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 100) {
    // Each address has a limit.
    const localAddress = `127.0.0.${2 + Math.floor(opened / serverLimits.connectionsOfAddress)}`;
    const batch = Array.from({ length: 100 }, async () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      sockets.push(socket);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      // A response means that the body was refused.
      socket.once('data', () => socket.destroy());
      await Promise.race([once(socket, 'connect'), closed]);
      socket.write(head);
      await Promise.race([new Promise((resolve) => socket.write(part, resolve)), closed]);
    });
    await Promise.all(batch);
  }
  return sockets;
}

/** The resident memory of a process, in MiB. */
function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
