import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 60_000;

/**
 * Resolves with what is seen once it is so. For what another process writes, or what is written after a delivery or an answer: nobody
 * is told of it, so it can only be looked for. Fails when it does not become so, with what was seen last.
 */
export async function until<Value>(
  look: () => Promise<Value>,
  isSo: (value: Value) => boolean = Boolean,
): Promise<Value> {
  for (const deadline = Date.now() + patienceMs; ;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    assert.ok(Date.now() < deadline, `${isSo === Boolean ? String(look) : String(isSo)}: ${JSON.stringify(seen)}`);
    await pause(10);
  }
}
