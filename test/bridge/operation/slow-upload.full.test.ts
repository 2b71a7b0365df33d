import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';

const limits = { requestMs: 1_500, uploadBytesPerSecond: 10_000, checkMs: 50 };
let service: ApplyService;
before(async () => {
  service = await startApplyService({ serverLimits: limits });
});
after(() => (service as ApplyService | undefined)?.stop());

const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(64_000, 'x'), Buffer.from('\n%%EOF\n')]);
const body = Buffer.concat([
  Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
  content,
  Buffer.from('\r\n--b--\r\n'),
]);

/** Posts the document in pieces. Resolves with the response and the duration. */
async function upload({ pieceBytes, everyMs }: { pieceBytes: number; everyMs: number }) {
  const session = await service.createSession({ states: ['TX'] });
  await walkTo(createVisitor(), { ...session, states: ['TX'] }, 'background');
  const { hostname, port, pathname } = new URL(`${session.applicationUrl}/background/documents`);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (text) => (received += text.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Accept: application/json',
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const startedAt = performance.now();
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let at = 0; at < body.length && socket.writable; at += pieceBytes) {
    socket.write(body.subarray(at, at + pieceBytes));
    await pause(everyMs);
  }
  await closed;
  return { received, tookMs: performance.now() - startedAt };
}

test('A slow but steady document is stored, even after the time limit of other requests.', async () => {
  const { received, tookMs } = await upload({ pieceBytes: 1_600, everyMs: 60 });
  assert.match(received, /^HTTP\/1\.1 200 /);
  assert.ok(tookMs > limits.requestMs);
});
