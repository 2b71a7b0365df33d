import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { importFile } from '../../../src/bridge/registry/import-file.js';
import { generateProducer } from '../../../src/bridge/registry/synthetic/producer.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import type { Comparison } from '../report.js';
import { measure, type Contender } from '../rounds.js';
import { withDatabases } from './separate-databases.js';

/** Producers of each registry. An agency subscribes to each hundredth. */
const producers = 1_000_000;
const agencies = 100;
const perRound = 10_000;
const rounds = 7;

const keys = createKeys([randomBytes(32)]);
const { ssn: _ssn, ...sample } = generateProducer(1, 1);

/**
 * Compares an import that changes producers, and announces each to an agency, with the same import
 * into a registry without subscribers.
 */
export function compareImport(): Promise<Comparison[]> {
  return withDatabases(async (create) => {
    const [subscribed, plain] = [await fill(await create('subscribed')), await fill(await create('plain'))];
    await subscribeAll(subscribed);
    const [ours, reference] = await measure([importing('subscribed', subscribed), importing('plain', plain)], rounds);
    if (!ours || !reference) throw new Error('Each contender gives a result.');
    const changed = perRound * (rounds + 1);
    for (const [db, expected] of [
      [subscribed, changed],
      [plain, 0],
    ] as const) {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook_event`.execute(db);
      if (rows[0]?.count !== expected) throw new Error(`Expected ${expected} webhooks, got ${rows[0]?.count}.`);
    }
    return [
      { what: 'import of changed producers with subscribers', unit: 'producers/s', ours, reference, target: undefined },
    ];
  });
}

async function fill(db: Database): Promise<Database> {
  const detail = JSON.stringify({ ...sample, biographic: { ...sample.biographic, npn: '@npn' }, npn: undefined });
  await sql`insert into registry_producer (mode, npn, first_name, last_name, active_licenses, detail, created_at, updated_at)
    select 'test', n, 'Sample', 'Producer', '[]', replace(${detail}, '@npn', n::text)::json, now(), now()
    from generate_series(1, ${producers}::int) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
  return db;
}

async function subscribeAll(db: Database): Promise<void> {
  const ids = sql`'agc_' || n`;
  const all = sql`generate_series(0, ${agencies - 1}::int) n`;
  await sql`insert into agency (id, name, onboard_types, created_at) select ${ids}, '', '{}'::text[], now()
    from ${all}`.execute(db);
  await sql`insert into account_setting
    (agency_id, mode, business_email, webhook_preference, webhook_url, updated_at)
    select ${ids}, 'test', 'hooks@example.com', 'PDB-update', 'https://hooks.example', now() from ${all}`.execute(db);
  await sql`insert into subscription (agency_id, mode, npn, added_at)
    select 'agc_' || n % ${agencies}::int, 'test', n, now() from generate_series(1, ${producers}::int) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** Each round imports a file that changes the next producers. */
function importing(name: string, db: Database): Contender {
  let last = 0;
  return {
    name,
    async round() {
      const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-bench-'));
      try {
        const path = join(folder, 'changed.ndjson');
        writeFileSync(path, Array.from({ length: perRound }, (_, index) => changedLine(last + index + 1)).join(''));
        last += perRound;
        const clock = () => new Date();
        const startedAt = performance.now();
        const { updated } = await importFile({ db, clock, keys }, { path, mode: 'test', at: clock() });
        if (updated !== perRound) throw new Error(`Expected ${perRound} updates, got ${updated}.`);
        return perRound / ((performance.now() - startedAt) / 1_000);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function changedLine(npn: number): string {
  const biographic = { ...sample.biographic, npn: String(npn) };
  const record = { ...sample, npn: String(npn), biographic, clearanceCertificationInfo: 'Another letter on file' };
  return `${JSON.stringify(record)}\n`;
}
