import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody, NpnLookUp } from '../../../src/contract/index.js';
import { onboardProducers } from '../../../src/bridge/store/producers/onboarding-store.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleLicense, sampleProducer } from '../../support/producers.js';
import { addManyProducers, assertFailed, producerCalls, type ProducerCalls } from './support/producer-calls.js';

let bridge: TestBridge;
let calls: ProducerCalls;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
  calls = producerCalls(bridge);
  const inTexas = { state: 'TX', appointments: [] };
  await addProducers(bridge.context, 'test', [
    sampleProducer('20'),
    sampleProducer('3', {
      licenseInformation: [
        {
          ...inTexas,
          licenses: [
            sampleLicense('B2'),
            sampleLicense('EXPIRED', { active: false }),
            sampleLicense('A10', { residencyStatus: 'NR' }),
          ],
        },
      ],
    }),
    sampleProducer('4', { licenseInformation: [{ ...inTexas, licenses: [] }] }),
    sampleProducer('100'),
  ]);
  await addProducers(bridge.context, 'live', [sampleProducer('20')]);
  const known = sampleProducer('12345', { ssn: '900123456' });
  const biographic = { ...known.biographic, lastName: 'Alder-Brook' };
  await addProducers(bridge.context, 'test', [{ ...known, biographic }, sampleProducer('12346')]);
});
after(() => bridge.stop());

/** An agency that has onboarded some producers in test mode. */
async function setup(...npns: string[]) {
  const agency = await bridge.addAgency();
  for (const npn of npns) {
    assert.equal((await calls.onboard({ npn, onboardType: 'subscribe' }, agency.tokens.test)).status, 200);
  }
  return agency;
}

const ofTwenty = {
  TX: { licenseNumber: 'TX20', npn: '20', residencyStatus: 'R' },
  CA: { licenseNumber: 'CA20', npn: '20', residencyStatus: 'NR' },
};

test('Each requested state has its record, in the order of the request, empty without a license.', async () => {
  const { tokens } = await setup('20');
  const { status, body } = await calls.activeLicenses('?stateCode=NY,CA,TX', tokens.test);
  assert.equal(status, 200);
  assert.deepEqual(body, [
    { state: 'NY', licenseInfo: [] },
    { state: 'CA', licenseInfo: [ofTwenty.CA] },
    { state: 'TX', licenseInfo: [ofTwenty.TX] },
  ]);
});

test('Active licenses are listed by NPN as a number, then by license number; others are not listed.', async () => {
  const { tokens } = await setup('20', '4', '3');
  const { body } = await calls.activeLicenses('?stateCode=TX', tokens.test);
  assert.deepEqual(body, [
    {
      state: 'TX',
      licenseInfo: [
        { licenseNumber: 'A10', npn: '3', residencyStatus: 'NR' },
        { licenseNumber: 'B2', npn: '3', residencyStatus: 'R' },
        ofTwenty.TX,
      ],
    },
  ]);
});

test('Commas and repeated parameters are the same, in either case, and duplicates count once.', async () => {
  const { tokens } = await setup('20');
  const { body: expected } = await calls.activeLicenses('?stateCode=TX,CA', tokens.test);
  for (const query of [
    '?stateCode=TX&stateCode=CA',
    '?stateCode=tx,Ca',
    '?stateCode=TX,CA,TX',
    '?stateCode=TX&stateCode=CA,tx',
    '?stateCode=TX%2CCA&other=1',
  ]) {
    assert.deepEqual((await calls.activeLicenses(query, tokens.test)).body, expected, query);
  }
});

for (const query of [
  '',
  '?stateCode=',
  '?stateCode=TX,,CA',
  '?stateCode=ZZ',
  '?stateCode=TX,Texas',
  '?stateCode=%C5%BFC',
]) {
  test(`The query ${query || '(none)'} is 400 and the details name stateCode.`, async () => {
    assertFailed(
      await calls.activeLicenses(query),
      40001,
      /^stateCode(\.\d+)?(, stateCode\.\d+)*: expected state codes/,
    );
  });
}

test('Only producers that the agency onboarded are listed, not those it looked up or subscribed to.', async () => {
  const { tokens } = await setup('20');
  await calls.subscribe(['3'], tokens.test);
  await calls.onboard({ npn: '100', onboardType: 'lookup' }, tokens.test);
  const { body } = await calls.activeLicenses('?stateCode=TX', tokens.test);
  assert.deepEqual(body, [{ state: 'TX', licenseInfo: [ofTwenty.TX] }]);
});

test('An agency with more producers than one call of the registry takes gets the licenses of all.', async () => {
  const { agencyId, tokens } = await bridge.addAgency();
  const npns = await addManyProducers(bridge, 10_001);
  const licensed = [npns[0], npns[9_999], npns[10_000]].map((npn) => sampleProducer(npn ?? ''));
  await addProducers(bridge.context, 'test', licensed);
  const owner = { agencyId, mode: 'test' as const };
  const { db } = bridge.context;
  await db.transaction().execute((trx) => onboardProducers(trx, owner, npns, 'subscribe', new Date()));
  const { body } = await calls.activeLicenses('?stateCode=TX', tokens.test);
  assert.deepEqual(
    body[0]?.licenseInfo.map(({ npn }) => npn),
    licensed.map(({ npn }) => npn),
  );
});

async function lookUp(body: object, token?: string) {
  const answer = await bridge.call('POST', '/v1/account/producer/npn-lookup', {
    body,
    ...(token === undefined ? {} : { token }),
  });
  return { ...answer, body: answer.body as unknown as NpnLookUp & ErrorBody };
}

for (const body of [
  { lastName: 'Alder-Brook', ssn: '900123456' },
  { lastName: 'ALDER-BROOK', ssn: '900-12-3456' },
  { lastName: ' alder-brook ', ssn: '900123456' },
]) {
  test(`${JSON.stringify(body.lastName)} and an SSN with ${body.ssn.length} characters find the producer.`, async () => {
    const answer = await lookUp(body);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { message: 'A producer was found.', data: { npn: '12345' } });
  });
}

test('A wrong name and a wrong SSN get the same failure.', async () => {
  const failures = await Promise.all([
    lookUp({ lastName: 'Other', ssn: '900123456' }),
    lookUp({ lastName: 'Alder-Brook', ssn: '900123457' }),
    lookUp({ lastName: 'Other', ssn: '900123457' }),
    // Known, but without an SSN.
    lookUp({ lastName: 'Producer 12346', ssn: '900123456' }),
    // Known, but in the other mode.
    lookUp({ lastName: 'Alder-Brook', ssn: '900123456' }, bridge.tokens.live),
  ]);
  for (const { status, body } of failures) {
    assert.equal(status, 400);
    assert.equal(body.code, 40010);
    assert.deepEqual(body, failures[0].body);
  }
});

for (const [body, details] of [
  [{ lastName: 'Alder-Brook', ssn: '90012345' }, /^ssn: expected nine digits/],
  [{ lastName: 'Alder-Brook', ssn: 900123456 }, /^ssn: expected nine digits/],
  [{ lastName: '', ssn: '900123456' }, /^lastName: /],
] as const) {
  test(`A malformed ${Object.keys(body).join(' and ')} is refused: ${details.source}.`, async () => {
    const answer = await lookUp(body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.details, details);
    assert.doesNotMatch(JSON.stringify(answer.body), /90012345/);
  });
}
