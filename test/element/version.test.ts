import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { version } from '../../src/element/version.js';

test('a diagnosis names the version that is published', () => {
  const { version: published } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal(version, published);
});
