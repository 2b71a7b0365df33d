import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { createBridge } from '../../../src/bridge/create-bridge.js';
import { AdapterError } from '../../../src/bridge/ports/adapter-error.js';
import { portNames } from '../../../src/bridge/ports/adapters.js';
import { guardAdapters } from '../../../src/bridge/ports/guard-adapters.js';
import { startApplyService, type ApplyService } from '../apply/support/service.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor } from '../apply/support/visitor.js';
import { until } from '../until.js';

const secrets = ['4242424242424242', 'ana.secret@example.com', 'sk_live_51HabcXYZ', 'quokka'];

/** An error as clients of processors and stores throw it, with secrets in every part. */
function secretError(): Error {
  const text = secrets.join(' ');
  const error = new Error(text, { cause: new Error(text) });
  return Object.assign(error, { name: text, code: 'sk_live_51HabcXYZ', raw: { text }, requestBody: text });
}

/** An adapter whose every method fails, but those in `works`. */
function failing(works: Record<string, unknown>, called: Set<string>, port: string): object {
  return new Proxy(works, {
    get(target, key) {
      if (typeof key === 'symbol' || key === 'then') return undefined;
      if (key in target) return target[key];
      return () => {
        called.add(`${port}.${key}`);
        return Promise.reject(secretError());
      };
    },
  });
}

function assertNoSecret(text: string, where: string): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is in ${where}`);
}

for (const port of portNames) {
  test(`An error of the ${port} keeps its port, its operation and a short code, however it fails.`, async () => {
    const ways: Record<'rejects' | 'throws', (error: unknown) => unknown> = {
      rejects: (error) => Promise.resolve().then(() => ways.throws(error)),
      throws: (error) => {
        throw error;
      },
    };
    for (const [way, fail] of Object.entries(ways)) {
      for (const [error, code] of [
        [secretError(), 'unknown'],
        [Object.assign(secretError(), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
        [Object.assign(secretError(), { code: 'resource_missing' }), 'resource_missing'],
        [Object.assign(secretError(), { code: '57P03' }), '57P03'],
        [Object.assign(secretError(), { code: '4242424242424242' }), 'unknown'],
        [secrets.join(' '), 'unknown'],
        [undefined, 'unknown'],
      ] as const) {
        const adapter = Object.freeze({ operate: () => fail(error) });
        const guarded = guardAdapters({ [port]: adapter })[port] as unknown as typeof adapter;
        // In an async function, which both ways reject.
        const caught: unknown = await (async () => guarded.operate())().catch((thrown: unknown) => thrown);
        assert.ok(caught instanceof AdapterError, way);
        assert.deepEqual([caught.port, caught.operation, caught.code], [port, 'operate', code]);
        assert.equal(caught.message, `${port}.operate failed (${code}).`);
        assertNoSecret(inspect(caught, { showHidden: true, depth: 9 }), way);
      }
    }
    const hidden = {
      get value(): string {
        throw secretError();
      },
    };
    const guarded = guardAdapters({ [port]: hidden })[port] as unknown as typeof hidden;
    assert.throws(() => guarded.value, AdapterError);
  });
}

test('An adapter works as before: its methods have its private fields, and its values are its own.', async () => {
  class Scanner {
    #found = 'clean' as const;
    readonly label = 'a scanner';
    scan() {
      return Promise.resolve(this.#found);
    }
  }
  const { documentScanner } = guardAdapters({ documentScanner: new Scanner() });
  assert.equal(await documentScanner?.scan(new Uint8Array(), 'application/pdf'), 'clean');
  assert.equal((documentScanner as Scanner).label, 'a scanner');
  assert.equal(guardAdapters({}).documentScanner, undefined);
});

test('A key provider that fails stops the start without its text.', async () => {
  const keyProvider = failing({ source: 'The KMS' }, new Set(), 'keyProvider') as never;
  // Never connected to, because the keys are loaded first.
  const environment = { BRIDGE_PORT: '0', APPLY_PORT: '0', DATABASE_URL: 'postgresql://127.0.0.1:9/none' };
  const bridge = await createBridge({ keyProvider, environment });
  const error = await bridge.listen().catch((thrown: unknown) => thrown);
  assert.match(String(error), /keyProvider\.loadKeys failed \(unknown\)/);
  assertNoSecret(inspect(error, { showHidden: true, depth: 9 }), 'the error of the start');
});

test('No text of the error of an adapter is in the log, an answer or the database.', async (t) => {
  const called = new Set<string>();
  const works = { scanner: {} as Record<string, unknown> };
  const processor = { serves: () => true, cardEntry: 'page', methods: undefined, fields: undefined };
  const service = await startApplyService({
    paymentProcessor: failing(processor, called, 'paymentProcessor') as never,
    filingGateway: failing({ kind: 'automatic', serves: () => true }, called, 'filingGateway') as never,
    documentStorage: failing({}, called, 'documentStorage') as never,
    documentScanner: failing(works.scanner, called, 'documentScanner') as never,
    mailer: failing({}, called, 'mailer') as never,
    producerRegistry: failing({}, called, 'producerRegistry') as never,
    environment: { CONSOLE_PORT: '0' },
  });
  t.after(() => service.stop());
  const answers: string[] = [];

  await useRegistry(service, answers);
  const session = await service.createSession({ states: ['TX'] });
  await placeAt(service, session, 'payment');
  const paymentId = await pay(service, session, answers);
  await upload(session.applicationUrl, answers);
  works.scanner['scan'] = () => Promise.resolve('clean');
  await upload(session.applicationUrl, answers);
  await schedulePaymentJobs(service, paymentId);
  const filed = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, filed, 'receipt', { ssn: '234-56-7891' });
  await until(
    () => service.context.db.selectFrom('filing').select('lastError').execute(),
    (rows) => rows.some(({ lastError }) => lastError !== null),
  );
  await until(
    () => service.context.db.selectFrom('mail').select('problem').execute(),
    (rows) => rows.some(({ problem }) => problem !== null),
  );

  for (const port of portNames.filter((name) => name !== 'keyProvider'))
    assert.ok(
      [...called].some((name) => name.startsWith(`${port}.`)),
      `${port} was not called`,
    );
  assert.ok(called.has('paymentProcessor.readNotification'));
  assert.ok(called.has('paymentProcessor.lookUp'));
  assertNoSecret(service.logged.join('\n'), 'the log');
  assertNoSecret(answers.join('\n'), 'an answer');
  for (const [table, text] of await allRows(service)) assertNoSecret(text, table);
  assert.match(service.logged.join('\n'), /paymentProcessor\.authorize failed \(unknown\)/);
  assert.match(service.logged.join('\n'), /producerRegistry\.findProducers failed \(unknown\)/);
});

async function useRegistry(service: ApplyService, answers: string[]): Promise<void> {
  const body = { npn: '77', onboardType: 'lookup' };
  const { status, headers, body: answer } = await service.call('POST', '/v1/account/producer', { body });
  answers.push(JSON.stringify(answer));
  assert.deepEqual([status, answer.code, headers.get('retry-after')], [503, 50301, '5']);
}

/** Pays, reloads and is notified. Resolves with the id of the payment. */
async function pay(
  service: ApplyService,
  { applicationUrl, applicationId }: { applicationUrl: string; applicationId: string },
  answers: string[],
): Promise<string> {
  const paid = await createVisitor().post(`${applicationUrl}/payment`, { method: 'card' });
  const notified = await fetch(`${service.applyUrl}/payments/notifications`, { method: 'POST', body: '{}' });
  answers.push(paid.html, await notified.text());
  assert.deepEqual([paid.status, notified.status], [503, 204]);
  const { id } = await service.context.db
    .selectFrom('payment')
    .select('id')
    .where('applicationId', '=', applicationId)
    .executeTakeFirstOrThrow();
  return id;
}

async function upload(applicationUrl: string, answers: string[]): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob(['%PDF-1.7\n%%EOF\n']), 'order.pdf');
  const url = `${applicationUrl}/background/documents`;
  const uploaded = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  answers.push(await uploaded.text());
}

/** Waits until the job queue has stored the error of a job. */
async function schedulePaymentJobs({ context }: ApplyService, paymentId: string): Promise<void> {
  await context.db.transaction().execute((trx) => context.schedule(trx, 'payment', { kind: 'settle', paymentId }, 0));
  await until(
    async () =>
      (await sql<{ output: unknown }>`select output from pgboss.job where output is not null`.execute(context.db)).rows,
    (rows) => rows.length > 0,
  );
}

/** Every table of the bridge and of its jobs, as text. */
async function allRows({ context: { db } }: ApplyService): Promise<[table: string, text: string][]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'pgboss')`.execute(db);
  assert.ok(tables.some(({ name }) => name === 'public.audit_entry') && tables.length > 30);
  const found: [string, string][] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(db);
    found.push([name, rows.map(({ text }) => text).join('\n')]);
  }
  return found;
}
