import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKeys, sealedPrefix, tokenOf, UnknownKeyError } from '../../../src/bridge/domain/keys/keys.js';

const [first, second] = [randomBytes(32), randomBytes(32)];
const before = createKeys(first);
const after = createKeys(second, [first]);

test('An encrypted value can be decrypted only in its place and with its key.', () => {
  const sealed = before.encrypt('900-11-0003', 'row:1');
  assert.ok(sealed.startsWith(sealedPrefix(before.newestId)));
  assert.notEqual(before.encrypt('900-11-0003', 'row:1'), sealed);
  assert.equal(after.decrypt(sealed, 'row:1'), '900-11-0003');
  assert.throws(() => after.decrypt(sealed, 'row:2'));
  assert.throws(() => after.decrypt(`${sealed.slice(0, -2)}AA`, 'row:1'));
  assert.throws(() => createKeys(second).decrypt(sealed, 'row:1'), UnknownKeyError);
  assert.throws(() => after.decrypt('900-11-0003', 'row:1'), UnknownKeyError);
});

test('New secrets are encrypted with the newest key.', () => {
  assert.notDeepEqual(after.newestId, before.newestId);
  const sealed = after.encrypt('text', 'row:1');
  assert.throws(() => before.decrypt(sealed, 'row:1'), UnknownKeyError);
  assert.deepEqual(after.mac('link', 'text').subarray(0, 6), after.newestId);
});

test('A text has one hash per key and purpose, the newest first.', () => {
  const [newest, old] = after.macs('client-secret', 'text');
  assert.deepEqual([newest, old], [after.mac('client-secret', 'text'), before.mac('client-secret', 'text')]);
  assert.equal(newest?.length, 38);
  assert.notDeepEqual(after.mac('link', 'text'), newest);
  assert.match(tokenOf(after.mac('link', 'text')), /^[\w-]{43}$/);
});
