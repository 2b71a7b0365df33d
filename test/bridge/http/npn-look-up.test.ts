import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody, NpnLookUp } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { addProducers, sampleProducer } from '../../support/producers.js';

let bridge: TestBridge;
before(async () => {
  bridge = await startBridge();
  const sample = sampleProducer('12345', { ssn: '900123456' });
  const biographic = { ...sample.biographic, lastName: 'Alder-Brook' };
  await addProducers(bridge.context, 'test', [{ ...sample, biographic }, sampleProducer('12346')]);
});
after(() => bridge.stop());

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
  test(`${JSON.stringify(body.lastName)} and an SSN with ${String(body.ssn.length)} characters find the producer.`, async () => {
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

test('Another agency finds the producer too, because all agencies share the registry.', async () => {
  const { tokens } = await bridge.addAgency();
  assert.equal((await lookUp({ lastName: 'Alder-Brook', ssn: '900123456' }, tokens.test)).status, 200);
});

for (const [body, details] of [
  [{ ssn: '900123456' }, /^lastName: /],
  [{ lastName: 'Alder-Brook' }, /^ssn: /],
  [{ lastName: 'Alder-Brook', ssn: '90012345' }, /^ssn: expected nine digits/],
  [{ lastName: 'Alder-Brook', ssn: 900123456 }, /^ssn: expected nine digits/],
  [{ lastName: '', ssn: '900123456' }, /^lastName: /],
  [{ lastName: 'Alder-Brook', ssn: '900123456', npn: '1' }, /^npn: expected no such key/],
] as const) {
  test(`A malformed ${Object.keys(body).join(' and ')} is refused: ${details.source}.`, async () => {
    const answer = await lookUp(body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.details, details);
    assert.doesNotMatch(JSON.stringify(answer.body), /90012345/);
  });
}

test('The SSN is in no log line.', () => {
  assert.ok(bridge.logged.length > 0);
  assert.doesNotMatch(bridge.logged.join(''), /900-?12-?345/);
});
