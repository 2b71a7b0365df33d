import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClamavScanner } from '../../../src/bridge/adapters/clamav-scanner.js';
import type { ScannerPlace } from '../../../src/bridge/config/service-urls.js';
import { AdapterError } from '../../../src/bridge/ports/adapter-error.js';

/** Answers after the whole stream, and may do anything with the connection. */
type Answer = (socket: Socket, content: Buffer) => void;

/**
 * Listens like clamd: reads `zINSTREAM`, the chunks and the length 0, and then calls `answer`.
 * `onStart` is called with the first bytes of the connection.
 */
async function listen(t: TestContext, path: string | undefined, answer: Answer, onStart?: (socket: Socket) => void) {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    if (onStart) {
      socket.once('data', () => {
        onStart(socket);
      });
    }
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const content = contentOf(received);
      if (content !== undefined) answer(socket, content);
    });
  });
  await new Promise<void>((resolve) =>
    server.listen(path === undefined ? { host: '127.0.0.1', port: 0 } : { path }, resolve),
  );
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return server.address() as AddressInfo;
}

/** The content of a complete stream. */
function contentOf(received: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0';
  if (received.length < command.length) return undefined;
  assert.equal(received.subarray(0, command.length).toString(), command);
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

const say =
  (text: string): Answer =>
  (socket) =>
    socket.end(text);

const content = Buffer.from('%PDF-1.7\nwombat\n%%EOF\n');
const scan = (place: ScannerPlace, deadlineMs = 2_000) => createClamavScanner(place, { deadlineMs });

async function failed(work: Promise<unknown>): Promise<AdapterError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof AdapterError, String(error));
  assert.equal(error.port, 'documentScanner');
  return error;
}

for (const [text, expected] of [
  ['stream: OK\0', 'clean'],
  ['stream: Eicar-Test-Signature FOUND\0', 'infected'],
  ['stream: Own.Signature.UNOFFICIAL FOUND\0', 'infected'],
] as const) {
  test(`The answer "${text.slice(0, -1)}" makes a document ${expected}.`, async (t) => {
    const { port } = await listen(t, undefined, say(text));
    assert.equal(await scan({ host: '127.0.0.1', port }).scan(content, 'application/pdf'), expected);
  });
}

test('clamd gets exactly the bytes of a document of any size, also over a Unix socket.', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-clamd-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'clamd.ctl');
  const received: Buffer[] = [];
  await listen(t, path, (socket, bytes) => {
    received.push(bytes);
    // In pieces, as a network may deliver it.
    for (const piece of ['str', 'eam: O', 'K\0']) socket.write(piece);
  });
  const documents = [1, 65_536, 65_537, 1_000_000].map((size) => randomBytes(size));
  const scanner = scan({ path }, 20_000);
  for (const document of documents) assert.equal(await scanner.scan(document, 'image/png'), 'clean');
  assert.ok(Buffer.concat(documents).equals(Buffer.concat(received)));
});

for (const [what, answer, code] of [
  ['no answer', say(''), 'cut_off'],
  ['half of an answer', say('stream: O'), 'cut_off'],
  ['an answer without its end', say('stream: OK'), 'cut_off'],
  ['a connection that is reset', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
  ['an error', say('INSTREAM: Can not write to temporary file. ERROR\0'), 'unknown_answer'],
  ['another answer that contains OK', say('stream: NOT OK\0'), 'unknown_answer'],
  ['an answer in lines', say('stream: OK\nstream: Eicar FOUND\0'), 'unknown_answer'],
  ['an empty answer', say('\0'), 'unknown_answer'],
  ['the page of a web server', say('HTTP/1.1 400 Bad Request\r\n\r\n\0'), 'unknown_answer'],
  ['an answer without end', (socket) => socket.write('x'.repeat(5_000)), 'unknown_answer'],
  ['silence', () => undefined, 'timeout'],
] as const satisfies readonly (readonly [string, Answer, string])[]) {
  test(`After ${what}, a document is not clean: the scan fails with ${code}.`, async (t) => {
    const { port } = await listen(t, undefined, answer);
    const scanner = scan({ host: '127.0.0.1', port }, code === 'timeout' ? 200 : 2_000);
    assert.equal((await failed(scanner.scan(content, 'application/pdf'))).code, code);
  });
}

test('A document over the limit of clamd fails with the setting to change, although clamd ends the connection early.', async (t) => {
  const refuse = (socket: Socket) => void socket.end('INSTREAM size limit exceeded. ERROR\0');
  const { port } = await listen(t, undefined, () => undefined, refuse);
  const error = await failed(scan({ host: '127.0.0.1', port }).scan(randomBytes(8_000_000), 'image/png'));
  assert.match(error.message, /\((size_limit|ended_early)\)\. .*StreamMaxLength in clamd\.conf/);
});

test('Without a clamd the scan fails with the variable to check.', async () => {
  for (const place of [{ host: '127.0.0.1', port: 1 }, { path: '/nowhere/clamd.ctl' }]) {
    const error = await failed(scan(place).scan(content, 'application/pdf'));
    assert.match(error.message, /failed \((ECONNREFUSED|ENOENT)\)\. Start clamd, or correct BRIDGE_SCANNER\.$/);
  }
});
