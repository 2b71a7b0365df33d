import { deepEqual, equal } from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Turn } from '../../../src/bridge/outbox/turn.js';

describe('a turn of the agencies', () => {
  let turn: Turn;
  beforeEach(() => {
    turn = new Turn();
  });

  /** Claims that stop after these agencies; "" is the end of the list. Whether each is followed at once. */
  function claim(...places: string[]): boolean[] {
    return places.map((place) => {
      turn.begin();
      turn.place = place;
      return turn.goesOn();
    });
  }

  /** The number of claims that follow each other at once, when no end of the list comes. */
  function claimsInARow(): number {
    for (let count = 1; ; count += 1) if (!claim('m')[0]) return count;
  }

  it('ends when every agency has been looked at, by one claim or by several.', () => {
    deepEqual(claim(''), [false]);
    deepEqual(claim('c', 'k', ''), [true, true, false]);
    // The next poll begins another one.
    deepEqual(claim('c', ''), [true, false]);
  });

  it('that begins in the middle of the list ends when it has come back to its beginning.', () => {
    turn.place = 'k';
    deepEqual(claim('t', '', 'c', ''), [true, true, true, false]);
  });

  it('has at most sixteen claims in a row; the next poll begins another one.', () => {
    equal(claimsInARow(), 16);
    equal(claimsInARow(), 16);
  });

  it('begins again with an event that was written meanwhile, in the middle of it and after it.', () => {
    claim('c', 'k', 'm', 'p');
    turn.beginAnew();
    equal(claimsInARow(), 16);
    turn.beginAnew();
    equal(claimsInARow(), 16);
    // One event begins one turn.
    turn.beginAnew();
    claim('c', 'k', 'm', 'p');
    equal(claimsInARow(), 12);
  });

  it('does not begin for a slot that a delivery has freed: one claim is enough.', () => {
    claim('');
    turn.claimOnce();
    deepEqual(claim('k'), [false]);
    // Only for one claim, and not when there is a new event, too.
    equal(claimsInARow(), 16);
    turn.claimOnce();
    turn.beginAnew();
    equal(claimsInARow(), 16);
  });

  it('continues when a slot becomes free in the middle of it.', () => {
    claim('c', 'k');
    turn.claimOnce();
    equal(claimsInARow(), 14);
    turn.claimOnce();
    deepEqual(claim(''), [false]);
  });
});
