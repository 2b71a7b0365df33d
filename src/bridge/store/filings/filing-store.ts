import { sql, type Selectable, type Updateable } from 'kysely';
import type { ApplicationStatus, Mode, StateCode } from '../../../contract/index.js';
import { agencyInScope, type Scope } from '../scope.js';
import type { FilingStatus, FilingTable } from '../tables/filing-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `filing` as it is read. */
export type FilingRow = Selectable<FilingTable>;

/** A filing in a list of the console. */
export interface ListedFilingRow extends FilingRow {
  agencyName: string;
  mode: Mode;
  receiptNumber: string | null;
  erasedAt: Date | null;
  applicationType: string;
  licenseType: string;
  submittedAt: Date | null;
  /** What the state has decided. */
  decision: ApplicationStatus | null;
}

/** The position of a filing in a list. */
export interface FilingPlace {
  queuedAt: Date;
  applicationId: string;
  state: StateCode;
}

/** Selects filings: those with some statuses, by default the longest waiting first, after a position. */
export interface FilingQuery {
  scope: Scope;
  statuses?: readonly FilingStatus[] | undefined;
  state?: StateCode | undefined;
  mode?: Mode | undefined;
  applicationId?: string | undefined;
  /** The actor who has claimed it; null for nobody. */
  claimedBy?: string | null | undefined;
  agencyId?: string | undefined;
  /** Only those that have waited since then or longer. */
  queuedBy?: Date | undefined;
  /** Only those whose state waits for something. */
  isHeld?: boolean | undefined;
  /** Only those of an answer of the user to a request of the state. */
  isAnswer?: boolean | undefined;
  order?: 'oldest' | 'newest' | undefined;
  after?: FilingPlace | undefined;
  limit: number;
}

/** Writes filings that wait. Existing rows stay unchanged. */
export async function insertFilings(
  db: Database,
  filing: { applicationId: string; states: readonly StateCode[]; now: Date },
): Promise<void> {
  const { applicationId, states, now } = filing;
  await db
    .insertInto('filing')
    .values(
      states.map((state) => ({
        applicationId,
        state,
        status: 'waiting' as const,
        createdAt: now,
        queuedAt: now,
        updatedAt: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['applicationId', 'state']).doNothing())
    .execute();
}

/** The filings that are not with their states yet. */
export interface OpenFilings {
  waiting: number;
  claimed: number;
  /** When the oldest of them began to wait. */
  oldestAt: Date | null;
}

/** Counts the filings of live mode that are not with their states yet, by the index of such filings. */
export function countOpenFilings(db: Database): Promise<OpenFilings> {
  return db
    .selectFrom('filing')
    .innerJoin('application', 'application.id', 'filing.applicationId')
    .where('mode', '=', 'live')
    .where('status', 'in', ['waiting', 'claimed'])
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', '=', 'waiting').as('waiting'),
      fn.countAll<number>().filterWhere('status', '=', 'claimed').as('claimed'),
      fn.min('queuedAt').as('oldestAt'),
    ])
    .executeTakeFirstOrThrow();
}

/** Counts the filings of answers that are to be sent to their states, of the agencies of a scope. */
export async function countAnswers(db: Database, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('filing')
    .innerJoin('application', 'application.id', 'filing.applicationId')
    .where('status', 'in', ['waiting', 'claimed'])
    .where('serial', '>', 0)
    .where(agencyInScope(scope, 'application.agencyId'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds the filing of a state and locks it until the transaction ends. */
export function lockFiling(
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
): Promise<FilingRow | undefined> {
  return trx
    .selectFrom('filing')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The filing of a state. */
export function findFiling(db: Database, applicationId: string, state: StateCode): Promise<FilingRow | undefined> {
  return db
    .selectFrom('filing')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .executeTakeFirst();
}

/** Changes the filing of a state, if there is one. */
export async function updateFiling(
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
  change: Updateable<FilingTable>,
): Promise<void> {
  await trx
    .updateTable('filing')
    .set(change)
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .execute();
}

/** Reads filings for the console. */
export function findFilings(
  db: Database,
  {
    scope,
    statuses,
    state,
    mode,
    applicationId,
    claimedBy,
    agencyId,
    queuedBy,
    isHeld,
    isAnswer,
    order,
    after,
    limit,
  }: FilingQuery,
): Promise<ListedFilingRow[]> {
  const direction = order === 'newest' ? 'desc' : 'asc';
  const isAfter = order === 'newest' ? sql`<` : sql`>`;
  return db
    .selectFrom('filing')
    .innerJoin('application', 'application.id', 'filing.applicationId')
    .innerJoin('agency', 'agency.id', 'application.agencyId')
    .leftJoin('applicationState', (join) =>
      join
        .onRef('applicationState.applicationId', '=', 'filing.applicationId')
        .onRef('applicationState.state', '=', 'filing.state'),
    )
    .selectAll('filing')
    .select('applicationState.status as decision')
    .select(['agency.name as agencyName', 'mode', 'receiptNumber', 'erasedAt'])
    .select(['applicationType', 'licenseType', 'submittedAt'])
    .where(agencyInScope(scope, 'application.agencyId'))
    .$if(statuses !== undefined, (query) => query.where('filing.status', 'in', statuses ?? []))
    .$if(state !== undefined, (query) => query.where('filing.state', '=', state ?? 'TX'))
    .$if(mode !== undefined, (query) => query.where('application.mode', '=', mode ?? 'live'))
    .$if(applicationId !== undefined, (query) => query.where('filing.applicationId', '=', applicationId ?? ''))
    .$if(claimedBy !== undefined, (query) => query.where('filing.claimedBy', 'is not distinct from', claimedBy ?? null))
    .$if(agencyId !== undefined, (query) => query.where('application.agencyId', '=', agencyId ?? ''))
    .$if(queuedBy !== undefined, (query) => query.where('filing.queuedAt', '<=', queuedBy ?? new Date(0)))
    .$if(isAnswer === true, (query) => query.where('filing.serial', '>', 0))
    .$if(isHeld === true, (query) => query.where('filing.waitsFor', 'is not', null))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(filing.queued_at, filing.application_id, filing.state)
          ${isAfter} (${after?.queuedAt}, ${after?.applicationId}, ${after?.state})`,
      ),
    )
    .orderBy('filing.queuedAt', direction)
    .orderBy('filing.applicationId', direction)
    .orderBy('filing.state', direction)
    .limit(limit)
    .execute();
}
