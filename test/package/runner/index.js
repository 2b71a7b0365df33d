import assert from 'node:assert/strict';

/** The tests that were registered, in their order. */
export const tests = [];

/** Replaces `test` of Playwright. */
export function test(name, run) {
  tests.push({ name, run });
}

/** The part of `expect` that the README uses. */
export function expect(list) {
  return { not: { toContain: (item) => assert.ok(!list.includes(item), `${item} is in the list`) } };
}
