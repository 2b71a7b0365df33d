import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  applicationStatuses,
  statusTransitions,
  type Application,
  type ApplicationStatus,
  type StateCode,
} from '../../../src/contract/index.js';
import { findAction } from '../../../src/bridge/domain/applications/action.js';
import {
  answerAction,
  type Decision,
  decideSimulated,
  decideState,
} from '../../../src/bridge/domain/filings/departments.js';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import type { DepartmentJob } from '../../../src/bridge/domain/jobs.js';
import { hashToken } from '../../../src/bridge/domain/keys/keys.js';
import { saveStep } from '../../../src/bridge/store/applications/step-store.js';
import { answerAtOnce } from '../apply/support/shortcuts.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import {
  type ApplicationOptions,
  changeApplication,
  createApplication,
  submitApplication as submitTo,
} from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

let bridge: TestBridge;
let receiver: Receiver;
/** Records the jobs of departments instead of running them. */
let context: BridgeContext;
let jobs: [DepartmentJob, afterSeconds: number][] = [];
before(async () => {
  receiver = await startReceiver();
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
  const { schedule } = bridge.context;
  context = {
    ...bridge.context,
    async schedule(trx, kind, job, afterSeconds) {
      if (kind === 'department') jobs.push([job as DepartmentJob, afterSeconds]);
      else await schedule(trx, kind, job, afterSeconds);
    },
  };
});
beforeEach(() => {
  jobs = [];
});
after(async () => {
  await bridge.stop();
  await receiver.close();
});

const read = async (id: string) => (await bridge.call('GET', `/v1/applications/${id}`)).body as Application;
const decide = (applicationId: string, status: ApplicationStatus, change: Partial<Decision> = {}) =>
  decideState(context, { applicationId, state: 'TX', status, ...change });
const helper = (id: string, state: string, body: object, token?: string) =>
  bridge.call('POST', `/v1/test_helpers/applications/${id}/states/${state}`, { body, ...(token && { token }) });
const rowOf = (id: string) =>
  context.db.selectFrom('applicationState').selectAll().where('applicationId', '=', id).executeTakeFirstOrThrow();
const tokenIn = async (id: string) => (await read(id)).states[0]?.actionUrl?.split('/').at(-1) ?? '';

async function submitted(ssnLast4 = '0004', options: ApplicationOptions = {}): Promise<string> {
  const id = await createApplication(bridge, options);
  await submitTo({ ...bridge, context }, id, ssnLast4);
  return id;
}
const answer = (id: string) =>
  changeApplication(bridge, id, (trx, application) => answerAction(context, trx, application, 'TX'));
/** A live application, which the partner pays for. */
const submitLive = () => submitted('0001', { token: bridge.tokens.live, paymentMethod: 'partner_billing' });

for (const [last4, status, afterSeconds] of [
  ['0001', 'approved', 0],
  ['0002', 'denied', 0],
  ['0003', 'requires_action', 0],
  ['0004', undefined, 0],
  ['1234', 'approved', 3],
] as const) {
  test(`An SSN that ends in ${last4} is ${status ?? 'not decided'} in every state after ${afterSeconds} seconds.`, async () => {
    const applicationId = await submitted(last4, { states: ['TX', 'CA'] });
    const expected = status
      ? (['TX', 'CA'] as const).map((state) => [{ applicationId, state, status }, afterSeconds])
      : [];
    assert.deepEqual(jobs, expected);
    for (const [job] of jobs) await decideSimulated(context, job);
    for (const state of (await read(applicationId)).states) {
      assert.equal(state.status, status ?? 'pending_review');
      assert.equal(state.reason?.includes('simulated') ?? false, status !== undefined && status !== 'approved');
    }
  });
}

for (const [language, denied, asked] of [
  ['en', /^The department denied the application/, /^The department asks for a document/],
  ['es', /^El departamento denegó la solicitud/, /^El departamento pide un documento/],
] as const) {
  test(`The reason of a simulated department is in the language in which the user signed: ${language}.`, async () => {
    for (const [last4, reason] of [
      ['0002', denied],
      ['0003', asked],
    ] as const) {
      jobs = [];
      const id = await createApplication(bridge);
      const now = context.clock();
      const data = { language, signedAt: now.toISOString(), catalogueVersion: '2026.11.1', digest: 'digest' };
      await changeApplication(bridge, id, (trx) =>
        saveStep(trx, {
          ...{ applicationId: id, step: 'review', data, encrypted: null, searchHashes: null },
          ...{ savedAt: now, completedAt: now },
        }),
      );
      await submitTo({ ...bridge, context }, id, last4);
      for (const [job] of jobs) await decideSimulated(context, job);
      assert.match((await rowOf(id)).reason ?? '', reason);
    }
  });
}

test('A simulated department decides by itself, after the user has answered its request.', async () => {
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await submitTo(bridge, id, '0003');
  const settled = (status: ApplicationStatus) =>
    until(
      () => rowOf(id),
      (row) => row.status === status,
    );
  await settled('requires_action');
  assert.match((await read(id)).states[0]?.actionUrl?.slice(bridge.applyUrl.length) ?? '', /^\/a\/[\w-]{43}$/);
  await changeApplication(bridge, id, (trx, application) => answerAction(bridge.context, trx, application, 'TX'));
  await settled('approved');
});

test('An answered request is reviewed again: simulated in test mode after three seconds, filed in live mode.', async () => {
  const id = await submitted();
  await decide(id, 'requires_action', { reason: 'More.' });
  await answer(id);
  const { status, reason, actionHash, actionSerial } = await rowOf(id);
  assert.deepEqual([status, reason, actionHash, actionSerial], ['pending_review', null, null, 1]);
  assert.deepEqual(jobs, [[{ applicationId: id, state: 'TX', status: 'approved' }, 3]]);
  await assert.rejects(answer(id), { failure: 'invalid_transition' });

  const live = await submitLive();
  await decide(live, 'requires_action');
  await answer(live);
  const filings = await context.db.selectFrom('filing').select('serial').where('applicationId', '=', live).execute();
  assert.deepEqual(filings, [{ serial: 1 }]);
  assert.equal(jobs.length, 1);
});

test('Each change of a status that is allowed is applied, and each other one is refused.', async () => {
  const id = await submitted();
  for (const from of applicationStatuses) {
    for (const to of applicationStatuses) {
      await context.db.updateTable('applicationState').set({ status: from }).where('applicationId', '=', id).execute();
      const { status, body } = await helper(id, 'TX', { status: to, reason: `${from} ${to}` });
      const isAllowed = statusTransitions[from].includes(to);
      assert.deepEqual([status, body.code], isAllowed ? [200, undefined] : [400, 40008], `${from} ${to}`);
      const row = await rowOf(id);
      assert.equal(row.status, isAllowed ? to : from);
      if (isAllowed) assert.equal(row.reason, `${from} ${to}`);
    }
  }
});

test('A decision needs the expected status, its own agency, and a submitted application of that state.', async () => {
  const id = await submitted();
  const isRefused = (failure: string, change: Partial<Decision>) =>
    assert.rejects(decide(id, 'approved', change), { failure });
  await isRefused('invalid_transition', { from: 'requires_action' });
  await isRefused('unknown_application', { state: 'CA' });
  await isRefused('unknown_application', { applicationId: 'app_unknown' });
  await isRefused('unknown_application', { owner: { agencyId: bridge.agencyId, mode: 'live' } });
  await isRefused('unknown_application', { owner: { agencyId: 'agn_other', mode: 'test' } });
  await isRefused('invalid_transition', { applicationId: await createApplication(bridge) });
  await decide(id, 'approved', { from: 'pending_review', owner: { agencyId: bridge.agencyId, mode: 'test' } });
  assert.equal((await rowOf(id)).status, 'approved');
});

test('Of two decisions at the same time, the second sees the first.', async () => {
  const id = await submitted();
  const decided = await Promise.allSettled([decide(id, 'approved'), decide(id, 'denied'), decide(id, 'approved')]);
  assert.deepEqual(decided.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
});

test('A decision of a person is audited, one of a simulated department is not, and an empty reason is none.', async () => {
  const id = await submitted();
  await decide(id, 'requires_action', { reason: '' });
  assert.equal((await rowOf(id)).reason, null);
  await decide(id, 'denied', { actor: 'cli:tester' });
  const entries = await context.db
    .selectFrom('auditEntry')
    .select(['action', 'actor', 'result', 'agencyId', 'mode'])
    .where('subject', '=', `${id}/TX`)
    .execute();
  const mine = { agencyId: bridge.agencyId, mode: 'test' };
  assert.deepEqual(entries, [{ action: 'state.decided', actor: 'cli:tester', result: 'denied', ...mine }]);
});

test('Every requested action has a new link, or the URL of the department until the status changes.', async () => {
  const id = await submitted();
  const tokens: string[] = [];
  for (let round = 1; round <= 2; round += 1) {
    await decide(id, 'requires_action');
    tokens.push(await tokenIn(id));
    const row = await rowOf(id);
    assert.deepEqual([row.actionHash, row.actionSerial], [hashToken(tokens.at(-1) ?? ''), round]);
    await decide(id, 'pending_review');
  }
  assert.notEqual(tokens[0], tokens[1]);
  const actionUrl = 'https://department.example/upload';
  await decide(id, 'requires_action', { actionUrl });
  assert.equal((await read(id)).states[0]?.actionUrl, actionUrl);
  await decide(id, 'pending_review', { actionUrl });
  assert.equal((await rowOf(id)).actionUrlOverride, null);
});

test('A late simulated department changes nothing and causes no error, but a failure is repeated.', async () => {
  const id = await submitted();
  await decide(id, 'requires_action');
  for (const applicationId of [id, 'app_gone']) {
    await decideSimulated(context, { applicationId, state: 'TX', status: 'approved' });
  }
  assert.equal((await rowOf(id)).status, 'requires_action');
  const failing = { ...context, clock: () => assert.fail('the clock stopped') };
  const job = { applicationId: await submitted(), state: 'TX', status: 'approved' } as const;
  await assert.rejects(decideSimulated(failing, job), /the clock stopped/);
});

test('A request is found while it is open, after it was answered and while its agency is deactivated, and not after a decision.', async () => {
  const id = await submitted();
  await decide(id, 'requires_action');
  const [token, agency] = [
    await tokenIn(id),
    (deactivatedAt: Date | null) =>
      context.db.updateTable('agency').set({ deactivatedAt }).where('id', '=', bridge.agencyId).execute(),
  ];
  const phase = async () => (await findAction(context, token))?.phase;
  const answers = () =>
    context.db.selectFrom('applicationAction').selectAll().where('applicationId', '=', id).execute();
  assert.equal(await phase(), 'open');
  await agency(new Date());
  assert.equal(await phase(), 'stopped');
  // Sent from a page that was open before.
  await answerAtOnce(context, token, 'too late');
  assert.deepEqual([await answers(), (await rowOf(id)).status], [[], 'requires_action']);
  await agency(null);
  await answerAtOnce(context, token, 'in time');
  await answerAtOnce(context, token, 'again');
  const [saved, ...others] = await answers();
  assert.ok(saved && others.length === 0);
  assert.deepEqual([saved.serial, saved.linkHash, saved.state], [1, hashToken(token), 'TX']);
  assert.equal(await phase(), 'answered');
  await decide(id, 'requires_action');
  const second = await tokenIn(id);
  await decide(id, 'denied');
  assert.equal(await findAction(context, second), undefined);
  await answerAtOnce(context, second, 'too late');
  assert.equal((await answers()).length, 1);
  assert.equal(await findAction(context, 'unknown'), undefined);
});

test('The test helper refuses other states, unsubmitted and unknown applications, and those of live mode and of other agencies.', async () => {
  const id = await submitted();
  const live = await submitLive();
  const status = { status: 'approved' };
  const { tokens } = await bridge.addAgency();
  for (const [applicationId, state, body, code, token] of [
    [id, 'CA', status, 40402],
    [id, 'ZZ', status, 40001],
    ['app_unknown', 'TX', status, 40402],
    ['nonsense', 'TX', status, 40402],
    [await createApplication(bridge), 'TX', status, 40008],
    [id, 'TX', { status: 'perhaps' }, 40001],
    [live, 'TX', status, 40401, bridge.tokens.live],
    [live, 'TX', status, 40402],
    [id, 'TX', status, 40402, tokens.test],
  ] as const) {
    assert.equal((await helper(applicationId, state, body, token)).body.code, code, `${applicationId} ${state}`);
  }
  for (const [read, token] of [
    [live, bridge.tokens.test],
    [id, tokens.test],
  ] as const) {
    assert.equal((await bridge.call('GET', `/v1/applications/${read}`, { token })).body.code, 40402);
  }
  await decide(live, 'approved', { actor: 'cli:tester', override: 'Confirmed by phone' });
  const { body } = await bridge.call('GET', `/v1/applications/${live}`, { token: bridge.tokens.live });
  assert.equal((body as Application).states[0]?.status, 'approved');
});

test('A change to requires_action sends status_changed and then requires_action, with the link of getApplication (operation 19).', async (t) => {
  const own = await startReceiver();
  t.after(() => own.close());
  const id = await submitted('0004', { webhookUrl: own.url, states: ['TX', 'CA'] });
  await decide(id, 'requires_action', { state: 'CA' satisfies StateCode, reason: 'A document is missing.' });
  await own.arrival(3);
  const [, changed, asked] = own.received.map(({ event }) => event);
  assert.deepEqual(
    own.received.map(({ event }) => event.type),
    ['application.submitted', 'application.status_changed', 'application.requires_action'],
  );
  const { sessionId, userId, states } = await read(id);
  const about = { applicationId: id, sessionId, userId };
  assert.deepEqual(changed?.data, { ...about, states: [{ state: 'CA', status: 'requires_action' }] });
  const { actionUrl } = states[1] ?? {};
  assert.ok(actionUrl);
  assert.deepEqual(asked?.data, { ...about, actionUrl, state: 'CA', reason: 'A document is missing.' });
  const stored = await context.db.selectFrom('webhookEvent').selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(actionUrl.split('/').at(-1) ?? ''));
});
