import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { hasClaimed } from '../../../src/bridge/domain/filings/claims.js';
import type { StateCode } from '../../../src/contract/index.js';

const actor = 'operator:op_dana';
const filing = (state: StateCode, own: object = {}) => ({
  state,
  status: 'claimed' as const,
  claimedBy: actor,
  ...own,
});

for (const [title, filings, state, expected] of [
  ['has claimed the only filing', [filing('TX')], 'TX', true],
  ['has claimed one of several, for its state', [filing('CA', { claimedBy: null }), filing('TX')], 'TX', true],
  ['has claimed one of several, for the application', [filing('CA', { claimedBy: null }), filing('TX')], null, true],
  ['has claimed another state', [filing('CA')], 'TX', false],
  ['has filed it', [filing('TX', { status: 'filed' })], 'TX', false],
  ['is not the one who has claimed it', [filing('TX', { claimedBy: 'operator:op_sam' })], 'TX', false],
  ['has none', [], null, false],
] as const) {
  test(`An operator who ${title} needs ${expected ? 'no' : 'a'} reason to read the package.`, () => {
    equal(hasClaimed(filings, { state, actor }), expected);
  });
}
