/*
 * The largest message that the protocol has, a snapshot of 56 states, holds about 180 values on 5
 * levels, and its longest text is a link of 2,048 characters. A hostile page may send a million
 * values, and a schema would visit each of them.
 */
const mostValues = 1_000;
const mostLevels = 8;
const longestText = 4_096;

/**
 * Checks received data before a schema visits it. Returns `limit` for data larger than any message,
 * `schema` for an object that no message has, such as a date or an array of bytes, and nothing for
 * data that the schema can check.
 */
export function checkBounds(received: unknown): 'limit' | 'schema' | undefined {
  // A queue instead of recursion, because 3,000 levels must not overflow the stack.
  const queue = [{ value: received, level: 1 }];
  for (const { value, level } of queue) {
    if (typeof value === 'string' && value.length > longestText) return 'limit';
    if (typeof value !== 'object' || value === null) continue;
    // By its tag, because `new String(…)` or bytes would have as many keys as characters.
    if (!Array.isArray(value) && Object.prototype.toString.call(value) !== '[object Object]') return 'schema';
    if (level === mostLevels || (Array.isArray(value) && value.length > mostValues)) return 'limit';
    const keys = Object.keys(value);
    if (queue.length + keys.length > mostValues) return 'limit';
    for (const key of keys) queue.push({ value: (value as Record<string, unknown>)[key], level: level + 1 });
  }
  return undefined;
}
