import type { QueryCreator, Selectable } from 'kysely';
import type { Database } from '../domain/context.js';
import { ownedBy, type Owner } from './owner.js';
import { statement } from './statement.js';
import type { ApplicantTable, ApplicationRow, Tables } from './tables/tables.js';

/** What was known of the user of a new session. */
export type KnownApplicant = Pick<Selectable<ApplicantTable>, 'profile' | 'ssn_sealed' | 'answers_submitted_at'>;

/** What is known of a user; `undefined` when nothing is. */
export function findKnownApplicant(db: Database, owner: Owner, userId: string): Promise<KnownApplicant | undefined> {
  return knownApplicant(db, owner, userId).executeTakeFirst();
}

/**
 * Writes a new application, and its user when operation 17 never saw them. Resolves with what was known of the user before;
 * `undefined` when nothing was. One statement: it needs no transaction of its own.
 */
export async function insertSession(db: Database, application: ApplicationRow): Promise<KnownApplicant | undefined> {
  const [known] = await newSession(db, application);
  return known;
}

function knownApplicant(db: QueryCreator<Tables>, owner: Owner, userId: string) {
  return db
    .selectFrom('applicant')
    .select(['profile', 'ssn_sealed', 'answers_submitted_at'])
    .where(ownedBy(owner, 'applicant'))
    .where('user_id', '=', userId);
}

const newSession = statement('new_session', (db, given: ApplicationRow) =>
  db
    .with('known', (cte) => knownApplicant(cte, { agencyId: given.agency_id, mode: given.mode }, given.user_id))
    .with('new_applicant', (cte) =>
      cte
        .insertInto('applicant')
        .values({
          agency_id: given.agency_id,
          mode: given.mode,
          user_id: given.user_id,
          profile: '{}',
          ssn_sealed: null,
          answers_submitted_at: null,
          created_at: given.created_at,
          updated_at: given.created_at,
        })
        .onConflict((conflict) => conflict.doNothing()),
    )
    .with('new_application', (cte) =>
      cte.insertInto('application').values({
        id: given.id,
        session_id: given.session_id,
        agency_id: given.agency_id,
        mode: given.mode,
        user_id: given.user_id,
        application_type: given.application_type,
        license_type: given.license_type,
        states: given.states,
        payment_method: given.payment_method,
        return_url: given.return_url,
        webhook_url: given.webhook_url,
        link_hash: given.link_hash,
        step: given.step,
        created_at: given.created_at,
        expires_at: given.expires_at,
        started_at: given.started_at,
        submitted_at: given.submitted_at,
      }),
    )
    .selectFrom('known')
    .select(['profile', 'ssn_sealed', 'answers_submitted_at']),
);
