import { sql, type Updateable } from 'kysely';
import type { Mode } from '../../../src/contract/index.js';
import { enqueueEvent } from '../../../src/bridge/domain/webhooks/events.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import type { Tables } from '../../../src/bridge/store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../../src/bridge/store/tables/typed-database.js';
import { type Claim, claimEvents, type ClaimedEvent } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { sweepNextStreams } from '../../../src/bridge/store/webhooks/endpoint-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { untilBlocked } from '../blocked.js';

/** The time of the tests. Their `at(seconds)` are relative to it. */
export const now = new Date('2026-11-20T12:00:00Z');
export const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

export const url = 'https://hooks.example/a';
export const otherUrl = 'https://hooks.example/b';

/** Streams of webhooks in a database without a bridge. Every time is the test's. */
export interface Streams {
  db: Database;
  /** The connection string of the database. */
  url: string;
  /** Deletes all agencies and applications. */
  clear(): Promise<void>;
  /** Adds an agency. Resolves with its data in a mode. */
  addAgency(id: string, mode?: Mode): Promise<Owner>;
  /** Sets the account's URL, as stored; moves no event. */
  setAccountUrl(owner: Owner, webhookUrl: string | null): Promise<void>;
  /** Disables a URL, as stored; dead-letters no event. */
  disable(owner: Owner, webhookUrl?: string): Promise<void>;
  /** The disabled URLs, as `agency mode url`, in alphabetical order. */
  disabled(): Promise<string[]>;
  /** Adds an application. Its session's URL is {@link url}, unless another or null is given. */
  addApplication(owner: Owner, id: string, webhookUrl?: string | null): Promise<string>;
  /** Emits an event of an application. Resolves with its id. */
  emit(id: string, emittedAt?: Date): Promise<string>;
  change<Result>(change: (trx: DatabaseTransaction) => Promise<Result>): Promise<Result>;
  /** Claims as one worker without deliveries in progress does. */
  claim(options?: Partial<Claim>): Promise<ClaimedEvent[]>;
  /** Claims the next event of an application; no other stream may be due. */
  claimOne(options?: Partial<Claim>): Promise<ClaimedEvent>;
  /** Ends all leases. */
  endLeases(): Promise<void>;
  /** Sweeps as the bridge does, until every stream has followed the change of its endpoint. */
  sweep(sweptAt?: Date): Promise<void>;
  /** Changes the stream of an application by hand. */
  set(id: string, values: Partial<StreamValues>): Promise<void>;
  /** Changes events by hand: one by its id, all of an application, or all. */
  mark(values: Updateable<Tables['webhookEvent']>, where?: { id?: string; applicationId?: string }): Promise<void>;
  streamOf(id: string): Promise<StreamValues | undefined>;
  /** What became of each event of an application, in order, with the second: `waiting`, `delivered 0`, `dead 5`. */
  eventsOf(id: string): Promise<string[]>;
  attemptsOf(eventId: string): Promise<object[]>;
  /** Waits until another connection waits for a lock. */
  isBlocked(): Promise<unknown>;
  stop(): Promise<void>;
}

interface StreamValues {
  url: string;
  dueAt: Date | null;
  leaseUntil: Date | null;
  fence: number;
  attempts: number;
}

/** Locks a stream until the transaction ends. */
export function holdStream(trx: DatabaseTransaction, id: string): Promise<unknown> {
  return trx.selectFrom('webhookStream').select('fence').where('applicationId', '=', id).forNoKeyUpdate().execute();
}

/** Opens a database with no streams. */
export async function openStreams(): Promise<Streams> {
  return createStreams(await testDatabase());
}

/** As {@link openStreams}, for a database that is open. */
export function createStreams({ db, stop, url: databaseUrl }: TestDatabase): Streams {
  const change: Streams['change'] = (work) => db.transaction().execute(work);
  const claim: Streams['claim'] = async (options) => {
    const limits = { limit: 100, leaseMs: 20_000, share: 100, underWay: new Map<string, number>(), lastAgency: '' };
    return (await claimEvents(db, { now, ...limits, ...options })).events;
  };
  return {
    db,
    url: databaseUrl,
    async clear() {
      for (const table of ['webhookAttempt', 'webhookEvent', 'webhookStream', 'webhookSecret', 'accountSetting'])
        await sql`delete from ${sql.table(table)}`.execute(db);
      for (const table of ['disabledEndpoint', 'endpointSweep', 'subscription'])
        await sql`delete from ${sql.table(table)}`.execute(db);
      for (const table of ['applicationState', 'application', 'applicant', 'bulkBatch', 'bulkOnboarding', 'agency'])
        await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`delete from audit_entry`.execute(db);
    },
    async addAgency(id, mode = 'test') {
      const row = { id, name: id, onboardTypes: ['lookup'], createdAt: now, deactivatedAt: null };
      await db
        .insertInto('agency')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await sql`insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
        values (${id}, ${mode}, 'usr_1', '{}', ${now}, ${now})`.execute(db);
      return { agencyId: id, mode };
    },
    async setAccountUrl({ agencyId, mode }, webhookUrl) {
      await sql`insert into account_setting (agency_id, mode, business_email, webhook_preference, webhook_url, updated_at)
        values (${agencyId}, ${mode}, 'a@partner.example', 'entity-info', ${webhookUrl}, ${now})
        on conflict (agency_id, mode) do update set webhook_url = excluded.webhook_url`.execute(db);
    },
    async disable(owner, webhookUrl = url) {
      const row = { ...owner, url: webhookUrl, disabledAt: now };
      await db.insertInto('disabledEndpoint').values(row).execute();
    },
    async disabled() {
      const rows = await db.selectFrom('disabledEndpoint').selectAll().execute();
      return rows.map(({ agencyId, mode, url: disabledUrl }) => `${agencyId} ${mode} ${disabledUrl}`).sort();
    },
    async addApplication({ agencyId, mode }, id, webhookUrl = url) {
      await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
          catalogue_version, payment_method, return_url, webhook_url, link_hash, step, created_at, expires_at)
        values (${id}, ${`ses_${id}`}, ${agencyId}, ${mode}, 'usr_1', 'new', 'life_health', '{TX}', ${id}, '', 'partner_billing',
          'https://partner.example', ${webhookUrl}, convert_to(${id}, 'utf8'), 'profile', ${now}, ${at(3_600)})`.execute(
        db,
      );
      return id;
    },
    async emit(id, emittedAt = now) {
      const eventId = await change(async (trx) => {
        const application = await trx
          .selectFrom('application')
          .selectAll()
          .where('id', '=', id)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow();
        await enqueueEvent(trx, application, 'application.session_started', {}, emittedAt);
        return trx
          .selectFrom('webhookEvent')
          .select('id')
          .where('streamId', '=', id)
          .orderBy('seq', 'desc')
          .executeTakeFirst();
      });
      return eventId?.id ?? '';
    },
    change,
    claim,
    async claimOne(options) {
      const [event, ...others] = await claim(options);
      if (event === undefined || others.length > 0) throw new Error('Expected one due stream.');
      return event;
    },
    async endLeases() {
      await db
        .updateTable('webhookStream')
        .set({ leaseUntil: new Date(0) })
        .where('leaseUntil', 'is not', null)
        .execute();
    },
    async sweep(sweptAt = now) {
      while (await sweepNextStreams(db, sweptAt));
    },
    async set(id, values) {
      await db.updateTable('webhookStream').set(values).where('applicationId', '=', id).execute();
    },
    async mark(values, where = {}) {
      let update = db.updateTable('webhookEvent').set(values);
      if (where.id !== undefined) update = update.where('id', '=', where.id);
      if (where.applicationId !== undefined) update = update.where('streamId', '=', where.applicationId);
      await update.execute();
    },
    streamOf: (id) =>
      db
        .selectFrom('webhookStream')
        .select(['url', 'dueAt', 'leaseUntil', 'fence', 'attempts'])
        .where('applicationId', '=', id)
        .executeTakeFirst(),
    async eventsOf(id) {
      const rows = await db.selectFrom('webhookEvent').selectAll().where('streamId', '=', id).orderBy('seq').execute();
      return rows.map(({ deliveredAt, deadAt }) => {
        if (deliveredAt !== null) return `delivered ${(deliveredAt.getTime() - now.getTime()) / 1_000}`;
        return deadAt === null ? 'waiting' : `dead ${(deadAt.getTime() - now.getTime()) / 1_000}`;
      });
    },
    attemptsOf: (eventId) =>
      db
        .selectFrom('webhookAttempt')
        .select(['attemptedAt', 'status', 'error', 'durationMs'])
        .where('eventId', '=', eventId)
        .orderBy('id')
        .execute(),
    isBlocked: () => untilBlocked(db),
    stop,
  };
}
