import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reactBytes } from '../bench/element/sizes.js';

test('the component costs less than 1 kB, minified and gzipped, beyond React and the element', async () => {
  const bytes = await reactBytes();
  assert.ok(bytes > 300 && bytes <= 1_000, `${bytes} bytes`);
});
