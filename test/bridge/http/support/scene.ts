import { equal } from 'node:assert/strict';
import type { OperationId } from '../../../../src/contract/index.js';
import { importTerritories } from '../../../../src/bridge/domain/producers/territories.js';
import type { TestBridge } from '../../../support/bridge.js';
import { callOperation, type CallParts } from '../../../support/call-operation.js';
import { addProducers, sampleLicense, sampleProducer } from '../../../support/producers.js';
import { createApplication, submitApplication } from '../../applications.js';

const ssn = '900123456';
let lastNpn = 620_000_000;

/** Creates an agency in test mode with producers, a territory, a bulk job and an application. */
export async function createScene(bridge: TestBridge) {
  const { agencyId, tokens, credential } = await bridge.addAgency('Scene Agency', ['lookup', 'subscribe', 'team']);
  const { clientId, testClientSecret: test } = credential;
  const token = tokens.test;
  const npn = String((lastNpn += 1));
  const lastName = `Scene ${npn}`;
  const sample = sampleProducer(npn, { ssn });
  const producer = { ...sample, biographic: { ...sample.biographic, lastName } };
  await addProducers(bridge.context, 'test', [producer], new Date('2026-01-10T08:00:00Z'));
  const licenseInformation = [{ state: 'TX', licenses: [sampleLicense('TX1')], appointments: [] }];
  await addProducers(bridge.context, 'test', [{ npn, licenseInformation }], new Date('2026-02-01T08:00:00Z'));
  const onboarded = await callOperation(bridge.bridgeUrl, 'onboardProducer', {
    token,
    body: { npn, onboardType: 'subscribe' },
  });
  equal(onboarded.status, 200);
  const states = [{ stateCode: 'TX', licenses: [] }];
  const territories = await importTerritories(bridge.context, agencyId, [
    { name: 'South', states },
    { name: 'North', states },
  ]);
  const [south, north] = territories ?? [];
  const territoryId = south?.id ?? '';
  const assigned = { params: { npn, territoryId: north?.id ?? '' }, token };
  const body = { territoryId: north?.id };
  equal((await callOperation(bridge.bridgeUrl, 'assignTerritory', { ...assigned, body })).status, 200);
  const bulk = await callOperation(bridge.bridgeUrl, 'startBulkOnboarding', {
    token,
    body: { npn: [npn], onboardType: 'subscribe' },
  });
  const applicationId = await createApplication(bridge, { token, states: ['TX', 'CA'] });
  await submitApplication(bridge, applicationId, '0004');
  const { id } = bulk.body;
  const statusOf = () => callOperation(bridge.bridgeUrl, 'getBulkStatus', { token, params: { id } });
  while ((await statusOf()).body.npns.length === 0);
  /**
   * A successful call of each operation. `createAccountCredential` and `resetCredential` end the
   * tokens.
   */
  const calls: { [Id in OperationId]: CallParts } = {
    login: { body: { clientId, clientSecret: test } },
    updateAccount: {
      token,
      body: { businessEmail: 'a@b.example', webhookPreference: 'entity-info', webhookUrl: 'https://hooks.example/a' },
    },
    createAccountCredential: { token: tokens.live, query: `?agencyId=${agencyId}` },
    resetCredential: { token: tokens.live },
    onboardProducer: {
      token,
      body: {
        npn,
        onboardType: 'team',
        paymentResponsibility: 'agency',
        email: 'sample@b.example',
        firstName: 'Sample',
        lastName,
        phone: '512-555-0142',
        gender: 'unstated',
        ssn: '900-12-3456',
      },
    },
    getBulkDetails: { token, params: { id }, query: '?page=1' },
    startBulkOnboarding: { token, body: { npn: [npn, Number(npn)], onboardType: 'lookup' } },
    getBulkStatus: { token, params: { id } },
    listActiveLicenses: { token, query: '?stateCode=TX,ca' },
    lookUpNpn: { token, body: { lastName, ssn } },
    getSubscriptionUpdate: { token, body: { npn, reportDate: '2026-03-01' } },
    subscribe: { token, body: { npns: [npn] } },
    unsubscribe: { token, body: { npns: [npn] } },
    assignTerritory: { token, params: { npn }, body: { territoryId } },
    unassignTerritory: assigned,
    listTerritories: { token, query: '?page=1&pageSize=5' },
    syncProfile: {
      token,
      params: { userId: 'usr_abc123' },
      body: {
        npn,
        firstName: 'Sample',
        lastName: 'Scene',
        email: 'sample@b.example',
        phone: '512-555-0142',
        dateOfBirth: '1988-04-12',
        residentialAddress: { street: '1 Example Street', city: 'Sampleton', state: 'TX', zip: '75001' },
      },
    },
    createSession: {
      token,
      body: {
        userId: 'usr_abc123',
        applicationType: 'new',
        licenseType: 'life_health',
        states: ['TX', 'CA'],
        paymentMethod: 'partner_billing',
        returnUrl: 'https://partner.example/done',
        webhookUrl: 'https://partner.example/hooks',
      },
    },
    getApplication: { token, params: { applicationId } },
    completeApplication: {
      token,
      params: { applicationId: await createApplication(bridge, { token }) },
      body: { outcome: 'pending_review' },
    },
    decideState: {
      token,
      params: { applicationId, state: 'CA' },
      body: { status: 'requires_action', reason: 'A copy of a document.' },
    },
  };
  return { agencyId, tokens, npn, calls };
}

/** An agency with some of everything. */
export type Scene = Awaited<ReturnType<typeof createScene>>;
