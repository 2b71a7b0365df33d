import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodyBudget, type BodySender } from '../../../src/bridge/domain/limits/body-budget.js';

const tooMany = { failure: 'too_many_requests', retryAfterSeconds: 1 };
const done = () => Promise.resolve('done');

/** A body that is sent piece by piece, until it ends. */
function openBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    body: readable,
    send: (bytes: number) => writer.write(new Uint8Array(bytes)),
    end: () => writer.close(),
    breakOff: (error: Error) => writer.abort(error),
  };
}

async function lengthOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const piece of body) length += piece.length;
  return length;
}

test('Large bodies share a budget, which each returns when it ends or fails; small ones need none.', async () => {
  const budget = createBodyBudget({ all: 100_000 });
  let cutOff: (error: Error) => void = () => undefined;
  const body = new Promise<string>((_, reject) => (cutOff = reject));
  const first = budget.hold({}, 60_000, () => body);
  await assert.rejects(budget.hold({}, 40_001, done), tooMany);
  assert.equal(await budget.hold({}, 40_000, done), 'done');
  const second = budget.hold({}, 40_000, () => body);
  await assert.rejects(budget.hold({}, 16_385, done), tooMany);
  assert.equal(await budget.hold({}, 16_384, done), 'done');
  cutOff(new Error('cut off'));
  await Promise.all([assert.rejects(first, /cut off/), assert.rejects(second, /cut off/)]);
  assert.equal(await budget.hold({}, 100_000, done), 'done');
});

test('Bytes count when they arrive, in all copies, and no longer when the body has ended or broken off.', async () => {
  const budget = createBodyBudget({ all: 100_000 });
  const slow = openBody();
  const reading = budget.read({}, slow.body, lengthOf, 2);
  assert.equal(await budget.hold({}, 100_000, done), 'done');
  await slow.send(16_384);
  await slow.send(16_384);
  // The second piece has been taken when the third can be sent.
  await slow.send(0);
  await assert.rejects(budget.hold({}, 34_465, done), tooMany);
  assert.equal(await budget.hold({}, 34_464, done), 'done');
  await slow.end();
  assert.equal(await reading, 32_768);
  assert.equal(await budget.hold({}, 100_000, done), 'done');
  const broken = openBody();
  const failing = budget.read({}, broken.body, lengthOf);
  await broken.send(100_000);
  await broken.breakOff(new Error('broken off'));
  await assert.rejects(failing, /broken off/);
  assert.equal(await budget.hold({}, 100_000, done), 'done');
});

test('A body beyond the budget is read to its end, and then refused.', async () => {
  const budget = createBodyBudget({ all: 50_000 });
  const { body, send, end } = openBody();
  const seen: number[] = [];
  const reading = budget.read({}, body, async (pieces) => {
    for await (const piece of pieces) seen.push(piece.length);
  });
  const refusal = assert.rejects(reading, tooMany);
  for (const bytes of [40_000, 20_000, 30]) await send(bytes);
  await end();
  await refusal;
  assert.deepEqual(seen, [40_000]);
});

const limits = { all: 100_000, agency: 50_000, application: 30_000, address: 40_000 };
const senders: [sender: BodySender, other: BodySender, share: number][] = [
  [{ agency: 'agc_1' }, { agency: 'agc_2' }, limits.agency],
  [{ agency: 'agc_1', application: 'app_1' }, { agency: 'agc_1', application: 'app_2' }, limits.application],
  [{ address: '192.0.2.1' }, { address: '192.0.2.2' }, limits.address],
  [{ address: '2001:db8:1:1::1' }, { address: '2001:db8:1:2::1' }, limits.address],
];
for (const [sender, other, share] of senders) {
  test(`The share of one sender leaves the rest to others: ${JSON.stringify(sender)}.`, async () => {
    const budget = createBodyBudget(limits);
    await budget.hold(sender, share, async () => {
      await assert.rejects(budget.hold(sender, 16_385, done), tooMany);
      assert.equal(await budget.hold(other, 17_000, done), 'done');
    });
    assert.equal(await budget.hold(sender, share, done), 'done');
  });
}

test('Addresses of one IPv6 network share one limit.', async () => {
  const budget = createBodyBudget(limits);
  await budget.hold({ address: '2001:db8:1:1::1' }, limits.address, () =>
    assert.rejects(budget.hold({ address: '2001:db8:1:1:ffff::2' }, 16_385, done), tooMany),
  );
});
