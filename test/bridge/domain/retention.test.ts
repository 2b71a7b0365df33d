import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql, type Insertable } from 'kysely';
import { linkAudit } from '../../../src/bridge/domain/audit/chain.js';
import type { BridgeSettings } from '../../../src/bridge/domain/context.js';
import { cleanUp, countErasable, eraseEnded } from '../../../src/bridge/domain/retention/retention.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import { createTableStorage } from '../../../src/bridge/store/documents/document-store.js';
import { eraseApplicants, eraseApplications, lockEnded } from '../../../src/bridge/store/retention/erasure-store.js';
import type { RetainedKind } from '../../../src/bridge/store/retention/retention-store.js';
import type { ApplicationTable, Tables } from '../../../src/bridge/store/tables/tables.js';
import { untilBlocked } from '../blocked.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

const day = 24 * 3_600_000;
const now = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const forEver: Record<RetainedKind, number> = {
  deliveredWebhooks: 0,
  deadWebhooks: 0,
  bulkOnboardings: 0,
  registryUpdates: 0,
  auditEntries: 0,
};

describe('the clean-up of a bridge', () => {
  let database: TestDatabase;
  const logged: string[] = [];
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.stop());
  beforeEach(async () => {
    logged.length = 0;
    const { db } = database;
    await sql`truncate agency, credential, access_token, applicant, application, application_step, application_state,
      application_action, document, document_content, filing, idempotency_key, earlier_session, identity_check,
      operator, operator_session, rate_limit, webhook_stream, webhook_event, webhook_attempt, bulk_onboarding,
      bulk_batch, registry_producer, registry_update, audit_entry, audit_link, audit_unlinked cascade`.execute(db);
    for (const id of ['agc_1', 'agc_2']) {
      await add('agency', { id, name: 'Example', onboardTypes: ['lookup'], createdAt: now, deactivatedAt: null });
    }
  });

  const context = (settings: Partial<BridgeSettings> = {}) => ({
    db: database.db,
    clock: () => now,
    log: createLogger('info', { write: (line) => void logged.push(line) }),
    documents: { storage: createTableStorage(database.db), scanner: undefined },
    settings: { retentionDays: undefined, retention: forEver, ...settings },
  });

  function add<Table extends keyof Tables>(table: Table, ...rows: Insertable<Tables[Table]>[]) {
    return database.db.insertInto(table).values(rows).execute();
  }

  const document = (applicationId: string): Insertable<Tables['document']> => ({
    id: `doc_${applicationId}`,
    applicationId,
    uploadId: applicationId,
    state: null,
    serial: null,
    type: 'application/pdf',
    size: 1,
    isScanned: true,
    nameEncrypted: 'v1.x',
    keyEncrypted: 'v1.x',
    subjectEncrypted: 'v1.x',
    createdAt: now,
    storedAt: now,
    removedAt: null,
  });

  async function addUser(userId: string, owner: { agencyId?: string; mode?: 'test' | 'live' } = {}) {
    await database.db
      .insertInto('applicant')
      .values({
        agencyId: 'agc_1',
        mode: 'test',
        userId,
        profile: '{}',
        ssnEncrypted: 'v1.encrypted',
        answersSubmittedAt: now,
        createdAt: now,
        updatedAt: now,
        ...owner,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** An application whose link ended exactly 90 days ago. */
  const applicationRow = (
    id: string,
    own: Partial<Insertable<ApplicationTable>> = {},
  ): Insertable<ApplicationTable> => ({
    id,
    sessionId: `ses_${id}`,
    agencyId: 'agc_1',
    mode: 'test',
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life',
    states: ['TX'],
    statesKey: 'TX',
    catalogueVersion: '2026.1',
    paymentMethod: 'user_pays',
    returnUrl: 'https://partner.example',
    linkHash: Buffer.from(id),
    step: 'submitted',
    createdAt: ago(200 * day),
    expiresAt: ago(90 * day),
    submittedAt: ago(200 * day),
    ...own,
  });

  async function addApplication(id: string, own: Partial<Insertable<ApplicationTable>> = {}) {
    const row = applicationRow(id, own);
    await addUser(row.userId, { agencyId: row.agencyId, mode: row.mode });
    await add('application', row);
    return id;
  }

  async function addState(
    applicationId: string,
    status: 'approved' | 'denied' | 'pending_review' | 'requires_action',
    at: Date,
  ) {
    await add('applicationState', {
      applicationId,
      state: 'TX',
      status,
      reason: null,
      actionHash: null,
      actionUrlOverride: null,
      updatedAt: at,
    });
  }

  async function addEarlierSession(applicationId: string, expiresAt: Date) {
    const sessionId = randomUUID();
    const linkHash = Buffer.from(sessionId);
    const row = { sessionId, applicationId, linkHash, returnUrl: 'https://partner.example', expiresAt };
    await add('earlierSession', row);
  }

  /** The ids of the rows of a table that are left. */
  async function left(table: keyof Tables, column: string): Promise<unknown[]> {
    const { rows } = await sql<{
      id: unknown;
    }>`select ${sql.ref(column)} as id from ${sql.table(table)} order by 1`.execute(database.db);
    return rows.map(({ id }) => id);
  }

  it('Each kind of expired row is deleted at its time, and not a millisecond earlier.', async () => {
    const { db } = database;
    await addApplication('app_1');
    await add('credential', {
      id: 'crd_1',
      agencyId: 'agc_1',
      clientId: 'client',
      liveSecretHash: Buffer.from('a'),
      testSecretHash: Buffer.from('b'),
      isActive: true,
      createdAt: now,
      updatedAt: now,
      deactivatedAt: null,
    });
    await sql`insert into operator (id, name, role, password_hash, is_password_temporary, created_at, updated_at)
      values ('opr_1', 'Dana', 'view', 'x', false, ${now}, ${now})`.execute(db);
    const [idle, ended, later] = [ago(30 * 60_000), now, new Date(now.getTime() + 1)];
    for (const [id, seenAt, expiresAt] of [
      ['idle', idle, later],
      ['ended', now, ended],
      ['kept', new Date(idle.getTime() + 1), later],
    ] as const) {
      await add('operatorSession', {
        tokenHash: Buffer.from(id),
        operatorId: 'opr_1',
        createdAt: now,
        seenAt,
        provenAt: now,
        expiresAt,
      });
    }
    for (const [id, late] of [
      ['kept', 1],
      ['gone', 0],
    ] as const) {
      const at = (ms: number) => new Date(now.getTime() - ms + late);
      const own = { agencyId: 'agc_1', mode: 'test' } as const;
      const hash = Buffer.from(id);
      await add('accessToken', {
        ...own,
        tokenHash: hash,
        credentialId: 'crd_1',
        createdAt: now,
        expiresAt: at(0),
      });
      await add('idempotencyKey', {
        ...own,
        key: id,
        bodyHash: hash,
        applicationId: 'app_1',
        sessionId: 'ses_1',
        prefilled: '{}',
        createdAt: at(day),
      });
      await add('earlierSession', {
        sessionId: id,
        applicationId: 'app_1',
        linkHash: hash,
        returnUrl: 'https://partner.example',
        expiresAt: at(30 * day),
      });
      await add('identityCheck', { sessionId: id, applicationId: 'app_1', passedAt: now, expiresAt: at(0) });
    }
    await cleanUp(context());
    for (const [table, column] of [
      ['idempotencyKey', 'key'],
      ['earlierSession', 'sessionId'],
      ['identityCheck', 'sessionId'],
    ] as const) {
      deepEqual(await left(table, column), ['kept'], table);
    }
    for (const table of ['accessToken', 'operatorSession'] as const) {
      deepEqual(await left(table, 'tokenHash'), [Buffer.from('kept')], table);
    }
  });

  it('Each kind of old row is deleted at the end of its retention, and not a millisecond earlier.', async () => {
    const { db } = database;
    await addApplication('app_1');
    await sql`insert into webhook_stream (application_id, agency_id, mode, url)
      values ('app_1', 'agc_1', 'test', 'https://partner.example')`.execute(db);
    await sql`insert into registry_producer values ('test', 1, 'A', 'B', null, null, '{}', '{}', ${now}, ${now})`.execute(
      db,
    );
    const days = {
      deliveredWebhooks: 10,
      deadWebhooks: 20,
      bulkOnboardings: 30,
      registryUpdates: 40,
      auditEntries: 50,
    };
    const add = async (id: 'gone' | 'kept', late: number) => {
      const at = (of: RetainedKind) => new Date(ago(days[of] * day).getTime() + late);
      await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at, delivered_at, dead_at)
        values ('app_1', ${late + 1}, ${`delivered ${id}`}, 't', '{}', ${now}, ${at('deliveredWebhooks')}, null),
          ('app_1', ${late + 10}, ${`dead ${id}`}, 't', '{}', ${now}, null, ${at('deadWebhooks')})`.execute(db);
      await sql`insert into webhook_attempt (event_id, attempted_at, duration_ms)
        values (${`delivered ${id}`}, ${now}, 1)`.execute(db);
      await sql`with bulk as (insert into bulk_onboarding
          values (gen_random_uuid(), 'agc_1', 'test', 'lookup', ${late}, 1, 0, ${now}, ${at('bulkOnboardings')})
          returning id)
        insert into bulk_batch select id, 0, '{1}', '{0}', 1, 0, ${now} from bulk`.execute(db);
      await sql`insert into audit_entry (at, agency_id, actor, action, subject, result)
        values (${at('auditEntries')}, 'agc_1', 'a', ${`audit ${id}`}, 's', 'r')`.execute(db);
      await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
        values ('test', 1, ${at('registryUpdates')}, ${`{${id}}`}, '{}')`.execute(db);
    };
    await add('gone', 0);
    await add('kept', 1);
    await linkAudit(context());
    await cleanUp(context({ retention: days }));
    deepEqual(await left('webhookEvent', 'id'), ['dead kept', 'delivered kept']);
    deepEqual(await left('webhookAttempt', 'eventId'), ['delivered kept']);
    deepEqual(await left('bulkOnboarding', 'totalCount'), [1]);
    equal((await left('bulkBatch', 'bulkId')).length, 1);
    deepEqual(await left('auditEntry', 'action'), ['audit kept']);
    deepEqual(await left('registryUpdate', 'changes'), [['kept']]);
  });

  it('An application has ended when its links, its requests and its decisions are that old.', async () => {
    const recently = new Date(ago(90 * day).getTime() + 1);
    await addApplication('ended');
    await addApplication('ended approved');
    await addState('ended approved', 'approved', ago(90 * day));
    await addApplication('ended denied');
    await addState('ended denied', 'denied', ago(90 * day));
    await addApplication('ended links');
    await addEarlierSession('ended links', ago(90 * day));
    await addApplication('link', { expiresAt: recently });
    await addApplication('earlier link');
    await addEarlierSession('earlier link', recently);
    await addApplication('in review');
    await addState('in review', 'pending_review', ago(200 * day));
    await addApplication('asked');
    await addState('asked', 'requires_action', ago(200 * day));
    await addApplication('decided late');
    await addState('decided late', 'denied', recently);
    await addApplication('erased', { erasedAt: ago(day) });
    equal(await countErasable(context(), 90), 4);
    deepEqual(await eraseEnded(context(), 90), { applications: 4, users: 0 });
    const { rows } = await sql`select id from application where erased_at = ${now} order by id`.execute(database.db);
    deepEqual(rows, [{ id: 'ended' }, { id: 'ended approved' }, { id: 'ended denied' }, { id: 'ended links' }]);
    equal(await countErasable(context(), 90), 0);
  });

  it('Ended applications are found oldest first, and each batch continues after the one before.', async () => {
    await addApplication('b', { expiresAt: ago(91 * day) });
    await addApplication('c', { expiresAt: ago(92 * day) });
    await addApplication('a', { expiresAt: ago(91 * day) });
    await database.db.transaction().execute(async (trx) => {
      const first = await lockEnded(trx, { by: ago(90 * day), after: undefined, limit: 2 });
      deepEqual(
        first.map(({ id }) => id),
        ['c', 'a'],
      );
      const next = await lockEnded(trx, { by: ago(90 * day), after: first[1], limit: 2 });
      deepEqual(
        next.map(({ id }) => id),
        ['b'],
      );
    });
  });

  it('An erasure empties every column that holds the input of a user, and no other application.', async () => {
    const { db } = database;
    for (const id of ['erased', 'other']) {
      await addApplication(id, { userId: id });
      await add('applicationStep', {
        applicationId: id,
        step: 'identity',
        data: '{}',
        encrypted: 'v1.x',
        savedAt: now,
        completedAt: now,
      });
      await add('applicationAction', {
        applicationId: id,
        state: 'TX',
        serial: 1,
        linkHash: Buffer.from(`action ${id}`),
        answerEncrypted: 'v1.x',
        answeredAt: now,
      });
      await add('document', document(id));
      const note = { id: `note of ${id}`, applicationId: id, author: 'cli:tester', textEncrypted: 'v1.x' };
      await add('applicationNote', { ...note, createdAt: now });
    }
    await db.transaction().execute(async (trx) => {
      await eraseApplications(trx, ['erased'], now);
      equal(await eraseApplicants(trx, ['erased']), 1);
    });
    deepEqual(await left('applicationStep', 'applicationId'), ['other']);
    deepEqual(await left('applicationNote', 'applicationId'), ['other']);
    const rows =
      await sql`select app.id, erased_at is null as kept, answer_encrypted, name_encrypted, key_encrypted, subject_encrypted,
        removed_at is null as there, ssn_encrypted, answers_submitted_at is null as forgotten
      from application app join application_action action on action.application_id = app.id
        join document on document.application_id = app.id join applicant using (agency_id, mode, user_id)
      order by app.id`.execute(db);
    const all = (value: string | null) => ({
      answerEncrypted: value,
      nameEncrypted: value,
      keyEncrypted: value,
      subjectEncrypted: value,
    });
    deepEqual(rows.rows, [
      { id: 'erased', kept: false, ...all(null), there: false, ssnEncrypted: null, forgotten: true },
      { id: 'other', kept: true, ...all('v1.x'), there: true, ssnEncrypted: 'v1.encrypted', forgotten: false },
    ]);
  });

  it('The data for a next application is erased with the last application of the same user, agency and mode.', async () => {
    await addApplication('a');
    await addApplication('of another agency', { agencyId: 'agc_2', expiresAt: now });
    await addApplication('of live mode', { mode: 'live', expiresAt: now });
    await addApplication('of another user', { userId: 'usr_2', expiresAt: now });
    await addUser('usr_1', { agencyId: 'agc_2', mode: 'live' });
    await addApplication('b', { expiresAt: now });
    deepEqual(await eraseEnded(context(), 90), { applications: 1, users: 0 });
    await database.db
      .updateTable('application')
      .set({ expiresAt: ago(90 * day) })
      .where('id', '=', 'b')
      .execute();
    deepEqual(await eraseEnded(context(), 90), { applications: 1, users: 1 });
    const { rows } = await sql`select agency_id, mode, user_id from applicant where ssn_encrypted is null`.execute(
      database.db,
    );
    deepEqual(rows, [{ agencyId: 'agc_1', mode: 'test', userId: 'usr_1' }]);
  });

  it('One run erases and deletes more than one batch, and what is kept for ever stays.', async () => {
    const { db } = database;
    await addUser('usr_1');
    await add('application', ...Array.from({ length: 401 }, (_, index) => applicationRow(`app_${index}`)));
    deepEqual(await eraseEnded(context(), 90), { applications: 401, users: 1 });
    await sql`insert into registry_producer values ('test', 1, 'A', 'B', null, null, '{}', '{}', ${now}, ${now})`.execute(
      db,
    );
    await sql`insert into registry_update (mode, npn, updated_at, changes, detail)
      select 'test', 1, ${ago(1_000 * day)}::timestamptz + number * interval '1 ms', '{}', '{}'
      from generate_series(1, 1001) number`.execute(db);
    const limited = context({ retention: { ...forEver, registryUpdates: 40 } });
    await cleanUp(context());
    await cleanUp(limited, AbortSignal.abort());
    equal((await left('registryUpdate', 'npn')).length, 1_001);
    await cleanUp(limited);
    equal((await left('registryUpdate', 'npn')).length, 1, 'the newest of a producer');
  });

  it('A sent mail is known for 90 days.', async () => {
    await addApplication('app_1');
    for (const [purpose, late] of [
      ['gone', -1],
      ['kept', 1],
    ] as const) {
      await add('mail', {
        ...{ purpose, applicationId: 'app_1', kind: 'receipt', sentAt: now, droppedAt: null, problem: null },
        createdAt: new Date(ago(90 * day).getTime() + late),
      });
    }
    await cleanUp(context());
    deepEqual(await left('mail', 'purpose'), ['kept']);
  });

  it('A stopping bridge ends after the current batch, and the next one continues.', async () => {
    await addUser('usr_1');
    await add('application', ...Array.from({ length: 201 }, (_, index) => applicationRow(`app_${index}`)));
    deepEqual(await eraseEnded(context(), 90, AbortSignal.abort()), { applications: 200, users: 0 });
    deepEqual(await eraseEnded(context(), 90), { applications: 1, users: 1 });
  });

  it('An application that another instance has locked is skipped, and erased the next time.', async () => {
    for (const id of ['locked', 'free']) await addApplication(id);
    await database.db.transaction().execute(async (trx) => {
      await trx.selectFrom('application').select('id').where('id', '=', 'locked').forNoKeyUpdate().execute();
      deepEqual(await eraseEnded(context(), 90), { applications: 1, users: 0 });
    });
    deepEqual(await eraseEnded(context(), 90), { applications: 1, users: 1 });
  });

  it("When two instances erase a user's last two applications at the same time, one erases the user's data.", async () => {
    const { db } = database;
    for (const id of ['one', 'two']) await addApplication(id);
    const [first, second] = [await db.startTransaction().execute(), await db.startTransaction().execute()];
    await eraseApplications(first, ['one'], now);
    await eraseApplications(second, ['two'], now);
    equal(await eraseApplicants(first, ['one']), 0);
    const erased = eraseApplicants(second, ['two']);
    await untilBlocked(db);
    await first.commit().execute();
    equal(await erased, 1);
    await second.commit().execute();
  });

  it('A clean-up erases only where a number of days is set, writes one line, and deletes the content of documents.', async () => {
    const { db } = database;
    await addApplication('app_1');
    await add('document', document('app_1'));
    await createTableStorage(db).put('doc_app_1', Buffer.from('content'));
    await cleanUp(context());
    deepEqual([await left('documentContent', 'id'), logged], [['doc_app_1'], []]);
    await cleanUp(context({ retentionDays: 91 }));
    deepEqual([await left('documentContent', 'id'), logged], [['doc_app_1'], []]);
    await cleanUp(context({ retentionDays: 90 }));
    deepEqual([await left('documentContent', 'id'), await left('document', 'id'), logged.length], [[], [], 1]);
  });
});
