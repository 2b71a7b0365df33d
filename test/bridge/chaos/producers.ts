import { sql } from 'kysely';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/** Enough for the jobs of a minute, with separate producers for each. */
const producerCount = 240_000;
const firstNpn = 1_000_001;

/** Adds minimal records to the test mode's registry. Resolves with the NPNs in order. */
export async function addBareProducers(db: Database): Promise<string[]> {
  await sql`
    insert into registry_producer (mode, npn, first_name, last_name, active_licenses, detail, created_at, updated_at)
    select 'test', npn, 'Avery', 'Sample', '{}', json_build_object('biographic', json_build_object('npn', npn::text)), now(), now()
    from generate_series(${firstNpn}::bigint, ${firstNpn + producerCount - 1}::bigint) as given (npn)`.execute(db);
  return Array.from({ length: producerCount }, (_, index) => String(firstNpn + index));
}
