import { sql, type Kysely } from 'kysely';
import { accounts } from './0001-baseline/accounts.js';
import { applications } from './0001-baseline/applications.js';
import { handling } from './0001-baseline/handling.js';
import { mails } from './0001-baseline/mails.js';
import { producers } from './0001-baseline/producers.js';
import { webhooks } from './0001-baseline/webhooks.js';

/** All tables of the first release. Runs on PostgreSQL 15 and later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [...accounts, ...producers, ...applications, ...handling, ...webhooks, ...mails];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
