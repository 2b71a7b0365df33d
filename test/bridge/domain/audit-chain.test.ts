import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { runCli } from '../../../src/bridge/cli/run.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import { recordAudit } from '../../../src/bridge/domain/audit/audit.js';
import { canonicalEntry, exportAudit, linkAudit, verifyAudit } from '../../../src/bridge/domain/audit/chain.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { deleteOld } from '../../../src/bridge/store/retention/retention-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

const day = 24 * 3_600_000;
const now = new Date('2026-03-31T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * day);

describe('the chain of the audit trail', () => {
  let database: TestDatabase;
  const logged: string[] = [];
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.stop());
  beforeEach(async () => {
    logged.length = 0;
    await sql`truncate audit_entry, audit_link, audit_unlinked`.execute(database.db);
  });

  const context = () => ({
    db: database.db,
    clock: () => now,
    log: createLogger('info', { write: (line) => void logged.push(line) }),
  });

  const record = (subject: string, at = now) =>
    recordAudit(
      database.db,
      { clock: () => at },
      { agencyId: '', actor: 'bridge', action: 'filing.filed', subject, result: 'done' },
    );

  const verify = (knownHead?: string) => verifyAudit(context(), { retentionDays: 30, knownHead });

  async function recordAndLink(...subjects: string[]) {
    for (const subject of subjects) await record(subject);
    await linkAudit(context());
  }

  const faults = async (knownHead?: string) => (await verify(knownHead)).faults;

  it('has a link for every entry, once, and puts its head into the log.', async () => {
    await recordAndLink('a', 'b');
    await recordAndLink('c');
    await linkAudit(context());
    const { head, ...result } = await verify();
    deepEqual(result, { linked: 3, waiting: 0, faults: [] });
    equal(logged.length, 2);
    match(head, /^3:[0-9a-f]{32}$/);
    match(logged[1] ?? '', new RegExp(`"auditHead":"${head}"`));
  });

  it('can be verified from an export alone, by SHA-256 and the order of the lines.', async () => {
    await recordAndLink('a', 'b', 'c');
    let previous = Buffer.alloc(32);
    let count = 0;
    for await (const { position, entryHash, hash, ...entry } of exportAudit(context(), {})) {
      equal(entryHash, createHash('sha256').update(canonicalEntry(entry)).digest('hex'));
      equal(hash, createHash('sha256').update(previous).update(Buffer.from(entryHash, 'hex')).digest('hex'));
      previous = Buffer.from(hash, 'hex');
      count += 1;
      equal(position, count);
    }
    equal(count, 3);
  });

  it('exports the entries of a period: from its first moment, and not those of its end.', async () => {
    for (const days of [3, 2, 1]) await record(`${days} days ago`, daysAgo(days));
    await linkAudit(context());
    const subjects: string[] = [];
    for await (const { subject } of exportAudit(context(), { since: daysAgo(2), until: daysAgo(1) }))
      subjects.push(subject);
    deepEqual(subjects, ['2 days ago']);
  });

  it('links entries that were committed later than entries with higher ids.', async () => {
    await database.db.transaction().execute(async (trx) => {
      await recordAudit(trx, context(), {
        agencyId: '',
        actor: 'bridge',
        action: 'filing.filed',
        subject: 'late',
        result: 'done',
      });
      await recordAndLink('early');
    });
    equal((await verify()).waiting, 1);
    await linkAudit(context());
    const { linked, waiting } = await verify();
    deepEqual({ linked, waiting }, { linked: 2, waiting: 0 });
  });

  const changes = {
    'an entry that was changed': [
      sql`update audit_entry set result = 'x' where subject = 'b'`,
      /position 2\) was changed/,
    ],
    'an entry that was removed': [sql`delete from audit_entry where subject = 'b'`, /position 2\) was removed before/],
    'an entry that was removed with its link': [
      sql`with gone as (delete from audit_entry where subject = 'b' returning id)
        delete from audit_link where entry_id in (select id from gone)`,
      /Positions 2 to 2 were removed/,
    ],
    'a beginning that was removed with its links': [
      sql`with gone as (delete from audit_entry where subject = 'a' returning id)
        delete from audit_link where entry_id in (select id from gone)`,
      /Positions 1 to 1 were removed/,
    ],
    'an entry whose hash was replaced, too': [
      sql`update audit_link set entry_hash = '\\x00' where position = 2`,
      /position 2\) does not follow/,
    ],
  } as const;
  for (const [name, [change, fault]] of Object.entries(changes)) {
    it(`shows ${name}.`, async () => {
      await recordAndLink('a', 'b', 'c');
      await change.execute(database.db);
      match((await faults()).join('\n'), fault);
    });
  }

  it('shows an entry that was taken out of its queue.', async () => {
    await recordAndLink('a');
    await record('hidden');
    await sql`delete from audit_unlinked`.execute(database.db);
    deepEqual(await faults(), ['1 entries were written past the chain.']);
  });

  it('shows that its end was cut off, by a head that was noted earlier.', async () => {
    await recordAndLink('a', 'b');
    const { head } = await verify();
    await recordAndLink('c');
    deepEqual(await faults(head), []);
    await sql`delete from audit_entry where subject <> 'a'`.execute(database.db);
    await sql`delete from audit_link where position > 1`.execute(database.db);
    deepEqual(await faults(), []);
    match((await faults(head)).join(), /its end was cut off/);
  });

  it('stays valid when the retention removes its beginning, and shows a removal that came too early.', async () => {
    for (const days of [40, 31, 29, 1]) await record(`${days} days ago`, daysAgo(days));
    await linkAudit(context());
    await deleteOld(database.db, 'auditEntries', daysAgo(30));
    const { linked, faults: none } = await verify();
    deepEqual({ linked, none }, { linked: 2, none: [] });
    await deleteOld(database.db, 'auditEntries', daysAgo(20));
    match((await faults()).join(), /Entry \d+ \(position 3\) was removed before the end of its retention/);
  });

  it('keeps an entry that has no link yet, however old it is.', async () => {
    await record('old', daysAgo(400));
    await deleteOld(database.db, 'auditEntries', daysAgo(30));
    deepEqual(await verify(), { linked: 0, waiting: 1, head: '', faults: [] });
  });

  it('lets the role of a serving bridge add entries and links, and change or remove none.', async (t) => {
    await sql.raw(`create role audit_serving login password 'serving'`).execute(database.db);
    await sql
      .raw(`grant select, insert, update, delete on all tables in schema public to audit_serving`)
      .execute(database.db);
    const url = new URL(database.url);
    url.username = 'audit_serving';
    url.password = 'serving';
    const serving = openDatabase(url.href);
    t.after(async () => {
      await serving.destroy();
      await sql.raw('drop owned by audit_serving; drop role audit_serving').execute(database.db);
    });
    await recordAudit(serving, context(), {
      agencyId: '',
      actor: 'bridge',
      action: 'filing.filed',
      subject: 's',
      result: 'done',
    });
    await linkAudit({ ...context(), db: serving });
    for (const table of ['audit_entry', 'audit_link']) {
      await rejects(sql.raw(`delete from ${table}`).execute(serving), /insert-only/);
      await rejects(sql.raw(`update ${table} set at = now()`).execute(serving), /insert-only/);
    }
    await record('old', daysAgo(400));
    await linkAudit({ ...context(), db: serving });
    await deleteOld(serving, 'auditEntries', daysAgo(30));
    equal((await verify()).linked, 1);
  });

  it('is verified and exported at the command line, with exit code 1 for a fault.', async () => {
    const run = async (...words: string[]) => {
      let [out, err] = ['', ''];
      const variables = {
        DATABASE_URL: database.url,
        BRIDGE_SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
        LOG_LEVEL: 'silent',
      };
      const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
      return { code: await runCli(['audit', ...words], variables, output), out, err };
    };
    // The first use of a key leaves an entry.
    await run('list');
    await sql`truncate audit_entry, audit_unlinked`.execute(database.db);
    await recordAndLink('a', 'b');
    const { head } = await verify();
    deepEqual(await run('verify', '--head', head), {
      code: 0,
      out: `2 entries are linked, 0 are not yet.\nHead: ${head}\n`,
      err: '',
    });
    const lines = (await run('export')).out.trim().split('\n');
    deepEqual(
      lines.map((line) => (JSON.parse(line) as { subject: string }).subject),
      ['a', 'b'],
    );
    await sql`update audit_entry set result = 'x' where subject = 'b'`.execute(database.db);
    const { code, out } = await run('verify', '--json');
    equal(code, 1);
    match(out, /was changed/);
    equal((await run('verify', '--head', 'x')).code, 2);
  });
});
