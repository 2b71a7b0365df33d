import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AgencyCredential, operations, type OperationId } from '../../../src/contract/index.js';
import { type AuditAction, readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation, type CallParts } from '../../support/call-operation.js';
import { createScene, type Scene } from './support/scene.js';

/** Why an operation that changes something leaves no entry. */
type Unaudited =
  | 'It changes nothing.'
  /** Thousands a day, each with a row that has the caller, the time and the operation. */
  | 'Its own row is the record.';

/** What each operation leaves in the audit trail. */
const audits: Record<OperationId, AuditAction | Unaudited> = {
  login: 'Its own row is the record.',
  updateAccount: 'account.updated',
  createAccountCredential: 'credential.issued',
  resetCredential: 'credential.reset',
  onboardProducer: 'producer.onboarded',
  getBulkDetails: 'It changes nothing.',
  startBulkOnboarding: 'bulk.started',
  getBulkStatus: 'It changes nothing.',
  listActiveLicenses: 'It changes nothing.',
  lookUpNpn: 'ssn.look_up',
  getSubscriptionUpdate: 'It changes nothing.',
  subscribe: 'subscription.added',
  unsubscribe: 'subscription.removed',
  assignTerritory: 'territory.assigned',
  unassignTerritory: 'territory.unassigned',
  listTerritories: 'It changes nothing.',
  syncProfile: 'Its own row is the record.',
  createSession: 'Its own row is the record.',
  getApplication: 'It changes nothing.',
  completeApplication: 'payment.authorized',
  decideState: 'state.decided',
};

/** The settings, credentials, subscriptions and rights of an agency. */
const settings = [
  'agency',
  'account_setting',
  'credential',
  'webhook_secret',
  'onboarded_producer',
  'team_member',
  'subscription',
  'territory',
  'territory_assignment',
];

let bridge: TestBridge;
let scene: Scene;
before(async () => {
  bridge = await startBridge();
  scene = await createScene(bridge);
});
after(() => bridge.stop());

/** The settings of all agencies. */
async function settingsNow(): Promise<string> {
  const rows = settings.map(async (table) => {
    const read = sql<{ rows: string }>`select coalesce(string_agg(t::text, '|' order by t::text), '') as rows
      from ${sql.table(table)} as t`;
    return [table, (await read.execute(bridge.context.db)).rows[0]?.rows];
  });
  return JSON.stringify(await Promise.all(rows));
}

/** The scene's call; for those that end tokens, the call of a separate agency. */
async function callOf(id: OperationId): Promise<{ parts: CallParts; agencyId: string }> {
  if (id !== 'createAccountCredential' && id !== 'resetCredential')
    return { parts: scene.calls[id], agencyId: scene.agencyId };
  const { agencyId, tokens } = await bridge.addAgency();
  const query = id === 'createAccountCredential' ? { query: `?agencyId=${agencyId}` } : {};
  return { parts: { token: tokens.live, ...query }, agencyId };
}

const newest = async () => (await readAudit(bridge.context, { scope: 'all', limit: 1 }))[0]?.id ?? 0;

/** Unsubscribing comes before the call that needs the subscription, so each has something to change. */
const order = (Object.keys(operations) as OperationId[]).filter((id) => id !== 'unsubscribe');

for (const id of [...order, 'unsubscribe' as const]) {
  const expected = audits[id];
  const what = expected.includes(' ') ? `leaves no audit entry. ${expected}` : `leaves the audit entry ${expected}.`;
  test(`${id} ${what}`, async () => {
    const { parts, agencyId } = await callOf(id);
    const [settingsBefore, last] = [await settingsNow(), await newest()];
    const { status, headers, body } = await callOperation(bridge.bridgeUrl, id, parts);
    assert.equal(status, 200, JSON.stringify(body));
    const requestId = headers.get('x-request-id');
    const entries = (await readAudit(bridge.context, { scope: 'all', agencyId, limit: 100 })).filter(
      (entry) => entry.id > last && entry.requestId === requestId,
    );
    if (expected.includes(' ')) {
      assert.deepEqual(entries, []);
      assert.equal(await settingsNow(), settingsBefore, 'Settings changed without an entry.');
      return;
    }
    const [entry = assert.fail('There is no entry.'), ...more] = entries;
    assert.deepEqual(more, []);
    const isOfBoth = entry.action.startsWith('credential.');
    assert.deepEqual([entry.action, entry.mode], [expected, isOfBoth ? '' : 'test']);
    // The payment is that of the sample user.
    assert.match(entry.actor, id === 'completeApplication' ? /^bridge$/ : /^credential:crd_/);
    // Neither a secret nor a value: a URL may contain a secret.
    assert.doesNotMatch(JSON.stringify(entry), /hooks\.example|b\.example|900-?12-?3456|512-555|Scene/);
    const secrets: Partial<AgencyCredential> = 'liveClientSecret' in body ? body : {};
    for (const secret of ['liveClientSecret', 'testClientSecret'] as const)
      assert.ok(!JSON.stringify(entry).includes(String(secrets[secret])), secret);
  });
}

test('A call of updateAccount without a field, and a subscription that was not there, leave no entry.', async () => {
  const { token } = scene.calls.updateAccount;
  const { agencyId } = scene;
  const count = async () => {
    const actions = ['account.updated', 'subscription.removed'] as const;
    const found = actions.map((action) => readAudit(bridge.context, { scope: 'all', agencyId, action, limit: 100 }));
    return (await Promise.all(found)).map((entries) => entries.length);
  };
  const before = await count();
  await callOperation(bridge.bridgeUrl, 'updateAccount', { ...(token && { token }), body: {} });
  await callOperation(bridge.bridgeUrl, 'unsubscribe', { ...(token && { token }), body: { npns: ['999999'] } });
  assert.deepEqual(await count(), before);
});
