import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { importFile, type ImportOptions } from '../../../src/bridge/registry/import-file.js';
import type { ProducerRegistry } from '../../../src/bridge/ports/producer-registry.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import type { ImportProgress } from '../../../src/bridge/store/tables/producer-tables.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { sampleProducer } from '../../support/producers.js';

const keys = createKeys([randomBytes(32)]);
const march = new Date('2026-03-01T12:00:00Z');
const april = new Date('2026-04-01T12:00:00Z');
let database: TestDatabase;
let registry: ProducerRegistry;
let folder: string;
before(async () => {
  database = await testDatabase();
  registry = createTableRegistry(database.db, keys);
  folder = await mkdtemp(join(tmpdir(), 'registry-'));
});
after(async () => {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

let files = 0;

async function write(...lines: unknown[]): Promise<string> {
  const path = join(folder, `${(files += 1)}.ndjson`);
  const texts = lines.map((line) => (line instanceof Buffer || typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(path, Buffer.concat(texts.flatMap((text) => [Buffer.from(text), Buffer.from('\n')])));
  return path;
}

function importOf(path: string, more: Partial<ImportOptions> = {}, onProgress?: (progress: ImportProgress) => void) {
  const context = { db: database.db, keys, clock: () => march };
  return importFile(context, { path, mode: 'test', at: march, ...more }, onProgress);
}

/** This number of people with NPNs from `first`. */
function people(count: number, first: number) {
  return Array.from({ length: count }, (_, index) => {
    const npn = String(first + index);
    return { npn, biographic: { lastName: `Person ${npn}` }, ssn: String(900_100_000 + index) };
  });
}

test('Good lines are kept, and bad ones are reported with their number and without their content.', async () => {
  const secret = '987-65-4321';
  const bad: [line: unknown, reason: string][] = [
    [`{"npn": ${secret}`, 'not JSON'],
    ['"text"', 'expected an object'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'column 2: expected UTF-8, found the byte 0xFF: save the file as UTF-8'],
    [{ npn: '0' }, 'npn: expected 1 to 10 digits that are not all zero'],
    [{ npn: '1', biographic: { npn: '2', lastName: 'A' } }, 'npn: expected that of biographic'],
    [{ npn: '1' }, 'biographic: expected a lastName or a companyName'],
    [{ npn: '1', ssn: `${secret}0` }, 'ssn: expected nine digits, or 3-2-4 with dashes'],
    [{ npn: '1', [secret]: 1 }, '(unreadable key): expected no such key'],
    [{ npn: '1', biographic: { surname: 'A' } }, 'biographic.surname: expected no such key'],
    [
      { npn: '1', biographic: { lastName: 7 } },
      'biographic.lastName: expected a text of at most 1000 characters on one line',
    ],
    [{ npn: '1', biographic: { dateOfBirth: '02/30/1990' } }, 'biographic.dateOfBirth: expected a day as MM/DD/YYYY'],
    [
      { npn: '1', licenseInformation: [{ state: 'tx' }] },
      'licenseInformation.0.state: expected a state code in upper case, such as TX',
    ],
    [
      { npn: '1', licenseInformation: [{ state: 'TX', licenses: [{ residencyStatus: 'R' }] }] },
      'licenseInformation.0.licenses.0.active: expected true or false',
    ],
    [
      { npn: '1', addresses: [{ state: 'TX', addresses: [{ addressTypeCode: 1.5 }] }] },
      'addresses.0.addresses.0.addressTypeCode: expected a whole number from 0',
    ],
  ];
  const [first, last] = people(2, 2_000);
  const found = await importOf(await write(first, ...bad.map(([line]) => line), '', last));
  assert.deepEqual(
    found.badLines,
    bad.map(([, reason], index) => ({ line: index + 2, reason })),
  );
  assert.deepEqual([found.created, found.bad, found.lines], [2, bad.length, bad.length + 3]);
  assert.equal(JSON.stringify(found).includes('4321'), false);
});

test('Omitted columns are empty, and a line may end with CRLF or without a line break.', async () => {
  const path = join(folder, 'short.ndjson');
  await writeFile(
    path,
    '\ufeff{"npn":7001,"biographic":{"lastName":"Alderbrook"}}\r\n{"biographic":{"npn":"007002","companyName":"B"}}',
  );
  assert.equal((await importOf(path)).created, 2);
  const found = await registry.findProducers('test', ['7001', '7002']);
  const { id, createdAt, updatedAt, ...detail } = found.get('7001') ?? assert.fail();
  assert.deepEqual([id, createdAt, updatedAt], ['prd_test_7001', march.toISOString(), march.toISOString()]);
  const { npn: _npn, ...empty } = sampleProducer('7001');
  assert.deepEqual(Object.keys(detail), Object.keys(empty));
  assert.deepEqual([detail.nasdExamDetails, detail.addresses, detail.biographic.suffix], ['', [], '']);
  assert.equal(found.get('7002')?.biographic.npn, '7002');
});

test('Values are read as exporters write them: null, codes as numbers or texts, and spaces around an NPN.', async () => {
  const record = {
    npn: ' 7011 ',
    ssn: null,
    nasdExamDetails: null,
    addresses: null,
    biographic: { npn: null, lastName: 'A', middleName: null, dateOfBirth: null, otherNames: null, stateCoID: 12 },
    licenseInformation: [
      {
        state: 'TX',
        licenses: [
          {
            licenseNumber: 123,
            licenseClassCode: '12',
            residencyStatus: 'NR',
            active: true,
            details: [{ loaCode: '16', ceCreditsNeeded: null, status: 'Active' }],
          },
        ],
        appointments: [{ coCode: 7, loaCode: '16', status: 'Appointed' }],
      },
    ],
  };
  const { badLines } = await importOf(await write(record));
  assert.deepEqual(badLines, []);
  const found = (await registry.findProducers('test', ['7011'])).get('7011') ?? assert.fail();
  assert.deepEqual([found.nasdExamDetails, found.addresses], ['', []]);
  const { middleName, dateOfBirth, otherNames, stateCoID } = found.biographic;
  assert.deepEqual([middleName, dateOfBirth, otherNames, stateCoID], ['', '', [], '12']);
  const { licenses, appointments } = found.licenseInformation[0] ?? assert.fail();
  const { licenseNumber, licenseClassCode, details } = licenses[0] ?? assert.fail();
  assert.deepEqual([licenseNumber, licenseClassCode], ['123', 12]);
  assert.deepEqual([details[0]?.loaCode, details[0]?.ceCreditsNeeded], [16, 0]);
  assert.deepEqual([appointments[0]?.coCode, appointments[0]?.loaCode], ['7', 16]);
});

test('A JSON array is imported like lines, and its bad records are reported with their line and number.', async () => {
  const [one, two, three] = people(3, 7_020).map((person) => JSON.stringify(person));
  const compact = await importOf(await write(`[${one ?? ''},{"npn":"0"},{"npn":"7029"},${two ?? ''}]`));
  assert.deepEqual([compact.created, compact.lines], [2, 1]);
  assert.deepEqual(compact.badLines, [
    { line: 1, reason: 'record 2: npn: expected 1 to 10 digits that are not all zero' },
    { line: 1, reason: 'record 3: biographic: expected a lastName or a companyName' },
  ]);
  const named = { npn: '7028', biographic: { lastName: 'Quote " ], [ Backslash \\' } };
  const wide = await write('\ufeff', JSON.stringify([JSON.parse(three ?? ''), 'x', named], undefined, 2), '');
  const found = await importOf(wide);
  assert.deepEqual([found.created, found.lines], [2, 18]);
  assert.deepEqual(found.badLines, [{ line: 10, reason: 'record 2: expected an object' }]);
  assert.equal((await registry.findNames('test', ['7028'])).get('7028')?.lastName, named.biographic.lastName);
});

test('A JSON array that is larger than a record may be is imported, and resumes after an interruption.', async () => {
  const path = await write(JSON.stringify([...people(1_700, 400_000), 'x'.repeat(5 * 1024 * 1024), { npn: 0 }]));
  const interruption = new Error('interrupted');
  let batches = 0;
  const broken = importOf(path, {}, () => {
    batches += 1;
    if (batches === 2) throw interruption;
  });
  await assert.rejects(broken, interruption);
  const { created, unchanged, badLines } = await importOf(path);
  assert.deepEqual([created, unchanged], [1_700, 0]);
  assert.deepEqual(badLines, [
    { line: 1, reason: 'record 1701: longer than 4194304 bytes' },
    { line: 1, reason: 'record 1702: npn: expected 1 to 10 digits that are not all zero' },
  ]);
});

test('A JSON array without its end is reported, and its complete records are kept.', async () => {
  const [one, two] = people(2, 7_030).map((person) => JSON.stringify(person));
  const found = await importOf(await write(`[${one ?? ''},${two ?? ''}`));
  assert.equal(found.created, 1);
  assert.deepEqual(found.badLines, [{ line: 1, reason: 'record 2: the file ends within the array: expected ]' }]);
});

for (const [content, what] of [
  ['{"npn":"1"},\n{"npn":"2"}\n', 'JSON with a comma at the end of its lines'],
  ['{\n  "npn": "1"\n}\n', 'JSON whose objects take several lines'],
  ["{'npn': '1'}\n", 'not valid JSON'],
  ['NPN,Last Name\n8000000013,Sample\n', 'a CSV or another text'],
  ['npn\n8000000013\n', 'a CSV or another text'],
  ['<records/>', 'XML or HTML'],
  [Buffer.from('504b030414000600', 'hex'), 'an Excel workbook or a ZIP archive'],
  [Buffer.from('1f8b0800', 'hex'), 'a gzip archive'],
] as const) {
  test(`A file that is ${what} (${JSON.stringify(content.toString()).slice(0, 20)}…) is refused in one sentence.`, async () => {
    const path = join(folder, 'other');
    await writeFile(path, content);
    const message = `${path} is ${what}: expected one JSON object per line, or a JSON array of them.`;
    await assert.rejects(importOf(path), { message });
  });
}

test('A file in UTF-16 is refused in one sentence.', async () => {
  const path = join(folder, 'utf16');
  await writeFile(path, Buffer.from('\ufeff{"npn":"1"}\n', 'utf16le'));
  await assert.rejects(importOf(path), {
    message: `${path}:1:1: expected UTF-8, found UTF-16: save the file as UTF-8.`,
  });
});

test('The same file again changes nothing; other content is an update of the changed sections.', async () => {
  const path = await write(sampleProducer('7004', { ssn: '900107004' }));
  await importOf(path);
  assert.equal((await importOf(path, { at: april })).unchanged, 1);
  const changed = { npn: '7004', nasdExamDetails: 'Series 6', addresses: [], transactionType: 'Individual' };
  assert.equal((await importOf(await write(changed), { at: april })).updated, 1);
  const update = await registry.findUpdate('test', '7004', new Date(april.getTime() + 1));
  assert.deepEqual(update?.changes, ['nasdExamDetails', 'addresses']);
  assert.deepEqual(update.producer.licenseInformation, sampleProducer('7004').licenseInformation);
  assert.equal(await registry.findNpn('test', 'Producer 7004', '900107004'), '7004');
});

test('Several lines of one producer in one file are applied in order.', async () => {
  const lines = [
    { npn: '7005', biographic: { lastName: 'A' } },
    { npn: '7005', nasdExamDetails: 'B' },
    { npn: '7005', nasdExamDetails: 'C' },
  ];
  const { created, updated } = await importOf(await write(...lines));
  assert.deepEqual([created, updated], [1, 2]);
  const update = await registry.findUpdate('test', '7005', april);
  assert.equal(update?.producer.nasdExamDetails, 'C');
  assert.equal(update.producer.biographic.lastName, 'A');
});

test('A file that is older than the registry does not undo changes.', async () => {
  await importOf(await write({ npn: '7006', biographic: { lastName: 'New' } }), { at: april });
  const { badLines } = await importOf(await write({ npn: '7006', biographic: { lastName: 'Old' } }));
  assert.deepEqual(badLines, [{ line: 1, reason: 'the registry has a newer record' }]);
  assert.equal((await registry.findNames('test', ['7006'])).get('7006')?.lastName, 'New');
});

test('A new last name or SSN is found, and the former one is not.', async () => {
  const record = sampleProducer('7007', { ssn: '900107007' });
  await importOf(await write(record));
  const biographic = { ...record.biographic, lastName: 'Renamed' };
  await importOf(await write({ npn: '7007', biographic }));
  assert.equal(await registry.findNpn('test', 'renamed', '900107007'), '7007');
  assert.equal(await registry.findNpn('test', record.biographic.lastName, '900107007'), undefined);
  assert.equal((await importOf(await write({ npn: '7007', ssn: '900-10-7008' }))).updated, 1);
  assert.equal(await registry.findNpn('test', 'Renamed', '900107008'), '7007');
  assert.equal(await registry.findNpn('test', 'Renamed', '900107007'), undefined);
  assert.equal((await registry.findUpdate('test', '7007', april))?.changes.join(), 'biographic');
});

test('An interrupted import continues at its last line, with the report of an uninterrupted one.', async () => {
  const path = await write('bad', ...people(1_700, 100_000), 'bad');
  const interruption = new Error('interrupted');
  let batches = 0;
  const broken = importOf(path, {}, () => {
    batches += 1;
    if (batches === 2) throw interruption;
  });
  await assert.rejects(broken, interruption);
  const found = await importOf(path);
  assert.equal(found.resumedFromLine, 1_001);
  assert.deepEqual([found.created, found.unchanged, found.bad, found.lines], [1_700, 0, 2, 1_702]);
  assert.deepEqual(
    found.badLines.map(({ line }) => line),
    [1, 1_702],
  );
  const again = await importOf(path);
  assert.deepEqual([again.resumedFromLine, again.unchanged, again.bad], [1, 1_700, 2]);
});

test('An import can begin at any line.', async () => {
  const path = await write('bad', ...people(3, 200_000));
  const found = await importOf(path, { fromLine: 3 });
  assert.deepEqual([found.resumedFromLine, found.created, found.bad, found.lines], [3, 2, 0, 4]);
});

test('An endless line is reported as a bad line, and does not fill the memory.', async () => {
  const found = await importOf(await write('x'.repeat(5 * 1024 * 1024), people(1, 300_000)[0]));
  assert.deepEqual(found.badLines, [{ line: 1, reason: 'longer than 4194304 bytes' }]);
  assert.equal(found.created, 1);
});

test('No SSN is stored in plain text.', async () => {
  await importOf(await write({ npn: '7008', biographic: { lastName: 'A' }, ssn: '900-10-7009' }));
  const rows = await database.db.selectFrom('registryProducer').selectAll().where('npn', '=', 7008).execute();
  const text = JSON.stringify(rows);
  assert.equal(rows[0]?.ssnEncrypted?.length !== undefined && !/900-?10-?7009/.test(text), true);
});
