import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operations, type FailureName, type OperationId, type OperationTypes } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation } from '../../support/call-operation.js';
import { assertFailure } from './support/assert-failure.js';
import { createScene, type Scene } from './support/scene.js';

/*
 * Every operation with ids of another agency, and with a token of the other mode. Data of others
 * does not exist for the caller. Lists the expected failure, or the response of a caller without
 * such data.
 */
let bridge: TestBridge;
let scene: Scene;
let untouched: string;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
  scene = await createScene(bridge);
  untouched = await everythingOf(scene);
});
after(() => bridge.stop());

type Expected = { [Id in OperationId]: FailureName | ((body: OperationTypes[Id]['response']) => void) };

const nothing = (body: unknown) => {
  assert.doesNotMatch(JSON.stringify(body), /South|North|TX1|"app_|ter_/);
};

/**
 * Reads and own writes succeed for the caller's data; ids of another agency fail as if they did not
 * exist.
 */
const expected: Expected = {
  login: ({ accessToken }) => assert.ok(accessToken),
  updateAccount: ({ userId }) => assert.ok(userId),
  createAccountCredential: 'invalid_token',
  resetCredential: nothing,
  // All agencies share the registry, so the producer exists for all in its mode.
  onboardProducer: ({ biographic }) => assert.equal(biographic.npn, scene.npn),
  getBulkDetails: 'unknown_bulk_onboarding',
  startBulkOnboarding: ({ id }) => assert.notEqual(id, scene.calls.getBulkStatus.params?.['id']),
  getBulkStatus: 'unknown_bulk_onboarding',
  listActiveLicenses: (states) =>
    assert.deepEqual(
      states.map(({ licenseInfo }) => licenseInfo),
      [[], []],
    ),
  lookUpNpn: ({ data }) => assert.equal(data.npn, scene.npn),
  getSubscriptionUpdate: 'not_subscribed',
  subscribe: ({ agencyId }) => assert.notEqual(agencyId, scene.agencyId),
  unsubscribe: ({ npns }) => assert.deepEqual(npns, []),
  assignTerritory: 'unknown_territory',
  unassignTerritory: 'not_assigned',
  listTerritories: ({ data }) => assert.deepEqual([data.totalCount, data.territories], [0, []]),
  // User ids belong to a partner: the same id is another user.
  syncProfile: ({ userId }) => assert.equal(userId, 'usr_abc123'),
  createSession: ({ applicationId }) =>
    assert.notEqual(applicationId, scene.calls.getApplication.params?.['applicationId']),
  getApplication: 'unknown_application',
  completeApplication: 'unknown_application',
  decideState: 'unknown_application',
};

/** The differences for the other mode: another registry, and the same territories. */
const expectedOfLive: Partial<Expected> = {
  createAccountCredential: 'invalid_token',
  resetCredential: 'invalid_token',
  onboardProducer: 'unknown_producer',
  lookUpNpn: 'no_match',
  assignTerritory: 'not_onboarded',
  subscribe: 'unknown_producer',
  listTerritories: ({ data }) =>
    assert.deepEqual(
      data.territories.map(({ name, assignedProducers }) => [name, assignedProducers]),
      data.territories.map(({ name }) => [name, []]),
    ),
  completeApplication: 'unknown_route',
  decideState: 'unknown_route',
};

/** Only reads, so that it can be repeated at the end. */
async function everythingOf({ calls }: Scene): Promise<string> {
  const ids = [
    'getBulkDetails',
    'getBulkStatus',
    'listActiveLicenses',
    'getSubscriptionUpdate',
    'getApplication',
  ] as const;
  const answers = [];
  for (const id of [...ids, 'listTerritories'] as const) {
    const { status, body } = await callOperation(bridge.bridgeUrl, id, calls[id]);
    assert.equal(status, 200, id);
    answers.push(body);
  }
  return JSON.stringify(answers);
}

/** The operations that end tokens come last. */
const order = (Object.keys(operations) as OperationId[]).sort(
  (left, right) => Number(left.includes('Credential')) - Number(right.includes('Credential')),
);

describe('operations with a token of another agency', () => {
  for (const id of order) {
    test(id, async () => {
      const { tokens } = await bridge.addAgency('Another Agency', ['lookup', 'subscribe', 'team']);
      const token = id === 'resetCredential' ? tokens.live : tokens.test;
      await check(id, token, expected[id]);
    });
  }
});

describe('operations with a token of the other mode', () => {
  for (const id of order) {
    test(id, async () => {
      // Operations 3 and 4 require a live token; here the test token is the other mode's.
      const token = id.includes('Credential') ? scene.tokens.test : scene.tokens.live;
      await check(id, token, expectedOfLive[id] ?? expected[id]);
    });
  }
});

test('Nothing of the agency has changed after all these calls.', async () => {
  assert.equal(await everythingOf(scene), untouched);
});

async function check(id: OperationId, token: string, wanted: Expected[OperationId]): Promise<void> {
  const parts = { ...scene.calls[id], ...(operations[id].auth === 'none' ? {} : { token }) };
  const answer = await callOperation(bridge.bridgeUrl, id, parts);
  if (typeof wanted === 'string') {
    assertFailure(answer, wanted);
    return;
  }
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  // One expectation per operation, which a loop cannot express.
  (wanted as (body: unknown) => void)(answer.body);
}
