import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KnownApplication } from '../../../src/server/store/licensing-store.js';
import { completeApplication, mergeApplication } from '../../../src/server/applications/known-application.js';
import { pendingEvents } from '../../../src/server/applications/events.js';
import { record } from '../store/record-suite.js';

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
  const pending = (updatedAt = at(1)): States => ({ TX: ['pending_review', updatedAt] });
  const action = (updatedAt = at(1)): States => ({ TX: ['requires_action', updatedAt] });
  const approved = (updatedAt = at(1)): States => ({ TX: ['approved', updatedAt] });
  const denied: States = { TX: ['denied', at(1)] };
  const [second, fraction] = ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.250Z'];
  const california: States = { CA: ['denied', at(1)] };
  const strange: States = { ['__proto__']: ['denied', at(1)] };
  const cases: [title: string, known: States, read: States, expected: string[]][] = [
    ['A later status replaces an earlier one.', pending(), action(at(2)), ['TX requires_action']],
    ['A status of the same time replaces the one before.', pending(), approved(), ['TX approved']],
    // Hosts leave out fractions that are zero.
    ['A status of the same second is later with a fraction.', pending(second), approved(fraction), ['TX approved']],
    ['A status without a time replaces the one before.', pending(), approved(''), ['TX approved']],
    ['An earlier status, from a copy that lags, replaces nothing.', action(at(2)), pending(), ['TX requires_action']],
    ['A corrected approval is under review again.', approved(), pending(at(2)), ['TX pending_review']],
    ['A corrected denial is an approval.', denied, approved(at(2)), ['TX approved']],
    ['A final status stays when a copy that lags is read.', approved(at(2)), pending(at(1)), ['TX approved']],
    ['A final status stays when another of the same time is read.', denied, pending(at(1)), ['TX denied']],
    ['A final status stays when another without a time is read.', denied, pending(''), ['TX denied']],
    [
      'A state that a reading does not mention is kept.',
      { ...denied, ...california },
      denied,
      ['TX denied', 'CA denied'],
    ],
    ['A new state is added in its place.', denied, { ...california, ...denied }, ['CA denied', 'TX denied']],
    ['A state may have any name.', california, strange, ['__proto__ denied', 'CA denied']],
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

  test('The license of an approval is kept and is in the event of its status.', async () => {
    const license = { licenseNumber: '1234567', issuedOn: '2026-01-02', expiresOn: '2028-01-31', lines: ['life'] };
    const states = [{ state: 'TX', status: 'approved' as const, updatedAt: at(1), ...license }];
    const known = completeApplication(record(1, { applicationId: 'app_1' }), { applicationId: 'app_1', states });
    const pending = await pendingEvents({ application: mergeApplication(undefined, known), delivered: {} });
    const event = pending.find(({ event: { type } }) => type === 'status')?.event;
    const base = { eventId: 'app_1.status:TX.1.approved', applicationId: 'app_1', sessionId: '', userId: 'usr_1' };
    assert.deepEqual(event, { ...base, type: 'status', ...states[0] });
  });

  test('A submitted application stays submitted, at the time that was read first.', () => {
    const merged = mergeApplication(application({}, at(0)), application({}));
    assert.deepEqual([merged.submittedAt, merged.progress.step], [at(0), 'submitted']);
    assert.equal(mergeApplication(application({}, at(0)), application({}, at(5))).submittedAt, at(0));
  });

  test('A final status with a later time replaces the earlier one, with its reason.', () => {
    const { states } = mergeApplication(application({ TX: ['denied', at(1)] }), application({ TX: ['denied', at(2)] }));
    assert.equal(states[0]?.updatedAt, at(2));
  });

  test('A user who goes back a step is shown at that step.', () => {
    const ahead = { ...application({}), progress: { step: 'review', index: 6, count: 6 } };
    const back = { ...application({}), progress: { step: 'identity', index: 2, count: 6 } };
    assert.deepEqual(mergeApplication(ahead, back).progress, back.progress);
  });
});

suite('Fields that a host omits are completed from the record', () => {
  const session = { sessionId: 'ses_1', applicationUrl: 'https://apply.example/s/1', returnState: 'x' };
  const known = record(1, { applicationId: 'app_1', session });
  const states = [{ state: 'TX', status: 'pending_review', updatedAt: '' }];
  const complete = (received: object) =>
    completeApplication(known, { applicationId: 'app_1', states: [], ...received });

  test('The step follows from the time of the submission and from the states.', () => {
    for (const [received, step] of [
      [{}, 'not_started'],
      [{ submittedAt: at(0) }, 'submitted'],
      [{ states }, 'submitted'],
      [{ states, progress: { step: 'review', index: 6, count: 6 } }, 'review'],
    ] as const) {
      assert.equal(complete(received).progress.step, step);
    }
  });

  test('The session, the type and the license are those of the host, else of the record.', () => {
    const { applicationType, licenseType } = known.request;
    const own = { sessionId: 'ses_2', applicationType: 'renewal', licenseType: 'health' };
    const fieldsOf = (received: object) => {
      const { sessionId, ...rest } = complete(received);
      return [sessionId, rest.applicationType, rest.licenseType];
    };
    assert.deepEqual(fieldsOf({}), ['ses_1', applicationType, licenseType]);
    assert.deepEqual(fieldsOf(own), Object.values(own));
    assert.equal(completeApplication(record(1, { applicationId: 'app_1' }), complete({})).sessionId, 'ses_1');
  });

  test('An answer about another application or user is an error, and one without a user is not.', () => {
    complete({ userId: 'usr_1' });
    for (const other of [{ applicationId: 'app_2' }, { userId: 'usr_2' }]) {
      assert.throws(() => complete(other), { name: 'ApplicationMismatchError' });
    }
  });
});
