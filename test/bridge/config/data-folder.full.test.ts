import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { describeOtherData, findDataFolder } from '../../../src/bridge/config/data-folder.js';
import { runCommand } from '../process.js';

/** A package with folders, below a folder with data, and a home folder. */
function setup(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'licensing-bridge-places-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const at = (...names: string[]) => join(root, ...names);
  mkdirSync(at('site', 'src', 'deep'), { recursive: true });
  writeFileSync(at('site', 'package.json'), '{}');
  const fill = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'secret-key'), '');
  };
  const placesIn = (...names: string[]) => ({ current: at(...names), dataHome: at('home') });
  return { at, fill, placesIn };
}

test('A command finds the data of its package from every folder in it.', (t) => {
  const { at, fill, placesIn } = setup(t);
  fill(at('site', '.data'));
  for (const names of [['site'], ['site', 'src'], ['site', 'src', 'deep']]) {
    assert.equal(findDataFolder(placesIn(...names)), at('site', '.data'));
  }
});

test('Without data nearby, the folder is the same from everywhere, and data of another package is not used.', (t) => {
  const { at, fill, placesIn } = setup(t);
  fill(at('.data'));
  mkdirSync(at('site', '.data'));
  for (const names of [['site'], ['site', 'src', 'deep']]) {
    assert.equal(findDataFolder(placesIn(...names)), at('home', 'licensing-bridge'));
  }
});

test('An operator who creates new data beside old data is warned; one who continues with the old data is not.', (t) => {
  const { at, fill, placesIn } = setup(t);
  const places = placesIn('site');
  assert.equal(describeOtherData(at('new'), places), undefined);
  fill(at('home', 'licensing-bridge'));
  assert.match(
    describeOtherData(at('new'), places) ?? '',
    /are created in .*new\. The ones in .*licensing-bridge are not used/,
  );
  fill(at('site', '.data'));
  assert.match(describeOtherData(at('new'), places) ?? '', /The ones in .*site\/\.data are not used/);
  assert.equal(describeOtherData(at('site', '.data'), places), undefined);
});

test('The warning is printed by the command that creates the data.', async (t) => {
  const { at, fill } = setup(t);
  fill(at('home', 'licensing-bridge'));
  // Here it has no database, and the warning comes first.
  const { err } = await runCommand(['agency', 'list'], {
    XDG_DATA_HOME: at('home'),
    BRIDGE_DATA_DIR: at('new'),
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
  });
  assert.match(err, /A new database and key are created in [^"]*new\./);
});

test('An account without a home folder needs a folder only for an embedded database or a key that the bridge creates.', async (t) => {
  const { at, placesIn } = setup(t);
  const homeless = { ...placesIn('site'), dataHome: undefined };
  assert.throws(() => findDataFolder(homeless), /no home folder\. Set BRIDGE_DATA_DIR/);
  assert.equal(describeOtherData(at('new'), homeless), undefined);

  const variables = { HOME: '', XDG_DATA_HOME: '' };
  const none = await runCommand(['agency', 'list'], variables, undefined, at('site'));
  assert.match(none.err, /no home folder\. Set BRIDGE_DATA_DIR/);
  const database = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', BRIDGE_SECRET_KEY: '0'.repeat(64) };
  const given = await runCommand(['agency', 'list'], { ...variables, ...database }, undefined, at('site'));
  assert.match(given.err, /The database at DATABASE_URL cannot be used/);
});
