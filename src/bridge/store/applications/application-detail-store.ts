import { sql } from 'kysely';
import type { StateCode, WebhookEventType } from '../../../contract/index.js';
import { agencyInScope, type Scope } from '../scope.js';
import type { Database } from '../tables/typed-database.js';
import type { ApplicationRow } from '../tables/tables.js';

/** An application with the name of its agency; `undefined` when there is none of this id. */
export function findWithAgency(
  db: Database,
  id: string,
): Promise<(ApplicationRow & { agencyName: string }) | undefined> {
  return db
    .selectFrom('application')
    .innerJoin('agency', 'agency.id', 'application.agencyId')
    .selectAll('application')
    .select('agency.name as agencyName')
    .where('application.id', '=', id)
    .executeTakeFirst();
}

/** Whether there is an application of this id in a scope. */
export async function hasApplicationInScope(db: Database, scope: Scope, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('application')
    .select('id')
    .where('id', '=', id)
    .where(agencyInScope(scope, 'application.agencyId'))
    .executeTakeFirst();
  return found !== undefined;
}

/** An event of an application and its delivery. */
export interface ApplicationEventRow {
  id: string;
  type: WebhookEventType;
  createdAt: Date;
  deliveredAt: Date | null;
  deadAt: Date | null;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
}

/** Reads the events of an application in order. */
export async function findEvents(db: Database, applicationId: string, limit: number): Promise<ApplicationEventRow[]> {
  const { rows } = await sql<ApplicationEventRow>`
    select event.id, event.type, event.created_at, event.delivered_at, event.dead_at, count(attempt.id) as attempts,
      (array_agg(attempt.status order by attempt.id desc))[1] as last_status,
      (array_agg(attempt.error order by attempt.id desc))[1] as last_error
    from webhook_event event left join webhook_attempt attempt on attempt.event_id = event.id
    where event.stream_id = ${applicationId}
    group by event.stream_id, event.seq
    order by event.seq
    limit ${limit}`.execute(db);
  return rows;
}

/** A user's answer to a department, without or with the encrypted text. */
export interface ActionAnswerRow {
  state: StateCode;
  serial: number;
  answerEncrypted: string | null;
  answeredAt: Date;
}

/** Reads a user's answers to departments, oldest first. */
export function findActionAnswers(db: Database, applicationId: string): Promise<ActionAnswerRow[]> {
  return db
    .selectFrom('applicationAction')
    .select(['state', 'serial', 'answerEncrypted', 'answeredAt'])
    .where('applicationId', '=', applicationId)
    .orderBy('answeredAt')
    .execute();
}
