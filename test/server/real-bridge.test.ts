import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { inspect } from 'node:util';
import { importTerritories } from '../../src/bridge/domain/territories.js';
import { operations, type Mode, type TeamOnboardRequest } from '../../src/contract/index.js';
import {
  createBridgeClient,
  createLicensingHandler,
  type ApplicationEvent,
  type BridgeClient,
  type LogEntry,
  type PartnerSession,
} from '../../src/server/index.js';
import { toNodeListener } from '../../src/server/node.js';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { addProducers, sampleProducer } from '../support/producers.js';
import { rejection } from './support/client.js';
import { returnState, secret } from './support/partner.js';
import { until } from './support/until.js';

const npn = '9000000001';
const teamSsn = '900-11-0077';
const bulkNpns = Array.from({ length: 120 }, (_, index) => String(9_000_000_100 + index));

suite('the client and the handler on the real bridge', () => {
  let bridge: TestBridge;
  let client: BridgeClient;
  const entries: LogEntry[] = [];
  /** The sent requests by method and path, to prove that no operation is missing. */
  const sent = new Set<string>();

  function connect(mode: Mode, { clientId, liveClientSecret, testClientSecret } = bridge.credential): BridgeClient {
    return createBridgeClient({
      baseUrl: bridge.bridgeUrl,
      clientId,
      clientSecret: mode === 'live' ? liveClientSecret : testClientSecret,
      log: (entry) => entries.push(entry),
      fetch(url, init) {
        sent.add(`${init.method ?? ''} ${new URL(url).pathname}`);
        return fetch(url, init);
      },
    });
  }

  const sessionRequest = {
    userId: 'usr_abc123',
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX', 'CA'] as ('TX' | 'CA')[],
    returnUrl: 'https://agency.example/done',
  };

  before(async () => {
    bridge = await startBridge();
    client = connect('test');
    const known = [npn, '9000000002', ...bulkNpns].map((number) => sampleProducer(number));
    const withSsn = sampleProducer('9000000003', { ssn: '900110042' });
    await addProducers(bridge.context, 'test', [...known, withSsn]);
    const territories = Array.from({ length: 23 }, (_, index) => ({ name: `Area ${String(index + 1)}`, states: [] }));
    await importTerritories(bridge.context, bridge.agencyId, territories);
  });
  after(() => bridge.stop());

  test('The client calls the operation of the account (2).', async () => {
    const account = await client.account.update({ businessEmail: 'office@agency.example' });
    assert.deepEqual(account, {
      ...{ businessEmail: 'office@agency.example', preference: 'PDB-update', webhookUrl: '' },
      userId: bridge.credential.id,
    });
  });

  test('The client calls the operations of producers (5, 9, 10, 11).', async () => {
    const producer = await client.producers.onboard({ npn: Number(npn), onboardType: 'lookup' });
    assert.equal(producer.biographic.npn, npn);
    assert.equal(producer.licenseInformation[0]?.licenses[0]?.active, true);
    assert.deepEqual(producer.regulatoryActions, []);

    await client.producers.onboard({ npn, onboardType: 'subscribe' });
    const [texas, maine] = await client.producers.listActiveLicenses({ stateCode: ['tx', 'ME'] });
    assert.deepEqual(texas, {
      state: 'TX',
      licenseInfo: [{ licenseNumber: `TX${npn}`, npn, residencyStatus: 'R' }],
    });
    assert.deepEqual(maine, { state: 'ME', licenseInfo: [] });

    const found = await client.producers.lookUpNpn({ lastName: 'producer 9000000003', ssn: '900-11-0042' });
    assert.equal(found.data.npn, '9000000003');

    const suffix = 'Jr';
    const { biographic } = sampleProducer(npn);
    await addProducers(bridge.context, 'test', [sampleProducer(npn, { biographic: { ...biographic, suffix } })]);
    const reportDate = '2999-12-31';
    const update = await client.producers.getSubscriptionUpdate({ npn, reportDate });
    assert.deepEqual([update.npn, update.reportDate, update.changes], [npn, reportDate, ['biographic']]);
    assert.equal(update.producer?.biographic.suffix, suffix);
  });

  test('The client onboards team members, whose SSN is in no response.', async () => {
    const member: Omit<TeamOnboardRequest, 'npn'> = {
      onboardType: 'team',
      paymentResponsibility: 'agency',
      email: 'sample.member@agency.example',
      firstName: 'Sample',
      lastName: 'Member',
      ssn: teamSsn,
    };
    const refused = await rejection(client.producers.onboard({ ...member, npn }));
    assert.deepEqual([refused.status, refused.bridgeCode], [403, 40302]);
    const { db } = bridge.context;
    await db
      .updateTable('agency')
      .set({ onboard_types: ['lookup', 'subscribe', 'team'] })
      .execute();
    assert.equal((await client.producers.onboard({ ...member, npn })).biographic.npn, npn);
    const unknown = await rejection(client.producers.onboard({ ...member, npn: '9999999999' }));
    assert.deepEqual([unknown.code, unknown.status, unknown.bridgeCode], ['refused', 400, 40009]);
    const malformed = await rejection(client.producers.onboard({ ...member, npn, ssn: `${teamSsn}9` }));
    assert.equal(malformed.field, 'ssn');
    const everything = inspect([refused, unknown, malformed, entries, bridge.logged], {
      depth: null,
      maxArrayLength: null,
    });
    assert.doesNotMatch(everything, /900-?11-?0077/);
  });

  test('The client calls the operations of subscriptions (12, 13).', async () => {
    const subscribed = await client.subscriptions.add({ npns: [npn, 9000000002] });
    assert.equal(subscribed.agencyId, bridge.agencyId);
    assert.deepEqual(
      subscribed.npns.map((target) => target.npn),
      [npn, '9000000002'],
    );
    const again = await client.subscriptions.add({ npns: [npn, 9000000002] });
    assert.deepEqual(again, subscribed);
    assert.deepEqual((await client.subscriptions.remove({ npns: ['9000000002', '9000000003'] })).npns, [
      subscribed.npns[1],
    ]);
    assert.deepEqual((await client.subscriptions.remove({ npns: ['9000000002'] })).npns, []);
  });

  test('The client starts a bulk onboarding (6, 7, 8), waits for it and iterates its details.', async () => {
    const { id } = await client.bulk.start({ npn: [...bulkNpns, '9999999999'], onboardType: 'subscribe' });
    const status = await client.bulk.waitUntilCompleted(id, { timeoutMs: 60_000 });
    assert.deepEqual([status.totalCount, status.successCount, status.failureCount], [121, 120, 1]);
    assert.deepEqual(status.failedNpns, ['9999999999']);
    assert.deepEqual(status.failureReason, [{ npn: '9999999999', code: 40009, reason: 'No producer has this NPN.' }]);

    assert.deepEqual(await client.bulk.waitUntilCompleted(id), status);
    const seen: string[] = [];
    for await (const producer of client.bulk.listAllDetails(id)) seen.push(producer.biographic.npn);
    assert.deepEqual(seen, bulkNpns);
    assert.equal((await client.bulk.listDetails(id, { page: 3 })).details.length, 20);
    assert.deepEqual((await client.bulk.listDetails(id, { page: 99 })).details, []);

    const unknown = await rejection(client.bulk.waitUntilCompleted('00000000-0000-4000-8000-000000000000'));
    assert.deepEqual([unknown.code, unknown.bridgeCode], ['not_found', 40403]);
    assert.equal((await rejection(client.bulk.getStatus('no-uuid'))).status, 400);
  });

  test('The client assigns, unassigns and iterates territories (14, 15, 16).', async () => {
    const names: string[] = [];
    for await (const territory of client.territories.listAll({ pageSize: 10 })) names.push(territory.name);
    assert.equal(new Set(names).size, 23);

    const { territories, hasNextPage } = (await client.territories.list({ pageSize: 5 })).data;
    assert.deepEqual([territories.length, hasNextPage], [5, true]);
    const [first] = territories;
    assert.ok(first);
    await client.producers.onboard({ npn, onboardType: 'subscribe' });
    const { data } = await client.territories.assign(npn, { territoryId: first.id });
    assert.deepEqual([data.npn, data.territoryId, data.territoryName], [npn, first.id, first.name]);
    assert.deepEqual((await client.territories.assign(Number(npn), { territoryId: first.id })).data, data);
    const [assigned] = (await client.territories.list({ pageSize: 1 })).data.territories;
    assert.deepEqual(
      assigned?.assignedProducers.map((producer) => producer.npn),
      [npn],
    );
    assert.equal((await client.territories.unassign(npn, first.id)).data.territoryId, first.id);
    assert.equal((await rejection(client.territories.unassign(npn, first.id))).bridgeCode, 40015);
  });

  test('The client calls the operations of applications (17, 18, 19), and a department decides.', async () => {
    await client.profiles.sync('usr_1', { npn, firstName: 'Sample' });
    const { applicationId } = await client.sessions.create({ ...sessionRequest, userId: 'usr_1' });
    assert.equal((await client.applications.get(applicationId)).progress?.step, 'not_started');
    const error = await rejection(client.testHelpers.decideState(applicationId, 'TX', { status: 'approved' }));
    assert.equal(error.status, 400);
  });

  test('The same Idempotency-Key returns the same session, also in concurrent calls.', async () => {
    const calls = Array.from({ length: 5 }, () => client.sessions.create(sessionRequest, { idempotencyKey: 'key-1' }));
    const ids = (await Promise.all(calls)).map(({ applicationId }) => applicationId);
    assert.equal(new Set(ids).size, 1);
    const another = client.sessions.create({ ...sessionRequest, userId: 'other' }, { idempotencyKey: 'key-1' });
    assert.equal((await rejection(another)).bridgeCode, 40006);
  });

  test('Tokens that the bridge ends are replaced by one login.', async () => {
    const { clientId, testClientSecret: clientSecret } = (await bridge.addAgency('Another')).credential;
    let logins = 0;
    const other = createBridgeClient({
      baseUrl: bridge.bridgeUrl,
      clientId,
      clientSecret,
      fetch: (url, init) => {
        if (url.endsWith('/login')) logins += 1;
        return fetch(url, init);
      },
    });
    const { applicationId } = await other.sessions.create(sessionRequest);
    await bridge.context.db.deleteFrom('access_token').execute();
    await Promise.all(Array.from({ length: 100 }, () => other.applications.get(applicationId)));
    assert.equal(logins, 2);
  });

  test('The handler creates a session, delivers the webhook of an opened application, and its stream shows the step.', async (t) => {
    const events: ApplicationEvent[] = [];
    const server = createServer((request, response) => {
      listener(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const publicUrl = `http://localhost:${String((server.address() as AddressInfo).port)}/licensing`;
    const local = publicUrl.replace('localhost', '127.0.0.1');
    const handler = createLicensingHandler({
      bridge: client,
      secret,
      publicUrl,
      webhookUrl: `${local}/webhooks`,
      identify: () => ({ userId: 'usr_abc123', profile: { firstName: 'Ada' } }),
      session: () => sessionRequest,
      on: {
        progress: (event) => events.push(event),
        submitted: (event) => events.push(event),
      },
      log: (entry) => entries.push(entry),
    });
    const listener = toNodeListener(handler);
    t.after(async () => {
      await handler.close();
      server.closeAllConnections();
      server.close();
    });

    const answer = await fetch(`${local}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'open', returnState }),
    });
    const session = (await answer.json()) as PartnerSession;
    assert.equal(answer.status, 200, inspect(entries.at(-1)));

    const stream = await fetch(new URL(session.eventsUrl ?? '', local));
    let streamed = '';
    void stream.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (chunk) => void (streamed += chunk) }))
      .catch(() => undefined);
    await until('the first snapshot', () => streamed.includes('"not_started"'));

    // The user opens the application.
    const page = await fetch(session.applicationUrl);
    assert.equal(page.status, 200);
    await page.body?.cancel();

    await until('the event', () => events.length === 1);
    const [event] = events;
    assert.equal(event?.type === 'progress' && event.progress.step, 'profile');
    assert.equal(event?.userId, 'usr_abc123');
    await until('the acknowledgement', () => entries.some((entry) => entry.event === 'webhook.handled'));
    const handled = entries.find((entry) => entry.event === 'webhook.handled');
    assert.equal(handled?.['type'], 'application.session_started');
    await until('the step in the stream', () => streamed.includes('"profile"'));
    const resumed = await fetch(`${local}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'resume', returnState, applicationId: session.applicationId }),
    });
    const again = (await resumed.json()) as PartnerSession;
    assert.equal(again.applicationUrl, session.applicationUrl);
    assert.equal(again.progress?.step, 'profile');
    const token = session.applicationUrl.split('/').at(-1) ?? '';
    assert.ok(!inspect(entries, { depth: null }).includes(token));
  });

  test('The client calls the operations of credentials (1, 3, 4), and continues with the new ones.', async () => {
    const live = connect('live');
    await live.auth.login();
    const bystander = connect('test');
    assert.equal((await rejection(bystander.account.resetCredential())).status, 401);

    const reset = await live.account.resetCredential();
    assert.equal(reset.userId, bridge.credential.id);
    // The live client automatically; the other one with the new credentials.
    assert.equal((await live.territories.list()).data.totalCount, 23);
    assert.equal((await rejection(client.territories.list())).code, 'credentials_refused');
    client = connect('test', { ...bridge.credential, ...reset });
    assert.equal((await client.territories.list()).data.totalCount, 23);

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
