import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { version } from '../../src/element/version.js';

test('the version in a diagnosis is the one of package.json', () => {
  const { version: published } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal(version, published);
});
