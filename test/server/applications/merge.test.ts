import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KnownApplication } from '../../../src/server/store/licensing-store.js';
import { mergeApplication } from '../../../src/server/applications/known-application.js';
import { submitted } from '../support/applications.js';
import { partner } from '../support/partner.js';

type States = Record<string, [status: string, updatedAt: string]>;

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();

function application(states: States, submittedAt?: string): KnownApplication {
  return {
    applicationId: 'app_1',
    sessionId: 'ses_1',
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life',
    ...(submittedAt === undefined ? {} : { submittedAt }),
    progress: { step: submittedAt === undefined ? 'review' : 'submitted', index: 6, count: 6 },
    states: Object.entries(states).map(([state, [status, updatedAt]]) => ({ state, status, updatedAt })),
  };
}

suite('A newer reading of an application is merged into the record', () => {
  const cases: [title: string, known: States, read: States, expected: string[]][] = [
    [
      'A later status replaces an earlier one.',
      { TX: ['pending_review', at(1)] },
      { TX: ['requires_action', at(2)] },
      ['TX requires_action'],
    ],
    [
      'A status of the same time replaces the one before.',
      { TX: ['pending_review', at(1)] },
      { TX: ['approved', at(1)] },
      ['TX approved'],
    ],
    [
      'A status of the same second is later, though the host leaves out fractions that are zero.',
      { TX: ['pending_review', '2026-11-20T12:00:00Z'] },
      { TX: ['approved', '2026-11-20T12:00:00.250Z'] },
      ['TX approved'],
    ],
    [
      'A status without a time replaces the one before.',
      { TX: ['pending_review', at(1)] },
      { TX: ['approved', ''] },
      ['TX approved'],
    ],
    [
      'An earlier status, from a copy that lags, replaces nothing.',
      { TX: ['requires_action', at(2)] },
      { TX: ['pending_review', at(1)] },
      ['TX requires_action'],
    ],
    [
      'An approval stays, whatever is read later.',
      { TX: ['approved', at(1)] },
      { TX: ['pending_review', at(2)] },
      ['TX approved'],
    ],
    ['A denial stays, whatever is read later.', { TX: ['denied', at(1)] }, { TX: ['approved', at(2)] }, ['TX denied']],
    [
      'A state that a reading does not mention is kept.',
      { TX: ['approved', at(1)], CA: ['denied', at(1)] },
      { TX: ['approved', at(1)] },
      ['TX approved', 'CA denied'],
    ],
    [
      'A new state is added, in the order of the reading.',
      { TX: ['approved', at(1)] },
      { CA: ['pending_review', at(2)], TX: ['approved', at(1)] },
      ['CA pending_review', 'TX approved'],
    ],
    [
      'A state may have any name.',
      { CA: ['approved', at(1)] },
      { ['__proto__']: ['denied', at(1)] },
      ['__proto__ denied', 'CA approved'],
    ],
  ];
  for (const [title, known, read, expected] of cases) {
    test(title, () => {
      const { states } = mergeApplication(application(known, at(0)), application(read, at(0)));
      assert.deepEqual(
        states.map(({ state, status }) => `${state} ${status}`),
        expected,
      );
    });
  }

  test('A submitted application stays submitted, at the time that was read first.', () => {
    const merged = mergeApplication(application({}, at(0)), application({}));
    assert.deepEqual([merged.submittedAt, merged.progress.step], [at(0), 'submitted']);
    assert.equal(mergeApplication(application({}, at(0)), application({}, at(5))).submittedAt, at(0));
  });

  test('A user who goes back a step is shown at that step.', () => {
    const ahead = { ...application({}), progress: { step: 'review', index: 6, count: 6 } };
    const back = { ...application({}), progress: { step: 'identity', index: 2, count: 6 } };
    assert.deepEqual(mergeApplication(ahead, back).progress, back.progress);
  });

  test('A clock that is set back delays nothing: the page shows what the bridge has.', async (t) => {
    const { begin, bridge, clock, request } = partner(t);
    await begin();
    await request('/applications/app_1');
    bridge.change('app_1', submitted);
    clock.leap(-60 * 60_000);
    assert.match(await (await request('/applications/app_1')).text(), /"pending_review"/);
  });
});
