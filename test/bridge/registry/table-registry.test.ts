import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import type { ProducerRegistry } from '../../../src/bridge/ports/producer-registry.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { addProducers, sampleProducer } from '../../support/producers.js';

const march = new Date('2026-03-01T12:00:00Z');
const april = new Date('2026-04-01T12:00:00Z');
const may = new Date('2026-05-01T12:00:00Z');

const keys = createKeys([randomBytes(32)]);
let database: TestDatabase;
let registry: ProducerRegistry;

before(async () => {
  database = await testDatabase();
  registry = createTableRegistry(database.db, keys);
});
after(() => database.stop());

const add = (mode: 'test' | 'live', records: Parameters<typeof addProducers>[2], at = march) =>
  addProducers({ db: database.db, keys }, mode, records, at);

it('The embedded registry separates the modes.', async () => {
  await add('live', [sampleProducer('102', { ssn: '900101000' })]);
  assert.deepEqual(await registry.findKnown('live', ['102']), new Set(['102']));
  assert.deepEqual(await registry.findKnown('test', ['102']), new Set());
  assert.equal((await registry.findProducers('test', ['102'])).size, 0);
  assert.equal((await registry.findNames('test', ['102'])).size, 0);
  assert.deepEqual(await registry.findActiveLicenses('test', ['102'], ['TX']), []);
  assert.equal(await registry.findNpn('test', 'Producer 102', '900101000'), undefined);
  assert.equal(await registry.findNpn('live', 'Producer 102', '900101000'), '102');
  await add('live', [sampleProducer('102', { nasdExamDetails: 'Changed' })], april);
  assert.equal(await registry.findUpdate('test', '102', may), undefined);
});

it('The embedded registry names people, and companies where there is no family name.', async () => {
  const company = sampleProducer('104');
  const biographic = { ...company.biographic, firstName: '', lastName: '', companyName: 'Sample Agency' };
  await add('test', [sampleProducer('103'), { ...company, biographic }]);
  assert.deepEqual(
    await registry.findNames('test', ['103', '104']),
    new Map([
      ['103', { firstName: 'Sample', lastName: 'Producer 103' }],
      ['104', { firstName: '', lastName: 'Sample Agency' }],
    ]),
  );
});

for (const name of ["O'Brien Ⅳ", '  o’BRIEN   iv ']) {
  it(`The embedded registry finds the owner of an SSN by the last name "${name}".`, async () => {
    const sample = sampleProducer('106', { ssn: '900101006' });
    await add('test', [{ ...sample, biographic: { ...sample.biographic, lastName: "O'Brien IV" } }]);
    assert.equal(await registry.findNpn('test', name, '900101006'), '106');
    assert.equal(await registry.findNpn('test', name, '900101007'), undefined);
    assert.equal(await registry.findNpn('test', 'OBrien', '900101006'), undefined);
  });
}

it('The embedded registry finds the lowest NPN of several producers with the same SSN and last name.', async () => {
  const { biographic } = sampleProducer('1');
  await add(
    'test',
    ['90010', '9009', '90011'].map((npn) => ({ npn, biographic, ssn: '900109009' })),
  );
  assert.equal(await registry.findNpn('test', biographic.lastName, '900109009'), '9009');
});
