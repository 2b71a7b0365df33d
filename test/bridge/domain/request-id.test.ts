import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  currentRequestId,
  currentTraceparent,
  traceIdOf,
  withRequestId,
} from '../../../src/bridge/domain/request-id.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const valid = `00-${traceId}-00f067aa0ba902b7-01`;
const traceOf = (header: string | undefined) => withRequestId('req_1', () => currentTraceparent() ?? '', header);

for (const [what, traceparent] of [
  ['absent', undefined],
  ['empty', ''],
  ['in upper case', valid.toUpperCase()],
  ['of the version that is none', valid.replace('00-', 'ff-')],
  ['longer than its version allows', `${valid}-00`],
  ['too short', valid.slice(0, -1)],
  ['of a trace of zeros', valid.replace(traceId, '0'.repeat(32))],
  ['of a parent of zeros', valid.replace('00f067aa0ba902b7', '0'.repeat(16))],
  ['a second header', `${valid}, ${valid}`],
  ['something else', "'; drop table webhook_event; --"],
] as const) {
  test(`A traceparent that is ${what} is replaced by a new one that is not sampled.`, () => {
    const sent = traceOf(traceparent);
    assert.match(sent, /^00-[\da-f]{32}-[\da-f]{16}-00$/);
    assert.ok(!sent.includes(traceId));
    assert.notEqual(traceOf(traceparent), sent);
  });
}

test("A valid traceparent continues, and the known part of a later version's is read.", () => {
  assert.equal(traceOf(valid), valid);
  for (const more of ['', '-what-is-new']) assert.equal(traceOf(`cc-${valid.slice(3)}${more}`), valid);
  assert.equal(traceIdOf(valid), traceId);
});

test('The id of a request belongs to its work only, also after a wait.', async () => {
  assert.deepEqual([currentRequestId(), currentTraceparent()], [undefined, undefined]);
  const work = async () => {
    await new Promise(setImmediate);
    return currentRequestId();
  };
  assert.deepEqual(await Promise.all([withRequestId('req_1', work), withRequestId('req_2', work)]), ['req_1', 'req_2']);
});
