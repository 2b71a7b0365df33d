import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { testSsns, type StateAlias } from '../../../src/contract/index.js';
import {
  generateProducer,
  maxCount,
  maxSeed,
  syntheticNpn,
  type SyntheticProducer,
} from '../../../src/bridge/registry/synthetic/producer.js';
import { producerDetailValidator } from '../../support/contract.js';

const seeds = fc.integer({ min: 0, max: maxSeed });
const indexes = fc.integer({ min: 0, max: maxCount - 1 });
const aliasKeys: (keyof StateAlias)[] = ['state', 'firstName', 'lastName', 'middleName', 'nameType'];

function firstProducers(count: number, seed = 0): SyntheticProducer[] {
  return Array.from({ length: count }, (_, index) => generateProducer(seed, index));
}

test('Synthetic producers are the same on every machine.', () => {
  const hashOf = (seed: number) =>
    createHash('sha256')
      .update(JSON.stringify(firstProducers(1_000, seed)))
      .digest('hex');
  // A change of the generator changes every generated registry, and belongs in the changelog.
  assert.deepEqual(
    [hashOf(0), hashOf(42)],
    [
      '46351c71fa07420dca902eba49b5862df03d04afd818a32abf3bbc8a0affb23b',
      'cac1f951e5d1c8b53ef7992ebb0f7035fa93ed278d18a2f5d80a33265b8a64dc',
    ],
  );
});

test('A synthetic producer does not depend on the others.', () => {
  fc.assert(
    fc.property(seeds, indexes, fc.array(indexes, { maxLength: 5 }), (seed, index, others) => {
      const alone = generateProducer(seed, index);
      for (const other of others) generateProducer(seed, other);
      assert.deepEqual(generateProducer(seed, index), alone);
    }),
  );
});

test('Every synthetic producer is a complete record of the API, and nothing else.', () => {
  const isProducerDetail = producerDetailValidator();
  const moment = '2026-03-01T12:00:00.000Z';
  fc.assert(
    fc.property(seeds, indexes, (seed, index) => {
      const { npn, ssn: _ssn, ...detail } = generateProducer(seed, index);
      const record = { id: 'prd', createdAt: moment, updatedAt: moment, ...detail };
      assert.ok(isProducerDetail(record), JSON.stringify(isProducerDetail.errors));
      assert.equal(detail.biographic.npn, npn);
      assert.ok(!isProducerDetail({ ...record, biographic: { ...detail.biographic, more: '' } }));
      assert.ok(!isProducerDetail({ ...record, addresses: [{ state: 'TX', addresses: [{}] }] }));
      for (const alias of detail.biographic.otherNames) assert.deepEqual(Object.keys(alias), aliasKeys);
    }),
    { numRuns: 2_000 },
  );
});

test('Each seed has separate NPNs of ten digits.', () => {
  assert.equal(syntheticNpn(0, 0), '9000000001');
  assert.equal(syntheticNpn(maxSeed, maxCount - 1), '9999999999');
  for (let seed = 1; seed <= maxSeed; seed += 1) {
    assert.ok(Number(syntheticNpn(seed - 1, maxCount - 1)) < Number(syntheticNpn(seed, 0)));
  }
});

test('No synthetic SSN, phone number, e-mail address or employer number belongs to a person.', () => {
  const magic = new Set(testSsns.map(({ last4 }) => last4));
  for (const producer of firstProducers(2_000)) {
    assert.match(producer.ssn ?? '900101000', /^9\d\d[1-4]\d\d{4}$/);
    assert.ok(!magic.has(producer.ssn?.slice(-4) ?? ''));
    for (const { businessEmail, businessPhone } of producer.contactInfos.flatMap((group) => group.contactInfo)) {
      assert.match(businessEmail, /@example\.com$/);
      assert.match(businessPhone, /^\d{3}-555-01\d\d$/);
    }
    assert.match(producer.biographic.fein, /^(00-\d{7})?$/);
    for (const { appointments } of producer.licenseInformation) {
      for (const { fein } of appointments) assert.match(fein, /^00-\d{7}$/);
    }
  }
});
