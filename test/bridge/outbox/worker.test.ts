import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { WebhookEventType } from '../../../src/contract/index.js';
import { webhookSecretAssociatedData } from '../../../src/bridge/domain/accounts/agency.js';
import { createKeys, createLinks } from '../../../src/bridge/domain/keys/keys.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import type { SendResult, Webhook } from '../../../src/bridge/outbox/webhook-sender.js';
import { createOutboxWorker } from '../../../src/bridge/outbox/worker.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import { testDatabase } from '../../support/database.js';
import { until } from '../until.js';
import { addDueStreams } from './due-streams.js';
import { at, createStreams, holdStream, now, type Streams } from './streams.js';

let streams: Streams;
let owner: Owner;
before(async () => {
  const database = await testDatabase();
  // Before the pools of the tests, whose timers it replaces too.
  mock.timers.enable({ apis: ['setTimeout'] });
  streams = createStreams({ ...database, db: openDatabase(database.url) });
});
after(async () => {
  await streams.db.destroy();
  mock.timers.reset();
  await streams.stop();
});
beforeEach(async () => {
  await streams.clear();
  owner = await streams.addAgency('a');
});

const oldKey = Buffer.alloc(32, 3);
const keys = createKeys([Buffer.alloc(32, 1), oldKey]);
const links = createLinks(keys, 'https://apply.example');
const oldLinks = createLinks(createKeys([oldKey]), 'https://apply.example');
const delivered: SendResult = { status: 200, error: null, retryAfterSeconds: undefined, durationMs: 7 };
const failed: SendResult = { ...delivered, status: 503, error: 'status' };
const refused: SendResult = { ...delivered, status: null, error: 'refused', code: 'ECONNREFUSED' };

/** A worker at a fixed time. Its timers pass only with `advance`, and the test answers its webhooks. */
function setup(t: TestContext, retryScale = 1) {
  const db = openDatabase(streams.url, { maxConnections: 4 });
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const sent: Webhook[] = [];
  const answers: ((result: SendResult) => void)[] = [];
  const counted: unknown[] = [];
  let clock = now;
  const worker = createOutboxWorker({
    ...{ db, keys, links, log, retryScale, clock: () => clock, random: () => 0.5 },
    registry: createTableRegistry(db, keys),
    sender: {
      send: (webhook, signal) =>
        new Promise((resolve, reject) => {
          sent.push(webhook);
          answers.push(resolve);
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
      close: () => Promise.resolve(),
    },
    metrics: { countDelivery: (...call) => void counted.push(call) },
  });
  const stop = async () => {
    for (const answer of answers) answer(delivered);
    await worker.stop(0);
    await db.destroy();
  };
  t.after(stop);
  return {
    worker,
    sent,
    counted,
    lines,
    setClock: (time: Date) => (clock = time),
    /** Takes the next webhook away from `answer`. Returns the function that answers it. */
    hold: () => answers.shift() ?? assert.fail('Expected a webhook.'),
    /** Waits for the next webhook and answers it. */
    async answer(result: SendResult) {
      await until(() => Promise.resolve(answers.length > 0));
      answers.shift()?.(result);
    },
    /**
     * Lets time pass until a condition is true. Resolves with the milliseconds. Each takes as long as
     * a query, so that a slow database does not let the timers run ahead of the worker.
     */
    async advance(isSo: () => boolean): Promise<number> {
      for (let passedMs = 0; ; passedMs += 1) {
        if (isSo()) return passedMs;
        mock.timers.tick(1);
        await sql`select`.execute(streams.db);
      }
    },
    settled: () => until(() => Promise.resolve(counted.length > 0)),
  };
}

async function addWaiting(id: string, count = 1): Promise<void> {
  await streams.addApplication(owner, id);
  for (let index = 0; index < count; index += 1) await streams.emit(id);
}

for (const [title, attempts, result, outcome, state, message, nextAt] of [
  ['A success', 2, delivered, 'delivered', { dueAt: null, attempts: 0 }, 'A webhook was delivered.', undefined],
  ['A failure', 0, failed, 'retry', { dueAt: at(5), attempts: 1 }, 'A webhook failed and will be retried.', at(5)],
  [
    'A failure with Retry-After',
    0,
    { ...failed, retryAfterSeconds: 60 },
    'retry',
    { dueAt: at(60), attempts: 1 },
    'A webhook failed and will be retried.',
    at(60),
  ],
  [
    'The ninth failure',
    8,
    failed,
    'retry',
    { dueAt: at(86_400), attempts: 9 },
    'A webhook failed and will be retried.',
    at(86_400),
  ],
  [
    'A failure of the network',
    0,
    refused,
    'retry',
    { dueAt: at(5), attempts: 1 },
    'A webhook failed and will be retried.',
    at(5),
  ],
  ['The tenth failure', 9, failed, 'dead', { dueAt: null, attempts: 0 }, 'A webhook was dead-lettered.', undefined],
  [
    'Status 410',
    0,
    { ...failed, status: 410 },
    'gone',
    { dueAt: now, attempts: 0 },
    'A webhook endpoint is disabled (410).',
    undefined,
  ],
] as const) {
  test(`${title} after ${attempts} failures is recorded, counted as "${outcome}" and logged.`, async (t) => {
    const { worker, answer, settled, counted, lines } = setup(t);
    await addWaiting('a1');
    await streams.mark({ requestId: 'req_1', traceparent: `00-${'1'.repeat(32)}-2-01` });
    await streams.set('a1', { attempts });
    worker.start();
    await answer(result);
    await settled();
    const stream = await streams.streamOf('a1');
    assert.deepEqual({ dueAt: stream?.dueAt, attempts: stream?.attempts }, state);
    assert.equal(stream?.leaseUntil, null);
    assert.deepEqual(counted, [[outcome, 7, result.error]]);
    const [{ level: _level, time: _time, pid: _pid, hostname: _hostname, eventId, ...line } = {}] = lines;
    const { status, error, code, durationMs }: SendResult = result;
    const logged = {
      requestId: 'req_1',
      traceId: '1'.repeat(32),
      eventType: 'application.session_started',
      status,
      error,
      ...(code === undefined ? {} : { code }),
      durationMs,
    };
    const next = nextAt === undefined ? {} : { nextAt: nextAt.toISOString() };
    assert.deepEqual(line, { ...logged, attempt: attempts + 1, msg: message, ...next });
    assert.match(String(eventId), /^evt_/);
    const attempt = { attemptedAt: now, status, error, durationMs: 7 };
    assert.deepEqual(await streams.attemptsOf(String(eventId)), [attempt]);
  });
}

test('The next event of an application, and a retry within the second, do not wait for the next poll.', async (t) => {
  const { worker, sent, answer, advance, counted, setClock } = setup(t, 0.001);
  await addWaiting('a1', 2);
  worker.start();
  await answer(delivered);
  assert.ok((await advance(() => sent.length === 2)) < 900);
  await answer(failed);
  await until(() => Promise.resolve(counted.length === 2));
  setClock(at(0.005));
  assert.ok((await advance(() => sent.length === 3)) < 900);
});

test('A result that comes after another worker has claimed the event changes nothing and is not counted.', async (t) => {
  const { worker, sent, answer, counted, lines, advance } = setup(t);
  await addWaiting('a1');
  await addWaiting('a2');
  worker.start();
  await advance(() => sent.length === 2);
  const [first] = sent;
  const id = (JSON.parse(first?.body ?? '') as { data: { applicationId: string } }).data.applicationId;
  await streams.set(id, { fence: 9, leaseUntil: at(1e9) });
  await answer(delivered);
  await answer(failed);
  await until(() => Promise.resolve(counted.length > 0));
  assert.deepEqual(counted, [['retry', 7, 'status']]);
  assert.equal(lines.length, 1);
  const { fence, leaseUntil } = (await streams.streamOf(id)) ?? {};
  assert.deepEqual([fence, leaseUntil], [9, at(1e9)]);
});

/** Five deliveries that end at the same time. Resolves when those that can be recorded have been. */
async function endTogether(t: TestContext, recorded: number): Promise<ReturnType<typeof setup>> {
  const tools = setup(t);
  for (const id of ['a1', 'a2', 'a3', 'a4', 'a5']) await addWaiting(id);
  tools.worker.start();
  await tools.advance(() => tools.sent.length === 5);
  for (let count = 0; count < 5; count += 1) tools.hold()(delivered);
  // Each result is logged: as delivered, or as not saved.
  await until(() => Promise.resolve(tools.lines.length === 5));
  assert.equal(tools.counted.length, recorded);
  return tools;
}

test('Deliveries that end together are recorded in one transaction.', async (t) => {
  await endTogether(t, 5);
  const { rows } = await sql`select from webhook_attempt group by xmin::text`.execute(streams.db);
  assert.equal(rows.length, 1);
});

test('A result that cannot be recorded does not cause a second delivery of those that end with it.', async (t) => {
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(
    streams.db,
  );
  await sql`create trigger refuse before update on webhook_stream for each row
    when (new.application_id = 'a3' and new.lease_until is null) execute function refuse()`.execute(streams.db);
  t.after(() => sql`drop function refuse cascade`.execute(streams.db));
  const { lines } = await endTogether(t, 4);
  assert.ok(lines.some(({ msg }) => String(msg).startsWith('The result of a delivery could not be saved')));
  for (const id of ['a1', 'a2', 'a4', 'a5']) assert.deepEqual(await streams.eventsOf(id), ['delivered 0']);
});

test('A result waits for the holder of its stream, and those that end with it do not.', async (t) => {
  const { worker, sent, hold, counted, advance } = setup(t);
  for (const id of ['a1', 'a2']) await addWaiting(id);
  worker.start();
  await advance(() => sent.length === 2);
  await streams.change(async (trx) => {
    await holdStream(trx, 'a1');
    hold()(delivered);
    hold()(delivered);
    await until(() => Promise.resolve(counted.length === 1));
    assert.deepEqual(await streams.eventsOf('a2'), ['delivered 0']);
    await streams.isBlocked();
  });
  await until(() => Promise.resolve(counted.length === 2));
  assert.deepEqual(await streams.eventsOf('a1'), ['delivered 0']);
});

test('A stop waits for the deliveries until its deadline, then releases the rest untried.', async (t) => {
  const { worker, sent, answer, counted, advance } = setup(t);
  await addWaiting('a1');
  await addWaiting('a2');
  worker.start();
  await advance(() => sent.length === 2);
  let isStopped = false;
  const stopping = worker.stop(50).then(() => (isStopped = true));
  await answer(delivered);
  await until(() => Promise.resolve(counted.length > 0));
  await new Promise(setImmediate);
  mock.timers.tick(49);
  await sql`select`.execute(streams.db);
  assert.equal(isStopped, false);
  mock.timers.tick(1);
  await stopping;
  assert.deepEqual(counted, [
    ['delivered', 7, null],
    ['released', 0, null],
  ]);
  const free = { leaseUntil: null, attempts: 0 };
  for (const id of ['a1', 'a2']) {
    const { leaseUntil, attempts } = (await streams.streamOf(id)) ?? {};
    assert.deepEqual({ leaseUntil, attempts }, free);
  }
  assert.equal(sent.length, 2);
});

for (const [title, encryptedWith, secret, message] of [
  ['is signed with its secret', keys, 'whsec_1', undefined],
  [
    'is sent unsigned when the key of its secret is lost',
    createKeys([Buffer.alloc(32, 2)]),
    null,
    /A webhook is not signed/,
  ],
] as const) {
  test(`A webhook of an agency with a secret ${title}.`, async (t) => {
    const { worker, sent, lines, advance } = setup(t);
    await addWaiting('a1');
    const secretEncrypted = encryptedWith.of('test').encrypt('whsec_1', webhookSecretAssociatedData(owner));
    await streams.db
      .insertInto('webhookSecret')
      .values({ agencyId: 'a', mode: 'test', secretEncrypted, createdAt: now })
      .execute();
    worker.start();
    await advance(() => sent.length === 1);
    assert.equal(sent[0]?.secret, secret);
    assert.equal(lines.length, message === undefined ? 0 : 1);
    if (message) assert.match(String(lines[0]?.['msg']), message);
  });
}

test('A webhook whose secret was tampered with is not sent, and its lease ends by itself.', async (t) => {
  const { worker, sent, counted, lines, advance } = setup(t);
  await addWaiting('a1');
  const secretEncrypted = keys
    .of('test')
    .encrypt('whsec_1', webhookSecretAssociatedData({ agencyId: 'b', mode: 'test' }));
  await streams.db
    .insertInto('webhookSecret')
    .values({ agencyId: 'a', mode: 'test', secretEncrypted, createdAt: now })
    .execute();
  worker.start();
  await advance(() => lines.length > 0);
  assert.match(String(lines[0]?.['msg']), /The result of a delivery could not be saved/);
  assert.deepEqual([sent, counted], [[], []]);
  assert.ok((await streams.streamOf('a1'))?.leaseUntil);
});

const action = { mode: 'test', applicationId: 'a1', state: 'TX', serial: 2, linkNumber: 0 } as const;
for (const [title, data, stored, actionUrl] of [
  ['the URL of the department, where there is one', { actionUrl: 'https://tx.example' }, 2, 'https://tx.example'],
  ['the link of its request', {}, 2, oldLinks.actionUrl(action, null)],
  ['a link that does not work after a newer request', {}, 3, links.actionUrl(action, null)],
] as const) {
  test(`A webhook that requires an action has ${title}.`, async (t) => {
    const { worker, sent, advance } = setup(t);
    await addWaiting('a1');
    // The link was sent before the key was rotated, and stays the same.
    const hash = oldLinks.actionLinkHash(action);
    await sql`insert into application_state (application_id, state, status, action_serial, action_hash, updated_at)
      values ('a1', 'TX', 'requires_action', ${stored}, ${hash}, ${now})`.execute(streams.db);
    const type: WebhookEventType = 'application.requires_action';
    const event = { state: 'TX', reason: 'Why', actionSerial: 2, ...data };
    await streams.mark({ type, data: JSON.stringify(event) });
    worker.start();
    await advance(() => sent.length === 1);
    const body = JSON.parse(sent[0]?.body ?? '') as { data: object };
    assert.deepEqual(body.data, { state: 'TX', reason: 'Why', actionUrl });
  });
}

test('Of one agency with many slow receivers, 28 deliveries are in progress, claimed for twenty seconds.', async (t) => {
  const { worker, sent, advance } = setup(t);
  for (let index = 0; index < 31; index += 1) await addWaiting(`a${index}`);
  worker.start();
  await advance(() => sent.length >= 28);
  // Another agency still finds a free slot.
  const other = await streams.addAgency('b');
  await streams.emit(await streams.addApplication(other, 'b1'));
  worker.wake();
  await advance(() => sent.length >= 29);
  const { rows } = await sql<{ count: number; lease: number }>`
    select count(*), extract(epoch from lease_until - now())::int as lease from webhook_stream
    where lease_until is not null group by lease_until order by lease_until`.execute(streams.db);
  assert.deepEqual(
    rows.map(({ count }) => count),
    [28, 1],
  );
  for (const { lease } of rows) assert.ok(lease > 0 && lease <= 20, String(lease));
  assert.equal((await streams.streamOf('b1'))?.fence, 1);
});

test('An event is sent at once, whatever waits for other agencies: slow, held, to be retried or just written.', async (t) => {
  const { worker, sent, advance } = setup(t);
  const { db } = streams;
  await addDueStreams(db, { prefix: 'slow', count: 100, agencyId: 'slow', dueAt: at(-100) });
  await addDueStreams(db, { prefix: 'held', count: 100, agencyId: 'held', dueAt: at(-200) });
  await sql`update agency set deactivated_at = ${now}::timestamptz where id = 'held'`.execute(db);
  await addDueStreams(db, { prefix: 'later', count: 100, dueAt: at(60) });
  worker.start();
  await advance(() => sent.length >= 25);
  // By now, the turn is behind the first of these agencies, and before the second.
  for (const prefix of ['first', 'next']) await addDueStreams(db, { prefix, count: 1, dueAt: at(-2) });
  await addDueStreams(db, { prefix: 'burst', count: 100, agencyId: 'slow', dueAt: at(-1) });
  worker.wake();
  // No time passes: neither a poll nor another delivery is waited for.
  for (const id of ['evt_first0000001', 'evt_next0000001'])
    await until(() => Promise.resolve(sent.some((webhook) => webhook.id === id)));
});

test('No more than 256 deliveries are in progress; the next is claimed soon after one of them has ended.', async (t) => {
  const { worker, sent, answer, advance } = setup(t);
  const { db } = streams;
  await sql`insert into agency (id, name, onboard_types, created_at)
    select 'agc_' || n, '', '{}', ${now}::timestamptz from generate_series(1, 258) n`.execute(db);
  await sql`insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
    select id, 'test', 'usr_1', '{}', ${now}::timestamptz, ${now}::timestamptz from agency where id <> 'a'`.execute(db);
  await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
      catalogue_version, payment_method, return_url, link_hash, step, created_at, expires_at)
    select 'app_' || id, id, id, 'test', 'usr_1', 'new', 'life', '{TX}', id, '', 'partner_billing', '', convert_to(id, 'utf8'),
      'profile', created_at, created_at from agency where id <> 'a'`.execute(db);
  await sql`insert into webhook_stream (application_id, agency_id, mode, url, next_seq, due_at)
    select id, agency_id, mode, 'https://hooks.example', 2, ${now}::timestamptz from application`.execute(db);
  await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
    select id, 1, 'evt_' || id, 'application.submitted', '{}', ${now}::timestamptz from application`.execute(db);
  worker.start();
  await advance(() => sent.length === 256);
  worker.wake();
  await sql`select pg_sleep(0)`.execute(db);
  assert.equal(sent.length, 256);
  await answer(delivered);
  assert.ok((await advance(() => sent.length === 257)) < 900);
});

test('A worker that cannot read the outbox reports it, and continues with the next poll.', async (t) => {
  const { worker, sent, lines, advance } = setup(t);
  await addWaiting('a1');
  await sql`alter table webhook_stream rename to away`.execute(streams.db);
  worker.start();
  await advance(() => lines.length > 0);
  assert.equal(lines[0]?.['msg'], 'The outbox could not be read.');
  await sql`alter table away rename to webhook_stream`.execute(streams.db);
  await advance(() => sent.length === 1);
});
