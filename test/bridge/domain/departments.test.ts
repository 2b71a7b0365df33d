import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  applicationStatuses,
  statusTransitions,
  type Application,
  type ApplicationStatus,
} from '../../../src/contract/index.js';
import { answerAction, decideSimulated, decideState } from '../../../src/bridge/domain/applications/departments.js';
import { hashToken } from '../../../src/bridge/domain/keys/keys.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication, submitApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';

let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
});
after(async () => {
  await bridge.stop();
  await receiver.close();
});

const read = async (id: string) => (await bridge.call('GET', `/v1/applications/${id}`)).body as Application;
const decide = (id: string, state: string, body: object, token?: string) =>
  bridge.call('POST', `/v1/test_helpers/applications/${id}/states/${state}`, {
    body,
    ...(token === undefined ? {} : { token }),
  });

/**
 * Waits for the webhooks of an application until every state has this status. The department
 * decides after a delay.
 */
async function settled(id: string, status: ApplicationStatus): Promise<Application> {
  for (;;) {
    const told = receiver.received.length;
    const application = await read(id);
    if (application.states.every((state) => state.status === status)) return application;
    await receiver.arrival(told + 1);
  }
}

async function submitted(ssnLast4 = '0004', states: ['TX', 'CA'] | ['TX'] = ['TX']): Promise<string> {
  const id = await createApplication(bridge, { states, webhookUrl: receiver.url });
  await submitApplication(bridge, id, ssnLast4);
  return id;
}

/** Moves TX of a new application to a status by allowed transitions. */
async function broughtTo(status: ApplicationStatus): Promise<string> {
  const id = await submitted();
  if (status !== 'pending_review') await decide(id, 'TX', { status });
  return id;
}

test('A submitted application waits in every state, in the requested order.', async () => {
  const application = await read(await submitted('0004', ['TX', 'CA']));
  assert.deepEqual(application.progress, { step: 'submitted', index: 6, count: 6 });
  assert.match(application.submittedAt ?? '', /Z$/);
  assert.deepEqual(
    application.states.map(({ state, status }) => [state, status]),
    [
      ['TX', 'pending_review'],
      ['CA', 'pending_review'],
    ],
  );
});

for (const [last4, status] of [
  ['0001', 'approved'],
  ['0002', 'denied'],
  ['0003', 'requires_action'],
  ['1234', 'approved'],
] as const) {
  test(`An SSN that ends in ${last4} is ${status} in every state.`, async () => {
    const { states } = await settled(await submitted(last4, ['TX', 'CA']), status);
    assert.equal(states.length, 2);
    if (status !== 'approved') assert.match(states[0]?.reason ?? '', /simulated/);
  });
}

test('After 0003 the user answers the request and the state approves; then the link is invalid.', async () => {
  const id = await submitted('0003');
  const { states } = await settled(id, 'requires_action');
  const actionUrl = states[0]?.actionUrl ?? '';
  assert.match(actionUrl.slice(bridge.applyUrl.length), /^\/a\/[\w-]{43}$/);
  await changeApplication(bridge, id, (trx, application) => answerAction(bridge.context, trx, application, 'TX'));
  const pending = (await read(id)).states[0];
  assert.deepEqual([pending?.status, pending?.actionUrl, pending?.reason], ['pending_review', undefined, undefined]);
  await settled(id, 'approved');
  const again = changeApplication(bridge, id, (trx, application) =>
    answerAction(bridge.context, trx, application, 'TX'),
  );
  await assert.rejects(again, { failure: 'invalid_transition' });
});

for (const from of applicationStatuses) {
  for (const to of applicationStatuses) {
    const isAllowed = statusTransitions[from].includes(to);
    test(`${from} → ${to} is ${isAllowed ? 'applied' : 'refused'}.`, async () => {
      const id = await broughtTo(from);
      const answer = await decide(id, 'TX', { status: to, reason: 'Because.' });
      assert.equal(answer.status, isAllowed ? 200 : 400, JSON.stringify(answer.body));
      if (!isAllowed) assert.equal(answer.body.code, 40008);
      const state = (await read(id)).states[0];
      assert.equal(state?.status, isAllowed ? to : from);
      if (isAllowed) assert.equal(state.reason, 'Because.');
    });
  }
}

test('Of two concurrent decisions, the second sees the first.', async () => {
  const id = await submitted();
  const answers = await Promise.all([decide(id, 'TX', { status: 'approved' }), decide(id, 'TX', { status: 'denied' })]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
});

test('Every requested action has a new link.', async () => {
  const id = await submitted();
  const links: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const { body } = await decide(id, 'TX', { status: 'requires_action' });
    links.push((body as Application).states[0]?.actionUrl ?? '');
    const row = await bridge.context.db
      .selectFrom('application_state')
      .selectAll()
      .where('application_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(row.action_hash, hashToken(links.at(-1)?.split('/').at(-1) ?? ''));
    await decide(id, 'TX', { status: 'pending_review' });
  }
  assert.notEqual(links[0], links[1]);
});

test('A URL of the department replaces the action page until the status changes.', async () => {
  const id = await submitted();
  const actionUrl = 'https://department.example/upload';
  await decideState(bridge.context, { applicationId: id, state: 'TX', status: 'requires_action', actionUrl });
  assert.equal((await read(id)).states[0]?.actionUrl, actionUrl);
  await decide(id, 'TX', { status: 'pending_review' });
  const { body } = await decide(id, 'TX', { status: 'requires_action' });
  assert.match((body as Application).states[0]?.actionUrl ?? '', /\/a\//);
});

test('A late simulated department changes nothing, and causes no error.', async () => {
  const id = await submitted();
  await decide(id, 'TX', { status: 'denied' });
  await decideSimulated(bridge.context, { applicationId: id, state: 'TX', status: 'approved' });
  await decideSimulated(bridge.context, { applicationId: 'app_gone', state: 'TX', status: 'approved' });
  assert.equal((await read(id)).states[0]?.status, 'denied');
});

test('The test helper refuses other states, unsubmitted and unknown applications.', async () => {
  const id = await submitted();
  const status = { status: 'approved' };
  assert.equal((await decide(id, 'CA', status)).body.code, 40402);
  assert.equal((await decide(id, 'ZZ', status)).body.code, 40001);
  assert.equal((await decide('app_unknown', 'TX', status)).body.code, 40402);
  assert.equal((await decide('nonsense', 'TX', status)).body.code, 40402);
  assert.equal((await decide(await createApplication(bridge), 'TX', status)).body.code, 40008);
  assert.equal((await decide(id, 'TX', { status: 'perhaps' })).body.code, 40001);
});

test('Live mode has no simulated departments and no test helper, and test mode does not show its applications.', async () => {
  const token = bridge.tokens.live;
  const id = await createApplication(bridge, { token, paymentMethod: 'partner_billing' });
  await submitApplication(bridge, id, '0001');
  assert.equal((await decide(id, 'TX', { status: 'approved' }, token)).body.code, 40401);
  assert.equal((await decide(id, 'TX', { status: 'approved' })).body.code, 40402);
  assert.equal((await bridge.call('GET', `/v1/applications/${id}`)).status, 404);
  await decideState(bridge.context, { applicationId: id, state: 'TX', status: 'approved' });
  const { body } = await bridge.call('GET', `/v1/applications/${id}`, { token });
  assert.equal((body as Application).states[0]?.status, 'approved');
});

test('The application of another agency does not exist.', async () => {
  const id = await submitted();
  const { tokens } = await bridge.addAgency();
  assert.equal((await bridge.call('GET', `/v1/applications/${id}`, { token: tokens.test })).body.code, 40402);
  assert.equal((await decide(id, 'TX', { status: 'approved' }, tokens.test)).body.code, 40402);
});

test('A change to requires_action sends status_changed and then requires_action, with the link of getApplication (operation 19).', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const id = await createApplication(bridge, { webhookUrl: receiver.url, states: ['TX', 'CA'] });
  await submitApplication(bridge, id, '0004');
  const { body } = await decide(id, 'CA', { status: 'requires_action', reason: 'A document is missing.' });
  await receiver.arrival(3);
  assert.deepEqual(
    receiver.received.map(({ event }) => event.type),
    ['application.submitted', 'application.status_changed', 'application.requires_action'],
  );
  const { sessionId, userId, states } = body as Application;
  const about = { applicationId: id, sessionId, userId };
  assert.deepEqual(receiver.received[1]?.event.data, {
    ...about,
    states: [{ state: 'CA', status: 'requires_action' }],
  });
  const { actionUrl } = states[1] ?? {};
  assert.ok(actionUrl);
  assert.deepEqual(receiver.received[2]?.event.data, {
    ...about,
    actionUrl,
    state: 'CA',
    reason: 'A document is missing.',
  });
  const stored = await bridge.context.db.selectFrom('webhook_event').selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(actionUrl.split('/').at(-1) ?? ''));
});
