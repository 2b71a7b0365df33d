import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { JsonPieces } from '../../../src/bridge/domain/values/json-pieces.js';
import type { ServerLimits } from '../../../src/bridge/domain/limits/limits.js';
import { sendPieces } from '../../../src/bridge/http/send-pieces.js';
import { listen } from '../../../src/bridge/http/server.js';

/** Serves an answer. Resolves with its URL, and with a promise of the end of the first connection. */
async function serve(t: TestContext, pieces: readonly Uint8Array[], limits?: Partial<ServerLimits>) {
  const server = await listen({ host: '127.0.0.1', port: 0, variable: 'PORT', limits });
  const closed = new Promise<void>((resolve) => {
    server.serve((_, { outgoing }) => {
      outgoing.once('close', resolve);
      return Promise.resolve(sendPieces(new JsonPieces(pieces)));
    });
  });
  t.after(() => server.close(0));
  return { url: `http://127.0.0.1:${server.port}/`, closed };
}

/** The pieces of an array of `count` texts. */
function piecesOf(count: number): Buffer[] {
  const texts = Array.from({ length: count }, (_, index) => `${index === 0 ? '[' : ','}"é${index}"`);
  return [...texts, count === 0 ? '[]' : ']'].map((text) => Buffer.from(text));
}

for (const count of [0, 1, 100, 20_000]) {
  test(`An answer of ${count} pieces arrives as one JSON text with its length.`, async (t) => {
    const { url } = await serve(t, piecesOf(count));
    const response = await fetch(url);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('content-length'), String(Buffer.concat(piecesOf(count)).length));
    const texts = Array.from({ length: count }, (_, index) => `é${index}`);
    assert.deepEqual(await response.json(), texts);
  });
}

test('A large answer is sent in chunks of at least 64 KiB but for the last.', async () => {
  const sizes = [];
  for await (const chunk of sendPieces(new JsonPieces(piecesOf(50_000))).body ?? []) sizes.push(chunk.length);
  assert.ok(sizes.length > 5);
  assert.ok(
    sizes.slice(0, -1).every((size) => size >= 65_536 && size < 66_000),
    sizes.join(),
  );
});

const mebibyte = Buffer.alloc(1_048_576, ' ');

test('A caller that reads too slowly is disconnected, and does not get a shorter answer that looks complete.', async (t) => {
  const { url, closed } = await serve(t, Array<Buffer>(64).fill(mebibyte), { exchangeMs: 300 });
  const [response] = (await once(request(url).end(), 'response')) as [IncomingMessage];
  await closed;
  await assert.rejects(async () => {
    for await (const chunk of response) assert.ok(chunk);
  }, /aborted/);
  assert.equal(response.complete, false);
});
