import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Session } from '../../../src/contract/index.js';
import { cleanUp } from '../../../src/bridge/domain/retention/retention.js';
import { decideState } from '../../../src/bridge/domain/filings/departments.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { yesTo } from '../apply/support/yes-answers.js';
import { readWholeDatabase } from '../http/support/producer-calls.js';
import { day, useRenewals } from '../http/support/renewals.js';
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

/**
 * A user who submits an application for two states without simulated decisions. A job captures the
 * fees.
 */
async function submit(): Promise<Session> {
  const session = await renewals.service.createSession();
  await walkTo(createVisitor(), session, 'receipt', own);
  await until(
    () => paymentsOf(session.applicationId),
    (payments) => payments.every(({ status }) => status === 'captured'),
  );
  return session;
}

function paymentsOf(applicationId?: string) {
  const payments = renewals.service.context.db.selectFrom('payment').selectAll().orderBy('id');
  return (applicationId === undefined ? payments : payments.where('applicationId', '=', applicationId)).execute();
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
async function encryptedOf({ applicationId }: Session): Promise<string[]> {
  const { rows } = await sql<{ encrypted: string | null }>`
    select encrypted from application_step where application_id = ${applicationId} and encrypted is not null
    union all select answer_encrypted from application_action where application_id = ${applicationId}
    union all select ssn_encrypted from applicant join application using (agency_id, mode, user_id)
      where application.id = ${applicationId}`.execute(renewals.service.context.db);
  return rows.flatMap(({ encrypted }) => encrypted ?? []);
}

/** Every row of every table, except for the texts and the catalogue, which all users see. */
async function wholeDatabase(): Promise<string> {
  const lines = await readWholeDatabase(renewals.service);
  return lines.filter((line) => !line.startsWith('public.catalogue ')).join('\n');
}

test("90 days after the last decision, the user's answers are in no row of any table, and the rest is unchanged.", async () => {
  const session = await submit();
  const actionUrl = await askAndAnswer(session);
  await decide(session, 'CA');
  await pass(10 * day);
  await decide(session, 'TX');
  const waiting = await submit();
  await decide(waiting, 'TX');
  const encrypted = await encryptedOf(session);
  assert.equal(encrypted.length, 6);
  const answer = await read(session);
  const payments = await paymentsOf();

  await pass(90 * day);
  const { first: begun } = await renewals.begin();
  await clean();
  const goesOn = await createVisitor().post(`${begun.applicationUrl}/identity`, typed.identity);
  assert.match(goesOn.url, /\/background/);
  const left = await wholeDatabase();
  for (const text of encrypted) assert.ok(!left.includes(text), text);
  assert.deepEqual(await read(session), answer);
  assert.deepEqual(await paymentsOf(), payments);
  const receipt = await createVisitor().get(session.applicationUrl);
  assert.equal(receipt.heading, 'Application denied');
  assert.doesNotMatch(receipt.html, /Signed by|undefined|Wilhelmina/);
  assert.match(receipt.html, /4242/);
  assert.equal((await createVisitor().get(actionUrl)).heading, 'Your answer was sent');
  // An application that waits for a department, even for one of two, is not erased.
  assert.notDeepEqual(await encryptedOf(waiting), []);

  await decide(waiting, 'CA');
  await pass(91 * day);
  await clean();
  const nothing = await wholeDatabase();
  for (const text of inPlain) assert.ok(!nothing.includes(text), text);
  assert.ok(!/v1\.[\w-]{8}\./.test(nothing), 'a text is still encrypted');
});
