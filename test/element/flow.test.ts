import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type FlowEvent, type FlowState, flowStates, nextState } from '../../src/element/flow.js';

const learned = (
  phase: 'unsubmitted' | 'submitted' | 'awaiting-action',
  purpose: 'application' | 'action' = 'application',
) => ({ type: 'learn', phase, purpose }) as const;

const table: [FlowState, FlowEvent, FlowState][] = [
  ['idle', { type: 'open' }, 'preparing'],
  ['closed', { type: 'open' }, 'preparing'],
  ['error', { type: 'open' }, 'preparing'],
  ['awaiting-action', { type: 'open' }, 'preparing'],
  ['preparing', { type: 'load' }, 'connecting'],
  ['connecting', { type: 'show' }, 'active'],
  ['submitted', { type: 'show' }, 'submitted'],
  ['active', learned('unsubmitted'), 'active'],
  ['active', learned('submitted'), 'submitted'],
  ['active', learned('awaiting-action'), 'awaiting-action'],
  ['active', learned('awaiting-action', 'action'), 'active'],
  ['active', learned('submitted', 'action'), 'active'],
  ['awaiting-action', learned('submitted'), 'submitted'],
  ['closed', learned('submitted'), 'submitted'],
  ['error', learned('submitted'), 'submitted'],
  ['preparing', { type: 'close', phase: 'unsubmitted' }, 'closed'],
  ['active', { type: 'close', phase: 'unsubmitted' }, 'closed'],
  ['idle', { type: 'close', phase: 'unsubmitted' }, 'closed'],
  ['active', { type: 'close', phase: 'submitted' }, 'submitted'],
  ['active', { type: 'close', phase: 'awaiting-action' }, 'awaiting-action'],
  ['connecting', { type: 'fail' }, 'error'],
];

describe('the flow', () => {
  for (const [from, event, to] of table) {
    it(`goes from ${from} to ${to} by ${JSON.stringify(event)}`, () => {
      assert.equal(nextState(from, event), to);
    });
  }

  it('always ends a closing with nothing on the screen', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...flowStates),
        fc.constantFrom('unsubmitted' as const, 'submitted' as const, 'awaiting-action' as const),
        (state, phase) => {
          assert.ok(!['preparing', 'connecting', 'active'].includes(nextState(state, { type: 'close', phase })));
        },
      ),
    );
  });
});
