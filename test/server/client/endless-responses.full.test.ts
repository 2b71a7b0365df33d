import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createBridgeClient } from '../../../src/server/index.js';
import { applicationBody, clientSecret, rejection } from '../support/client.js';
import { answer, rawBridge, type Fault } from './raw-bridge.js';

const limit = 32 * 1024 * 1024;
const part = Buffer.alloc(1024 * 1024, '[');

/** Sends data until the client disconnects. */
function pour(onPart: () => void): Fault {
  return (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
    void (async () => {
      while (!socket.destroyed) {
        onPart();
        if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
    })().catch(() => undefined);
  };
}

test('An endless response is cut off, is invalid JSON then, and is not requested again.', async (t) => {
  let sent = 0;
  const server = await rawBridge(t, { fault: pour(() => (sent += part.length)) });
  const client = createBridgeClient({ baseUrl: server.url, clientId: 'client_1', clientSecret, timeoutMs: 60_000 });
  assert.equal((await rejection(client.applications.get('app_1'))).code, 'unreadable');
  assert.equal(server.requests.length, 1);
  assert.ok(sent > limit && sent < 2 * limit, `${String(sent)} bytes were taken.`);
});

test('A response that exceeds the limit after decompression is cut off, too.', async (t) => {
  const packed = gzipSync(JSON.stringify(applicationBody).padStart(3 * limit));
  const server = await rawBridge(t, { fault: answer(200, packed, ['content-encoding: gzip']) });
  const client = createBridgeClient({ baseUrl: server.url, clientId: 'client_1', clientSecret, timeoutMs: 60_000 });
  assert.equal((await rejection(client.applications.get('app_1'))).code, 'unreadable');
});
