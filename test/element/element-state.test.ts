import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  type ElementStateEvent,
  type ElementState,
  elementStates,
  nextState,
} from '../../src/element/element-state.js';

const update = (
  phase: 'unsubmitted' | 'submitted' | 'awaiting-action',
  purpose: 'application' | 'page' = 'application',
) => ({ type: 'update', phase, purpose }) as const;

const table: [ElementState, ElementStateEvent, ElementState][] = [
  ['idle', { type: 'open' }, 'preparing'],
  ['closed', { type: 'open' }, 'preparing'],
  ['error', { type: 'open' }, 'preparing'],
  ['awaiting-action', { type: 'open' }, 'preparing'],
  ['preparing', { type: 'load' }, 'connecting'],
  ['connecting', { type: 'show' }, 'active'],
  ['submitted', { type: 'show' }, 'submitted'],
  ['active', update('unsubmitted'), 'active'],
  ['active', update('submitted'), 'submitted'],
  ['active', update('awaiting-action'), 'awaiting-action'],
  ['active', update('awaiting-action', 'page'), 'active'],
  ['active', update('submitted', 'page'), 'active'],
  ['awaiting-action', update('submitted'), 'submitted'],
  ['closed', update('submitted'), 'submitted'],
  ['error', update('submitted'), 'submitted'],
  ['preparing', { type: 'close', phase: 'unsubmitted' }, 'closed'],
  ['active', { type: 'close', phase: 'unsubmitted' }, 'closed'],
  ['idle', { type: 'close', phase: 'unsubmitted' }, 'closed'],
  ['active', { type: 'close', phase: 'submitted' }, 'submitted'],
  ['active', { type: 'close', phase: 'awaiting-action' }, 'awaiting-action'],
  ['connecting', { type: 'fail' }, 'error'],
  ['error', { type: 'reset' }, 'idle'],
];

for (const [from, event, to] of table) {
  it(`the state of the element changes from ${from} to ${to} on ${JSON.stringify(event)}`, () => {
    assert.equal(nextState(from, event), to);
  });
}

it('the state of the element is never one of an open application after closing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...elementStates),
      fc.constantFrom('unsubmitted' as const, 'submitted' as const, 'awaiting-action' as const),
      (state, phase) => {
        assert.ok(!['preparing', 'connecting', 'active'].includes(nextState(state, { type: 'close', phase })));
      },
    ),
  );
});
