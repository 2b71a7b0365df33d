import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import type { Session } from '../../../src/contract/index.js';
import { cleanUp } from '../../../src/bridge/domain/retention.js';
import { decideState } from '../../../src/bridge/domain/applications/departments.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { yesTo } from '../apply/support/yes-answers.js';
import { day, minute, useRenewals } from '../http/support/renewals.js';
import { until } from '../until.js';

const renewals = useRenewals({ environment: { BRIDGE_RETENTION_DAYS: '90' } });
const { pass, read } = renewals;
const clean = () => cleanUp(renewals.service.context);

/** The input of the user, in the plain forms that a row could contain. */
const own = {
  profile: {
    firstName: 'Wilhelmina',
    street: '77 Typed Lane',
    city: 'Typedtown',
    email: 'typed.by.user@example.com',
    phone: '(512) 555-0177',
    zip: '78777',
  },
  // An SSN of an earlier application would be offered, so this user types another one.
  identity: { ...typed.identity, use: 'typed' },
  background: {
    ...yesTo('misdemeanor'),
  },
  review: { ...typed.review, signedName: 'Wilhelmina Rivera' },
};
const inPlain = ['Wilhelmina', '77 Typed Lane', 'Typedtown', 'typed.by.user', '78777', 'public_record', 'misdemeanor'];

let users = 0;

/**
 * A user who submits an application for two states without simulated decisions. A job captures the
 * fees.
 */
async function submit(userId = `usr_retention_${String((users += 1))}`) {
  const session = await renewals.service.createSession({ userId });
  await walkTo(createVisitor(), session, 'receipt', own);
  await until(
    () => paymentsOf(session.applicationId),
    (payments) => payments.every(({ captured_at: at }) => at !== null),
  );
  return { userId, session };
}

function paymentsOf(applicationId?: string) {
  const payments = renewals.service.context.db.selectFrom('payment').selectAll().orderBy('id');
  return (applicationId === undefined ? payments : payments.where('application_id', '=', applicationId)).execute();
}

async function decide({ applicationId }: Session, ...states: ('TX' | 'CA')[]) {
  for (const state of states) await decideState(renewals.service.context, { applicationId, state, status: 'denied' });
}

/**
 * Lets Texas request an action, answers it on the hosted page, and resolves with the page's URL.
 */
async function askAndAnswer(session: Session): Promise<string> {
  const { applicationId } = session;
  const asked = { applicationId, state: 'TX', status: 'requires_action', reason: 'Send it.' } as const;
  await decideState(renewals.service.context, asked);
  const actionUrl = (await read(session)).states.find(({ state }) => state === 'TX')?.actionUrl ?? '';
  const sent = await createVisitor().post(actionUrl, { answer: 'Here it is.', confirm: 'yes' });
  assert.equal(sent.heading, 'Your answer was sent');
  return actionUrl;
}

/** Every encrypted value of an application and its user. */
async function sealedOf({ applicationId }: Session): Promise<string[]> {
  const { rows } = await sql<{ sealed: string | null }>`
    select sealed from application_step where application_id = ${applicationId} and sealed is not null
    union all select answer_sealed from application_action where application_id = ${applicationId}
    union all select ssn_sealed from applicant join application using (agency_id, mode, user_id)
      where application.id = ${applicationId}`.execute(renewals.service.context.db);
  return rows.flatMap(({ sealed }) => sealed ?? []);
}

/**
 * Every row of every table as text, except for the texts and the catalogue, which all users see.
 */
async function wholeDatabase(): Promise<string> {
  const { db } = renewals.service.context;
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
      and table_name not in ('wording', 'catalogue')`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(db);
    texts.push(...rows.map(({ line }) => line));
  }
  return texts.join('\n');
}

/** The data about an application and its user, besides the user's input. */
async function everythingOf({ applicationId }: Session): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select 1 as part, t::text as line from application t where id = ${applicationId}
      union all select 2, t::text from application_step t where application_id = ${applicationId}
      union all select 3, t::text from application_state t where application_id = ${applicationId}
      union all select 4, t::text from application_action t where application_id = ${applicationId}
      union all select 5, t::text from payment t where application_id = ${applicationId}
      union all select 6, a::text from applicant a join application using (agency_id, mode, user_id)
        where application.id = ${applicationId}) as row order by 1, line`.execute(renewals.service.context.db);
  return rows.map(({ line }) => line);
}

suite('the erasure of a submitted application', () => {
  test("90 days after the last decision, the user's answers are in no row of any table, and the rest is unchanged.", async () => {
    const { session } = await submit();
    const actionUrl = await askAndAnswer(session);
    await decide(session, 'CA');
    await pass(10 * day);
    await decide(session, 'TX');
    const [{ session: waiting }, { session: other }] = [await submit(), await submit()];
    await decide(other, 'TX');
    const sealed = await sealedOf(session);
    assert.equal(sealed.length, 5);
    const answer = await read(session);
    const payments = await paymentsOf();
    const beside = await Promise.all([waiting, other].map(everythingOf));

    await pass(90 * day);
    const { first: begun } = await renewals.begin();
    const beforeErasing = await everythingOf(begun);
    await clean();
    assert.deepEqual(await everythingOf(begun), beforeErasing);
    const goesOn = await createVisitor().post(`${begun.applicationUrl}/identity`, typed.identity);
    assert.match(goesOn.url, /\/background/);
    const left = await wholeDatabase();
    for (const text of sealed) assert.ok(!left.includes(text), text);
    assert.deepEqual(await read(session), answer);
    assert.deepEqual(await paymentsOf(), payments);
    const receipt = await createVisitor().get(session.applicationUrl);
    assert.equal(receipt.heading, 'Application submitted');
    assert.doesNotMatch(receipt.html, /Signed by|undefined|Wilhelmina/);
    assert.match(receipt.html, /4242/);
    assert.equal((await createVisitor().get(actionUrl)).heading, 'Your answer was sent');
    // Applications that wait for a department, even one of two, are not erased.
    assert.deepEqual(await Promise.all([waiting, other].map(everythingOf)), beside);
    assert.notDeepEqual(await sealedOf(waiting), []);

    await decide(waiting, 'TX', 'CA');
    await decide(other, 'CA');
    await pass(91 * day);
    await clean();
    const nothing = await wholeDatabase();
    for (const text of inPlain) assert.ok(!nothing.includes(text), text);
    assert.ok(!/v1\.[\w-]{8}\./.test(nothing), 'a text is still sealed');
  });

  test("A user's answers stay until their last application has ended, and are erased with it.", async () => {
    const { userId, session } = await submit();
    await decide(session, 'TX', 'CA');
    await pass(91 * day);
    const next = await renewals.service.createSession({ userId });
    assert.equal(next.prefilled.ssn, true);
    await pass(minute);
    await clean();
    assert.equal((await sealedOf(session)).length, 1, 'only data for the next application');
    await placeAt(renewals.service, next, 'identity');
    const reused = await createVisitor().post(`${next.applicationUrl}/identity`, {
      use: 'earlier',
      ssnLastFour: typed.identity.ssn.slice(-4),
    });
    assert.match(reused.url, /\/background/);
    await pass(91 * day);
    await clean();
    assert.deepEqual([...(await sealedOf(session)), ...(await sealedOf(next))], []);
  });
});

suite('the next application after an erasure', () => {
  for (const applicationType of ['new', 'renewal']) {
    test(`The user types everything again in an application that is "${applicationType}".`, async () => {
      const { userId, session } = await submit();
      await decide(session, 'TX', 'CA');
      await pass(92 * day);
      await clean();
      const request = { userId, applicationType };
      const next = await renewals.service.createSession(request);
      assert.deepEqual(next.prefilled, { npn: false, ssn: false, backgroundQuestions: false });
      const visitor = createVisitor();
      const identity = await walkTo(visitor, next, 'identity');
      assert.doesNotMatch(identity.html, /value="earlier"/);
      const refused = await visitor.post(`${next.applicationUrl}/identity`, {
        use: 'earlier',
        ssnLastFour: typed.identity.ssn.slice(-4),
      });
      assert.equal(refused.status, 422);
      const background = await visitor.post(`${next.applicationUrl}/identity`, typed.identity);
      assert.equal(background.heading, 'Criminal history');
      assert.equal(
        (await walkTo(visitor, { ...next, applicationType }, 'receipt', own)).heading,
        'Application submitted',
      );
      const after = await renewals.service.createSession(request);
      assert.deepEqual(after.prefilled, { npn: false, ssn: true, backgroundQuestions: true });
    });
  }
});
