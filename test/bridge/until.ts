import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 60_000;

/**
 * Polls until a condition is true. For data that appears without a notification, such as rows of
 * another process. Rejects with the last value at the timeout.
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
