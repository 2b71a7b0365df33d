import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copyOfRelease, shippedData } from '../catalogue/release-copy.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { runHere } from '../process.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());

function catalogue(...args: string[]) {
  const BRIDGE_SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
  return runHere(['catalogue', ...args], { DATABASE_URL: database.url, BRIDGE_SECRET_KEY });
}

/** A release with another version. Default content: the shipped release's. */
function release(t: TestContext, version: string) {
  const copy = copyOfRelease(t);
  copy.change('release', (value) => void Object.assign(value, { version }));
  return copy;
}

test('catalogue check prints the counts of a valid release, without a database.', async () => {
  const { code, out, err } = await runHere(['catalogue', 'check', shippedData]);
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^Valid\. [\d.]+, effective 2026-11-01: \d+ questions, \d+ disclosures, 56 jurisdictions, /);
  const { out: json } = await runHere(['catalogue', 'check', shippedData, '--json']);
  const summary = JSON.parse(json) as { version: string; jurisdictions: number; fees: number; sampleFees: number };
  assert.ok(out.startsWith(`Valid. ${summary.version}, `));
  assert.equal(summary.jurisdictions, 56);
  assert.ok(summary.sampleFees > 0 && summary.sampleFees <= summary.fees);
});

test('catalogue check and import name each mistake by file, line, column and field, and store nothing.', async (t) => {
  const { folder, write, change } = release(t, '2026.12.1');
  change('questions', ([first = {}]) => void Object.assign(first, { apliesTo: {} }));
  write('es/groups', '{\n  "criminal": Antecedentes\n}');
  for (const command of ['check', 'import']) {
    const { code, out, err } = await catalogue(command, folder);
    assert.deepEqual([code, out], [1, '']);
    const [first, ...rest] = err.trimEnd().split('\n');
    assert.equal(first, `${folder} is not a valid release of the catalogue:`);
    assert.equal(rest.length, 2, err);
    assert.match(err, /^ {2}questions\.json:\d+:\d+ \[0\]\.apliesTo: expected no such key$/m);
    assert.match(err, /^ {2}es\/groups\.json:2:15: expected a value \(not JSON\)$/m);
  }
  assert.equal((await catalogue('list')).out, 'None.\n');
});

test('catalogue confirm records who compared which entries and when, and the file keeps its form.', async (t) => {
  const { folder } = copyOfRelease(t);
  const read = () => readFileSync(join(folder, 'jurisdictions.json'), 'utf8');
  const before = read().split('\n');
  const confirm = (...options: string[]) => runHere(['catalogue', 'confirm', folder, ...options]);
  const options = ['--state', 'TX', '--by', 'A reviewer', '--on', '2026-11-20'];
  const { code, out, err } = await confirm(...options, '--part', 'fees', '--residency', 'resident', '--type', 'new');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^Confirmed 5 entries of TX\./);
  const changed = read()
    .split('\n')
    .filter((line) => !before.includes(line));
  assert.equal(changed.length, 5, changed.join('\n'));
  for (const line of changed) assert.match(line, /"sample": false, ?"confirmed": ?\{ ?"by": ?"A reviewer"/);
  const summary = JSON.parse((await runHere(['catalogue', 'check', folder, '--json'])).out) as Record<string, number>;
  assert.equal((summary['fees'] ?? 0) - (summary['sampleFees'] ?? 0), 4);
  assert.match((await confirm(...options, '--type', 'zebra', '--part', 'fees')).err, /has no such entry of TX/);
  assert.match((await confirm('--state', 'ZZ', '--by', 'A reviewer')).err, /--state: expected one of/);
});

test('A release can be imported once, again without effect, and never with other content.', async (t) => {
  const { folder, change } = release(t, '2026.12.2');
  const first = await catalogue('import', folder, '--json');
  assert.deepEqual([first.code, first.err], [0, '']);
  assert.equal((JSON.parse(first.out) as { isNew: boolean }).isNew, true);
  const again = await catalogue('import', folder);
  assert.equal(again.code, 0);
  assert.match(again.out, /^Stored already\. 2026\.12\.2, /);

  change('en/questions', (all) => ({ ...all, felony: { ...(all['felony'] as object), ask: 'Other words?' } }));
  const changed = await catalogue('import', folder);
  assert.deepEqual([changed.code, changed.out], [1, '']);
  assert.equal(
    changed.err,
    'The database has the catalogue 2026.12.2 with other content. Set another version in release.json.\n',
  );
  const difference = await catalogue('diff', '2026.12.2', folder);
  assert.equal(difference.out, 'changed  en/questions felony: ask\n');
});

test('catalogue list shows the newest first and marks the one that new sessions use.', async (t) => {
  const later = release(t, '2999.1.1');
  later.change('release', (value) => void (value.effective = '2999-01-01'));
  const current = release(t, '2026.12.4');
  for (const { folder } of [later, current]) await catalogue('import', folder);
  const { code, out } = await catalogue('list');
  assert.equal(code, 0);
  const [first, second] = out.split('\n');
  assert.equal(first, `2999.1.1  effective 2999-01-01  ${later.folder}`);
  assert.equal(second, `2026.12.4  effective 2026-11-01  ${current.folder}  (used by new sessions)`);
});

test('catalogue diff compares stored releases and folders, including the amounts of fees.', async (t) => {
  const { folder, change } = release(t, '2026.12.5');
  await catalogue('import', folder);
  assert.equal((await catalogue('diff', '2026.12.5', folder)).out, 'No difference.\n');
  change('questions', (all) => all.filter(({ id }) => id !== 'military_offense'));
  for (const language of ['en', 'es'] as const) {
    change(`${language}/questions`, ({ military_offense: _, ...rest }) => rest);
  }
  change('jurisdictions', (all) => {
    const fee = all.find(({ code }) => code === 'TX')?.fees.find(({ applicationType }) => applicationType === 'new');
    if (fee) fee.stateFeeCents = 7_777;
    // Pennsylvania has a lower fee for residents: two fees of one kind, which are distinguished.
    const ofResidents = all.find(({ code }) => code === 'PA')?.fees.find(({ residency }) => residency === 'resident');
    if (ofResidents) ofResidents.stateFeeCents = 8_888;
  });
  const { code, out } = await catalogue('diff', '2026.12.5', folder);
  assert.equal(code, 0);
  assert.deepEqual(out.trimEnd().split('\n'), [
    'removed  questions military_offense',
    'changed  fees PA new resident Insurance Producer (life, accident_health, variable, property, casualty, personal_lines): $55.00 → $88.88',
    'changed  fees TX new resident General Lines Agent (life, accident_health, property, casualty): $50.00 → $77.77',
    'removed  en/questions military_offense',
    'removed  es/questions military_offense',
  ]);
  const json = JSON.parse((await catalogue('diff', folder, '2026.12.5', '--json')).out) as { kind: string }[];
  assert.deepEqual(
    json.map(({ kind }) => kind),
    ['added', 'changed', 'changed', 'added', 'added'],
  );
  const unknown = await catalogue('diff', '1.2.3', folder);
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.err,
    /^There is no stored catalogue of the version 1\.2\.3\. See "licensing-bridge catalogue list"\.\n$/,
  );
});

test('A release that was changed in the database is not shown as signed by users.', async (t) => {
  const { folder } = release(t, '2026.12.6');
  await catalogue('import', folder);
  await sql`update catalogue set content = jsonb_set(content, '{texts,en,questions,felony,ask}', '"Forged?"')
    where version = '2026.12.6'`.execute(database.db);
  const { code, err } = await catalogue('diff', '2026.12.6', folder);
  assert.notEqual(code, 0);
  assert.match(err, /The catalogue 2026\.12\.6 was changed in the database\./);
});
