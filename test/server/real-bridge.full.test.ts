import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { importTerritories } from '../../src/bridge/domain/producers/territories.js';
import { operations, type Mode } from '../../src/contract/index.js';
import {
  createBridgeClient,
  createLicensingHandler,
  type BridgeClient,
  type ProducerUpdatedEvent,
} from '../../src/server/index.js';
import { toNodeListener } from '../../src/server/node.js';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { deferred } from '../support/deferred.js';
import { addProducers, sampleProducer } from '../support/producers.js';
import { rejection, sessionRequest } from './support/client.js';
import { listen } from './support/listen.js';
import { secret } from './support/partner.js';

const npn = '9000000001';
const bulkNpns = Array.from({ length: 60 }, (_, index) => String(9_000_000_100 + index));

suite('the client on the real bridge', () => {
  let bridge: TestBridge;
  let client: BridgeClient;
  /** The sent requests by method and path, to prove that no operation is missing. */
  const sent = new Set<string>();

  function connect(mode: Mode, { clientId, liveClientSecret, testClientSecret } = bridge.credential): BridgeClient {
    return createBridgeClient({
      baseUrl: bridge.bridgeUrl,
      clientId,
      clientSecret: mode === 'live' ? liveClientSecret : testClientSecret,
      fetch(url, init) {
        sent.add(`${init.method ?? ''} ${new URL(url).pathname}`);
        return fetch(url, init);
      },
    });
  }

  before(async () => {
    bridge = await startBridge();
    client = connect('test');
    const withSsn = sampleProducer(npn, { ssn: '900110042' });
    await addProducers(bridge.context, 'test', [withSsn, ...bulkNpns.map((number) => sampleProducer(number))]);
    const territories = Array.from({ length: 23 }, (_, index) => ({ name: `Area ${index + 1}`, states: [] }));
    await importTerritories(bridge.context, bridge.agencyId, territories);
  });
  after(() => bridge.stop());

  test('An error of the bridge says what to mend, and nothing of what was sent.', async () => {
    for (const [mistake, end] of [
      [{ states: [] }, 'states: expected 1 to 56 state codes, each once.'],
      [{ licenseType: 'lifehealth' }, /licenseType: expected one of life, health, life_health, .*, consultant\.$/],
      [{ applicationType: 'newly' }, 'applicationType: expected one of new, renewal, reinstatement, amendment.'],
      [{ colour: 'Juniper' }, 'does not accept. It is colour.'],
    ] as const) {
      const { message } = await rejection(client.sessions.create({ ...sessionRequest, ...mistake } as never));
      if (typeof end === 'string') assert.ok(message.endsWith(end), message);
      else assert.match(message, end);
      assert.doesNotMatch(message, /lifehealth|newly|Juniper/);
    }
  });

  test('The client calls the operations of producers and subscriptions (5, 9 to 13).', async () => {
    const producer = await client.producers.onboard({ npn: Number(npn), onboardType: 'lookup' });
    assert.equal(producer.licenseInformation[0]?.licenses[0]?.active, true);
    const found = await client.producers.lookUpNpn({ lastName: `producer ${npn}`, ssn: '900-11-0042' });
    assert.equal(found.data.npn, npn);

    await client.producers.onboard({ npn, onboardType: 'subscribe' });
    const { npns } = await client.subscriptions.add({ npns: [npn] });
    const licensesOf = (stateCode: string[]) => client.producers.listActiveLicenses({ stateCode: stateCode });
    assert.deepEqual(await licensesOf(['tx', 'ME']), [
      { state: 'TX', licenseInfo: [{ licenseNumber: `TX${npn}`, npn, residencyStatus: 'R' }] },
      { state: 'ME', licenseInfo: [] },
    ]);
    const biographic = { ...sampleProducer(npn).biographic, suffix: 'Jr' };
    await addProducers(bridge.context, 'test', [sampleProducer(npn, { biographic })]);
    const update = await client.producers.getSubscriptionUpdate({ npn, reportDate: '2999-12-31' });
    assert.deepEqual(update.changes, ['biographic']);
    assert.deepEqual((await client.subscriptions.remove({ npns: [npn] })).npns, npns);
  });

  test('The client starts a bulk onboarding (6, 7, 8), waits for it and iterates its details.', async () => {
    const { id } = await client.bulk.start({ npn: [...bulkNpns, '9999999999'], onboardType: 'subscribe' });
    const status = await client.bulk.waitUntilCompleted(id, { timeoutMs: 60_000 });
    assert.deepEqual([status.totalCount, status.successCount, status.failureCount], [61, 60, 1]);
    assert.deepEqual(status.failureReason, [{ npn: '9999999999', code: 40009, reason: 'No producer has this NPN.' }]);
    const seen: string[] = [];
    for await (const producer of client.bulk.listAllDetails(id)) seen.push(producer.biographic.npn);
    assert.deepEqual(seen, bulkNpns);
    const unknown = await rejection(client.bulk.waitUntilCompleted('00000000-0000-4000-8000-000000000000'));
    assert.deepEqual([unknown.code, unknown.bridgeCode], ['not_found', 40403]);
  });

  test('The client assigns, unassigns and iterates territories (14, 15, 16).', async () => {
    const ids: string[] = [];
    for await (const territory of client.territories.listAll({ pageSize: 10 })) ids.push(territory.id);
    assert.equal(new Set(ids).size, 23);
    const [territoryId = ''] = ids;
    await client.producers.onboard({ npn, onboardType: 'subscribe' });
    assert.equal((await client.territories.assign(npn, { territoryId })).data.territoryId, territoryId);
    assert.equal((await client.territories.unassign(npn, territoryId)).data.territoryId, territoryId);
    assert.equal((await rejection(client.territories.unassign(npn, territoryId))).bridgeCode, 40015);
  });

  test('The client calls the operations of applications (17, 18, 19), and the test helpers.', async () => {
    await client.profiles.sync('usr_1', { npn, firstName: 'Sample' });
    const { applicationId } = await client.sessions.create(sessionRequest);
    assert.equal((await client.applications.get(applicationId)).progress?.step, 'not_started');
    const error = await rejection(client.testHelpers.decideState(applicationId, 'TX', { status: 'approved' }));
    assert.equal(error.status, 400);
    const completed = await client.testHelpers.completeApplication(applicationId, { outcome: 'pending_review' });
    assert.equal(completed.progress?.step, 'submitted');
    const decided = await client.testHelpers.decideState(applicationId, 'TX', { status: 'approved' });
    assert.equal(decided.states[0]?.status, 'approved');
  });

  test('The handler receives an update of a subscribed producer at the webhook URL of the account.', async (t) => {
    const heard = deferred<ProducerUpdatedEvent>();
    const origin = await listen(t, (request, response) => {
      toNodeListener(licensing)(request, response);
    });
    const licensing = createLicensingHandler({
      bridge: client,
      secret,
      publicUrl: `${origin}/licensing`,
      identify: () => null,
      session: () => assert.fail(),
      on: { producer: heard.resolve },
      reconcileMinutes: 0,
      log: () => undefined,
    });
    t.after(() => licensing.close());
    await client.account.update({ webhookUrl: await licensing.accountWebhookUrl(), webhookPreference: 'entity-info' });
    await client.producers.onboard({ npn, onboardType: 'subscribe' });
    await addProducers(bridge.context, 'test', [{ npn, nasdExamDetails: 'Series 7' }]);
    bridge.context.wakeOutbox();
    const { producer, reportDate, changes } = await heard.promise;
    assert.deepEqual([changes, producer?.nasdExamDetails], [['nasdExamDetails'], 'Series 7']);
    assert.deepEqual(producer, (await client.producers.getSubscriptionUpdate({ npn, reportDate })).producer);
    await client.account.update({ webhookUrl: null });
  });

  test('The client calls the operations of the account (1 to 4), and continues with new credentials.', async () => {
    const account = await client.account.update({ businessEmail: 'office@agency.example' });
    assert.equal(account.businessEmail, 'office@agency.example');
    const live = connect('live');
    const reset = await live.account.resetCredential();
    assert.equal(reset.userId, bridge.credential.id);
    // The live client automatically; the other one with the new credentials.
    assert.equal((await live.territories.list()).data.totalCount, 23);
    assert.equal((await rejection(client.territories.list())).code, 'credentials_refused');
    const renewed = connect('test', { ...bridge.credential, ...reset });
    assert.equal((await renewed.territories.list()).data.totalCount, 23);

    const issued = await live.account.createCredential({ agencyId: bridge.agencyId });
    assert.equal((await rejection(live.auth.login())).code, 'credentials_refused');
    assert.equal((await connect('test', issued).territories.list()).data.totalCount, 23);
  });

  test('These tests call every operation.', () => {
    const unspoken = Object.values(operations).filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return ![...sent].some((request) => pattern.test(request));
    });
    assert.deepEqual(unspoken, []);
  });
});
