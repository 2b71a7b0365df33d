import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { commands } from '../../../src/bridge/cli/run.js';
import { type AuditEntry, readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { writeRecords } from '../../../src/bridge/registry/apply-records.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { startBridge } from '../../support/bridge.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { createApplication, submitApplication } from '../applications.js';
import { copyOfRelease, shippedData } from '../catalogue/release-copy.js';
import { runHere, serveInProcess } from '../process.js';

/** One run of a command. */
interface Run {
  words: string[];
  /** Default: the prepared database and its key. */
  variables?: Record<string, string>;
  /** The expected exit code. Default: 0. */
  code?: number;
  /** What happens before, and is not of the command. */
  prepare?: () => Promise<unknown>;
}

const [key, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const account = `cli:${userInfo().username}`;
/** What the opening of a database may write, besides the actions of a command. */
const openingActions = ['database.migrated', 'catalogue.imported', 'keys.entered'];

let folder: string;
/** A database with something for every command to change, and one without tables. */
let [prepared, fresh]: TestDatabase[] = [];
let runs: Record<string, Run[]>;
const cleanUps: (() => void)[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audited-'));
  prepared = await testDatabase();
  fresh = await testDatabase({ migrated: false });
  runs = await prepareRuns(prepared, fresh.url);
});
after(async () => {
  for (const cleanUp of cleanUps) cleanUp();
  await rm(folder, { recursive: true });
  await prepared?.stop();
  await fresh?.stop();
});

async function prepareRuns({ db, url }: TestDatabase, freshUrl: string): Promise<Record<string, Run[]>> {
  const bridge = await startBridge({ environment: { DATABASE_URL: url, BRIDGE_SECRET_KEY: key } });
  const { agencyId } = bridge;
  const open = await createApplication(bridge, { webhookUrl: 'http://127.0.0.1:9/' });
  const live = await createApplication(bridge, { token: bridge.tokens.live, paymentMethod: 'partner_billing' });
  const ended = await createApplication(bridge);
  const userId = 'usr_person';
  await createApplication(bridge, { userId });
  for (const id of [open, live]) await submitApplication(bridge, id, '0004');
  // From here on, nothing but the commands changes a row.
  await bridge.stop();

  const { id: event } = await db
    .updateTable('webhookEvent')
    .set({ deadAt: new Date(), deliveredAt: null })
    .where('streamId', '=', open)
    .where('type', '=', 'application.submitted')
    .returning('id')
    .executeTakeFirstOrThrow();
  const longAgo = new Date(Date.now() - 400 * 24 * 3_600_000);
  await db.updateTable('application').set({ expiresAt: longAgo }).where('id', '=', ended).execute();

  const end = { after: (cleanUp: unknown) => void cleanUps.push(cleanUp as () => void) };
  const release = copyOfRelease(end);
  release.change('release', (content) => ({ ...content, version: '1900.1.0' }));
  const [territories, records] = [join(folder, 'territories.json'), join(folder, 'records.ndjson')];
  await writeFile(territories, JSON.stringify([{ name: 'South', states: [{ stateCode: 'TX', licenses: [] }] }]));
  await writeRecords(records, { count: 1, seed: 9 });
  const onFresh = { variables: { DATABASE_URL: freshUrl } };
  const withNewKey = { variables: { BRIDGE_SECRET_KEY: newKey, BRIDGE_OLD_SECRET_KEYS: key } };
  const person = ['--agency', agencyId, '--mode', 'test', '--user', userId];
  const kim = ['--name', 'Kim'];
  const id = ['--id', agencyId];

  return {
    // Below: its process ends by a signal only.
    serve: [],
    migrate: [
      { words: ['--dry-run'], ...onFresh },
      { words: [], ...onFresh },
    ],
    // Nothing is set for live mode.
    check: [{ words: [], code: 1 }],
    'agency create': [{ words: ['--name', 'Second Agency'] }],
    'agency list': [{ words: [] }],
    'agency update': [{ words: [...id, '--name', 'First Agency'] }],
    'agency deactivate': [{ words: id }],
    'agency activate': [{ words: id }],
    'agency credential': [{ words: id }],
    'agency webhook-secret': [{ words: id }, { words: [...id, '--off'] }],
    'catalogue check': [{ words: [shippedData] }],
    'catalogue confirm': [{ words: [copyOfRelease(end).folder, '--state', 'TX', '--by', 'A reviewer'] }],
    'catalogue import': [{ words: [release.folder] }],
    'catalogue list': [{ words: [] }],
    'catalogue diff': [{ words: ['1900.1.0', shippedData] }],
    'territory import': [{ words: [territories, '--agency', agencyId] }],
    'territory list': [{ words: ['--agency', agencyId] }],
    'registry generate': [{ words: ['--count', '2'] }, { words: ['--count', '2', '--to', join(folder, 'to.ndjson')] }],
    'registry import': [{ words: [records] }],
    'registry list': [{ words: [] }],
    'application decide': [
      { words: ['--id', open, '--state', 'TX', '--status', 'approved'] },
      { words: ['--id', live, '--state', 'TX', '--status', 'approved', '--override', 'Confirmed by phone.'] },
    ],
    'application correct': [
      { words: ['--id', live, '--state', 'TX', '--status', 'pending_review', '--note', 'The wrong state.'] },
      {
        words: [
          '--id',
          live,
          '--state',
          'TX',
          '--status',
          'denied',
          '--note',
          'Decided too soon.',
          '--override',
          'By phone.',
        ],
        prepare: () =>
          db.updateTable('applicationState').set({ status: 'approved' }).where('applicationId', '=', live).execute(),
      },
    ],
    'user hold': [{ words: [...person, '--reason', 'A court asked.'] }],
    'user release': [{ words: [...person, '--reason', 'The case is closed.'] }],
    'user export': [{ words: [...person, '--reason', 'The user asked.'] }],
    'user erase': [{ words: [...person, '--reason', 'The user asked.'] }],
    'application show': [{ words: ['--id', open] }],
    'application revoke-links': [{ words: ['--id', open, '--reason', 'The link was stolen.'] }],
    'application erase': [
      { words: ['--only', 'count'], variables: { BRIDGE_RETENTION_DAYS: '90' } },
      { words: [], variables: { BRIDGE_RETENTION_DAYS: '90' } },
    ],
    'operator create': [
      { words: [...kim, '--role', 'view'] },
      { words: ['--name', 'Lee', '--role', 'view', '--agencies', agencyId] },
    ],
    'operator list': [{ words: [] }],
    'operator disable': [{ words: kim }, { words: ['--name', 'Lee'] }],
    'operator enable': [{ words: ['--name', 'Lee'] }],
    'operator role': [{ words: [...kim, '--role', 'file'] }],
    'operator agencies': [{ words: [...kim, '--agencies', agencyId] }, { words: [...kim, '--agencies', 'all'] }],
    'operator reset': [{ words: [...kim, '--totp', '--enable'] }],
    'audit list': [{ words: [] }],
    'audit export': [{ words: [] }],
    'audit verify': [{ words: [] }],
    'webhooks failed': [{ words: [] }],
    'webhooks replay': [{ words: ['--id', event] }],
    'keys re-encrypt': [
      // A client secret still needs the old key.
      { words: ['--links', 'renew'], ...withNewKey, code: 1 },
      {
        words: [],
        ...withNewKey,
        prepare: () => db.updateTable('agency').set({ deactivatedAt: new Date() }).execute(),
      },
    ],
  };
}

/** A digest of the rows of each table except those of the audit trail. */
async function digestsOf(db: Database): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'audit%'`.execute(db);
  const digests = new Map<string, string>();
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ digest: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
      from ${sql.table(name)} as t`.execute(db);
    digests.set(name, rows[0]?.digest ?? '');
  }
  return digests;
}

/** Resolves with what happened in the database meanwhile. */
async function observe(db: Database, work: () => Promise<void>): Promise<{ changed: string[]; entries: AuditEntry[] }> {
  const [digests, newest] = [await digestsOf(db), (await entriesOf(db))[0]?.id ?? 0];
  await work();
  const entries = (await entriesOf(db)).filter(({ id }) => id > newest);
  const changed = [...(await digestsOf(db))].flatMap(([table, digest]) =>
    digests.get(table) === digest ? [] : [table],
  );
  return { changed, entries };
}

async function entriesOf(db: Database): Promise<AuditEntry[]> {
  const { rows } = await sql`select from pg_class where relname = 'audit_entry'`.execute(db);
  return rows.length === 0 ? [] : readAudit({ db }, { scope: 'all', limit: 1_000 });
}

for (const { name, audits } of commands.filter(({ name }) => name !== 'serve')) {
  const what = audits.length === 0 ? 'changes nothing' : `leaves ${audits.join(', ')} for what it changes`;
  test(`"${name}" ${what}.`, async () => {
    const written = new Set<string>();
    const own = runs[name] ?? [];
    assert.ok(own.length > 0, 'The command has no run in this test.');
    for (const { words, variables = {}, code = 0, prepare } of own) {
      await prepare?.();
      const used = variables['DATABASE_URL'] === undefined ? prepared : fresh;
      assert.ok(used);
      const { changed, entries } = await observe(used.db, async () => {
        const all = { DATABASE_URL: used.url, BRIDGE_SECRET_KEY: key, ...variables };
        const finished = await runHere(['--as', 'tester', ...name.split(' '), ...words], all);
        assert.equal(finished.code, code, finished.err);
      });
      if (changed.length > 0) assert.ok(entries.length > 0, `Changed without an entry: ${changed.join(', ')}`);
      for (const { actor, action, requestId } of entries) {
        assert.equal(actor, `${account}/tester`);
        assert.match(requestId, /^cmd_/);
        assert.ok([...audits, ...openingActions].includes(action), `${action} is not declared.`);
        written.add(action);
      }
      if (audits.length === 0) assert.deepEqual([changed, entries], [[], []]);
    }
    assert.deepEqual(
      audits.filter((action) => !written.has(action)),
      [],
      'Declared, and not written.',
    );
  });
}

test('A first start of "serve" leaves an entry of the bridge for its key, and changes nothing else.', async () => {
  assert.ok(fresh);
  const variables = { DATABASE_URL: fresh.url, BRIDGE_SECRET_KEY: key };
  const { changed, entries } = await observe(fresh.db, async () => {
    const serving = await serveInProcess(variables);
    assert.equal(await serving.end('SIGTERM'), 0);
  });
  assert.deepEqual(changed, ['secret_key']);
  assert.deepEqual(
    entries.map(({ actor, action, result }) => [actor, action, result]),
    [['bridge', 'keys.entered', 'first']],
  );
});

test('The runs of this test are those of the commands in the table.', () => {
  assert.deepEqual(Object.keys(runs).sort(), commands.map(({ name }) => name).sort());
});

test('The actor of a command is the account of the operating system, whatever the environment says, and the name after it.', async () => {
  assert.ok(prepared);
  const variables = { DATABASE_URL: prepared.url, BRIDGE_SECRET_KEY: newKey, USER: 'root', LOGNAME: 'root' };
  const actorOf = async (...as: string[]) => {
    const finished = await runHere(['agency', 'create', '--name', 'Another', ...as], variables);
    assert.equal(finished.code, 0, finished.err);
    return (
      await readAudit({ db: prepared?.db ?? assert.fail() }, { scope: 'all', action: 'agency.created', limit: 1 })
    )[0]?.actor;
  };
  assert.equal(await actorOf(), account);
  assert.equal(await actorOf('--as', 'dana.cole@carrier.example'), `${account}/dana.cole@carrier.example`);
  assert.equal(await actorOf('--as=Núñez'), `${account}/Núñez`);
  for (const wrong of ['', 'a/b', 'two words', 'x'.repeat(101)]) {
    const { code, err } = await runHere(['agency', 'create', '--name', 'A', `--as=${wrong}`], variables);
    assert.deepEqual([code, err], [2, '--as: expected 1 to 100 letters, digits or . _ @ + -\n'], wrong);
  }
  assert.equal((await runHere(['agency', 'list', '--as', 'a', '--as', 'b'], variables)).code, 2);
});
