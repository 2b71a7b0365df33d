import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { TerritoryState } from '../../../src/contract/index.js';
import { createAgency } from '../../../src/bridge/index.js';
import { insertAssignment } from '../../../src/bridge/store/producers/territory-store.js';
import { onboardProducers } from '../../../src/bridge/store/producers/onboarding-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { runHere } from '../process.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());

const state = (stateCode: string): TerritoryState => ({
  stateCode,
  licenses: [
    {
      licenseClass: 'General Lines Agent',
      licenseClassCode: '12',
      loas: [{ code: '16', name: 'Life', residencyType: 'non-resident' }],
    },
  ],
});
const south = { name: 'South', states: [state('TX'), state('LA')] };
const north = { name: 'North', states: [{ stateCode: 'MN', licenses: [] }] };

const run = (...args: string[]) =>
  runHere(args, { DATABASE_URL: database.url, BRIDGE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') });

/** An agency, and a function that imports a file for it. */
async function setup(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-territory-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { agencyId } = await createAgency({ db: database.db, clock: () => new Date() }, 'Example Agency');
  const file = join(folder, 'territories.json');
  const importText = async (text: string | Buffer, ...options: string[]) => {
    await writeFile(file, text);
    return run('territory', 'import', file, '--agency', agencyId, ...options);
  };
  return {
    agencyId,
    folder,
    importText,
    async importAll(content: unknown) {
      const { code, out, err } = await importText(JSON.stringify(content), '--json');
      assert.deepEqual([code, err], [0, '']);
      return JSON.parse(out) as { id: string; name: string; isNew: boolean }[];
    },
    async list() {
      const { out } = await run('territory', 'list', '--agency', agencyId, '--json');
      return JSON.parse(out) as { id: string; name: string; states: TerritoryState[] }[];
    },
  };
}

test('The imported territories are listed in the order of the file.', async (t) => {
  const { agencyId, importText, list } = await setup(t);
  assert.equal((await run('territory', 'list', '--agency', agencyId)).out, 'None.\n');
  const { code, out } = await importText(JSON.stringify([south, north]));
  assert.equal(code, 0);
  assert.match(out, /^ter_[\w-]{22} {2}South {2}\(created\)\nter_[\w-]{22} {2}North {2}\(created\)\n$/);
  assert.deepEqual(
    (await list()).map(({ name, states }) => ({ name, states })),
    [south, north],
  );
  const printed = await run('territory', 'list', '--agency', agencyId);
  assert.match(printed.out, /^ter_\S+ {2}South {2}TX,LA\nter_\S+ {2}North {2}MN\n$/);
});

test('A territory that is imported again keeps its id, its position and its producers, and gets the new states.', async (t) => {
  const { agencyId, importAll, list } = await setup(t);
  const [first] = await importAll([south, north]);
  const owner = { agencyId, mode: 'test' as const };
  const now = new Date();
  await database.db.transaction().execute((trx) => onboardProducers(trx, owner, ['640000001'], 'subscribe', now));
  await insertAssignment(database.db, owner, '640000001', first?.id ?? '', now);
  const changed = { name: 'South', states: [state('TX')] };
  const again = await importAll([{ name: 'West', states: [state('CA')] }, changed]);
  assert.deepEqual(
    again.map(({ name, isNew }) => [name, isNew]),
    [
      ['West', true],
      ['South', false],
    ],
  );
  assert.equal(again[1]?.id, first?.id);
  const listed = await list();
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['South', 'North', 'West'],
  );
  assert.deepEqual(listed[0]?.states, changed.states);
  const { db } = database;
  const assignments = await db.selectFrom('territoryAssignment').selectAll().where('agencyId', '=', agencyId).execute();
  assert.deepEqual(
    assignments.map(({ npn, territoryId }) => [npn, territoryId]),
    [[640_000_001, first?.id]],
  );
});

test('Concurrent imports in different orders all succeed.', async (t) => {
  const { importAll, list } = await setup(t);
  await Promise.all([importAll([south, north]), importAll([north, south]), importAll([south, north])]);
  assert.equal((await list()).length, 2);
});

test('Territories are imported as operation 16 returns them, and with codes as numbers.', async (t) => {
  const { importAll, list } = await setup(t);
  const assignedProducers = [{ firstName: 'A', lastName: 'B', npn: '1' }];
  await importAll([{ id: 'ter_other', ...south, assignedProducers }]);
  const [stored] = await list();
  assert.deepEqual([stored?.name, stored?.states], [south.name, south.states]);
  assert.notEqual(stored?.id, 'ter_other');
  assert.equal((await importAll(await list()))[0]?.isNew, false);
  const [loa] = state('TX').licenses[0]?.loas ?? [];
  const licenses = [{ licenseClass: 'General', licenseClassCode: 12, loas: [{ ...loa, code: 16 }] }];
  await importAll([{ name: 'South', states: [{ stateCode: 'TX', licenses }] }]);
  const [{ licenseClassCode, loas } = assert.fail()] = (await list())[0]?.states[0]?.licenses ?? [];
  assert.deepEqual([licenseClassCode, loas[0]?.code], ['12', '16']);
});

for (const [what, content, message] of [
  ['a territory without a name', [{ states: [state('TX')] }], '[0].name: expected a text'],
  ['a territory without states', [south, { name: 'North', states: [] }], '[1].states: expected at least one state'],
  ['an unknown state', [{ name: 'South', states: [state('XX')] }], '[0].states[0].stateCode: expected a state code'],
  [
    'a state twice',
    [{ name: 'South', states: [state('TX'), state('TX')] }],
    '[0].states[1].stateCode: expected each state once',
  ],
  ['a name twice', [south, north, south], '[2].name: expected a name that no other territory of the file has'],
  [
    'an unknown key inside',
    [{ name: 'South', states: [{ ...state('TX'), counties: [] }] }],
    '[0].states[0].counties: expected no such key',
  ],
] as const) {
  test(`${what} is refused with its path, and nothing is imported.`, async (t) => {
    const { importText, list } = await setup(t);
    const { code, out, err } = await importText(JSON.stringify(content));
    assert.deepEqual([code, out], [1, '']);
    assert.ok(err.startsWith(`Nothing was imported. In the file:\n  ${message}`), err);
    assert.deepEqual(await list(), []);
  });
}

test('Of very many mistakes, ten are shown and the rest is counted.', async (t) => {
  const { importText } = await setup(t);
  const { err } = await importText(JSON.stringify(Array.from({ length: 30 }, () => ({ states: [state('TX')] }))));
  assert.equal(err.match(/expected a text/g)?.length, 10);
  assert.match(err, / {2}and 20 more\n$/);
});

test('A file that is missing, not JSON, not UTF-8 or of no agency is named.', async (t) => {
  const { folder, importText } = await setup(t);
  assert.match((await importText('{')).err, /^The file is not JSON: /);
  const windows1252 = await importText(Buffer.from(JSON.stringify([{ ...south, name: 'Süd' }]), 'latin1'));
  assert.match(
    windows1252.err,
    /territories\.json:1:12: expected UTF-8, found the byte 0xFC: save the file as UTF-8\.\n$/,
  );
  const missingFile = join(folder, 'missing.json');
  const missing = await run('territory', 'import', missingFile, '--agency', 'agc_x');
  assert.deepEqual([missing.code, missing.err], [1, `${missingFile} cannot be read (ENOENT).\n`]);
  await writeFile(join(folder, 'fine.json'), JSON.stringify([south]));
  const unknown = await run('territory', 'import', join(folder, 'fine.json'), '--agency', 'agc_x');
  assert.deepEqual([unknown.code, unknown.err], [1, 'There is no agency of this id.\n']);
  assert.equal((await run('territory', 'list', '--agency', 'agc_x')).err, unknown.err);
});
