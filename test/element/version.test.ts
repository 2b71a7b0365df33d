import assert from 'node:assert/strict';
import { test } from 'node:test';
import { version } from '../../src/element/version.js';
import { readManifest } from '../support/consumer.js';

test('the version in a diagnosis is the one of both packages', () => {
  for (const name of ['licensing-apply', 'licensing-bridge'] as const) {
    assert.equal(readManifest(name).version, version, name);
  }
});
