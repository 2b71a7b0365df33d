import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mergeApplication } from '../../../src/server/applications/merge.js';
import type { KnownApplication } from '../../../src/server/index.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();

/** An application with these states: what each says, and in which minute it said so. */
function application(states: Record<string, [status: string, minute: number]>, submittedAt?: string): KnownApplication {
  return {
    applicationId: 'app_1',
    sessionId: 'ses_1',
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life',
    ...(submittedAt === undefined ? {} : { submittedAt }),
    progress: { step: submittedAt === undefined ? 'review' : 'submitted', index: 6, count: 6 },
    states: Object.entries(states).map(([state, [status, minute]]) => ({ state, status, updatedAt: at(minute) })),
  };
}

const statusesOf = ({ states }: KnownApplication) => states.map(({ state, status }) => `${state} ${status}`);

suite('what is known of an application, after a newer reading', () => {
  const cases: [
    what: string,
    known: Record<string, [string, number]>,
    read: Record<string, [string, number]>,
    expected: string[],
  ][] = [
    ['takes what is newer', { TX: ['pending_review', 1] }, { TX: ['requires_action', 2] }, ['TX requires_action']],
    ['takes what is of the same time', { TX: ['pending_review', 1] }, { TX: ['approved', 1] }, ['TX approved']],
    ['keeps what is newer', { TX: ['requires_action', 2] }, { TX: ['pending_review', 1] }, ['TX requires_action']],
    [
      'keeps an approval, whatever comes later',
      { TX: ['approved', 1] },
      { TX: ['pending_review', 2] },
      ['TX approved'],
    ],
    ['keeps a denial, whatever comes later', { TX: ['denied', 1] }, { TX: ['approved', 2] }, ['TX denied']],
    [
      'keeps a state that is left out',
      { TX: ['approved', 1], CA: ['denied', 1] },
      { TX: ['approved', 1] },
      ['TX approved', 'CA denied'],
    ],
    [
      'adds a state',
      { TX: ['approved', 1] },
      { CA: ['pending_review', 2], TX: ['approved', 1] },
      ['CA pending_review', 'TX approved'],
    ],
    [
      'is at home with states of any name',
      { CA: ['approved', 1] },
      { ['__proto__']: ['denied', 1] },
      ['__proto__ denied', 'CA approved'],
    ],
  ];
  for (const [what, known, read, expected] of cases) {
    test(what, () => {
      assert.deepEqual(statusesOf(mergeApplication(application(known, at(0)), application(read, at(0)))), expected);
    });
  }

  test('stays submitted, with the time at which that was', () => {
    const merged = mergeApplication(application({}, at(0)), application({}));
    assert.deepEqual([merged.submittedAt, merged.progress.step], [at(0), 'submitted']);
    assert.equal(mergeApplication(application({}, at(0)), application({}, at(5))).submittedAt, at(0));
  });
});
