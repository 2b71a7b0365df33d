import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { until } from '../until.js';
import { operatorPassword, placeOperator, placeSession } from './operator-rows.js';
import {
  createOperatorVisitor,
  placeSubmitted,
  startConsole,
  type ConsoleService,
  type OperatorVisitor,
} from './support.js';

const start = new Date('2026-11-25T12:00:00Z');
let now = start;
const pass = (ms: number) => (now = new Date(now.getTime() + ms));
const freshMs = 5 * 60_000;

let service: ConsoleService;
before(async () => {
  service = await startConsole({ clock: () => now, environment: { CONSOLE_TRUSTED_PROXIES: '1' } });
});
after(() => service.stop());

let count = 0;
/** An operator who has just signed in, in a browser with a separate address. */
async function setup({ hasTotp }: { hasTotp: boolean }) {
  now = start;
  const name = `Operator ${(count += 1)}`;
  const { id, secret } = await placeOperator(service.context, name, { hasTotp });
  const visitor = createOperatorVisitor(service.consoleUrl);
  visitor.headers = { 'x-forwarded-for': `203.0.113.${count}` };
  visitor.cookies.set('console', await placeSession(service.context, id));
  await visitor.get('/');
  const codeNow = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
  return {
    visitor,
    name,
    /** The right proof. */
    proof: () => (hasTotp ? codeNow() : operatorPassword),
    async results() {
      const entries = await readAudit(service.context, { scope: 'all', subject: `operator:${id}`, limit: 100 });
      return entries
        .toReversed()
        .flatMap(({ action, result }) => (action === 'operator.reauthenticated' ? [result] : []));
    },
  };
}

const reason = 'The department asked for it';

/** The grave acts: where their form is, where it is posted, its fields, and what the answer shows. */
const acts = {
  async reveal() {
    const id = await placeSubmitted(service, '900-44-0004');
    return { form: `/applications/${id}/reveal`, fields: { reason }, done: /900-44-0004/ };
  },
  async refund() {
    const id = await placeSubmitted(service);
    const { db } = service.context;
    await db.updateTable('payment').set({ status: 'captured' }).where('applicationId', '=', id).execute();
    const { id: paymentId } = await db
      .selectFrom('payment')
      .select('id')
      .where('applicationId', '=', id)
      .executeTakeFirstOrThrow();
    const form = `/applications/${id}/refund`;
    return {
      form,
      fields: { reason, amount: '1.00' },
      done: /The refund was saved/,
      // The answer of the processor changes the page.
      settled: () =>
        until(
          () => db.selectFrom('paymentRefund').selectAll().where('paymentId', '=', paymentId).execute(),
          (refunds) => refunds.every(({ refundedAt, problem }) => refundedAt !== null || problem !== null),
        ),
    };
  },
  async package() {
    const id = await placeFiling();
    const form = `/filings/${id}/TX/package`;
    return { form, to: `${form}.pdf`, fields: { reason }, done: /^%PDF/ };
  },
};

async function placeFiling(): Promise<string> {
  const session = await service.createSession({ states: ['TX'], paymentMethod: 'partner_billing' }, { mode: 'live' });
  await placeAt(service, session, 'receipt', { ssn: '219-46-0004' });
  return session.applicationId;
}

type Act = Awaited<ReturnType<(typeof acts)[keyof typeof acts]>> & { to?: string; settled?: () => Promise<unknown> };

/** Opens the form of an act and posts it. */
async function perform(visitor: OperatorVisitor, { form, to = form, fields, done, settled }: Act, proof?: string) {
  await settled?.();
  const { html } = await visitor.get(form);
  const refund = /name="refund" value="([^"]+)"/.exec(html)?.[1];
  const sent = { ...fields, ...(refund && { refund }), ...(proof !== undefined && { proof }) };
  const answer = await visitor.post(to, sent);
  return {
    isAsked: html.includes('name="proof"'),
    status: answer.status,
    isDone: done.test(answer.html),
    html: answer.html,
  };
}

for (const [name, prepare] of Object.entries(acts)) {
  for (const hasTotp of [true, false]) {
    const kind = hasTotp ? 'code' : 'password';
    test(`The act ${name} asks for a fresh ${kind}, unless one was given in this session in the last five minutes.`, async () => {
      const { visitor, proof, results } = await setup({ hasTotp });
      const act = await prepare();
      pass(freshMs - 1);
      const early = await perform(visitor, act);
      assert.deepEqual([early.isAsked, early.status, early.isDone], [false, 200, true]);
      pass(1);
      for (const wrong of [undefined, '', '000000', 'x'.repeat(500)]) {
        const refused = await perform(visitor, act, wrong);
        assert.deepEqual([refused.isAsked, refused.status, refused.isDone], [true, 422, false], wrong);
        assert.ok(refused.html.includes(reason), 'the reason stays');
        assert.doesNotMatch(refused.html, /900-?44-?0004|000000/);
      }
      const proven = await perform(visitor, act, proof());
      assert.deepEqual([proven.isAsked, proven.status, proven.isDone], [true, 200, true]);
      pass(freshMs - 1);
      assert.equal((await perform(visitor, act)).isDone, true);
      pass(1);
      assert.equal((await perform(visitor, act)).status, 422);
      assert.deepEqual(await results(), ['refused', 'done']);
    });
  }
}

test('The package of a filing that the operator has claimed, and everything else, needs no fresh code.', async () => {
  const { visitor } = await setup({ hasTotp: true });
  const id = await placeFiling();
  pass(freshMs);
  await visitor.post(`/filings/${id}/TX/claim`);
  assert.match((await visitor.post(`/filings/${id}/TX/package.pdf`)).html, /^%PDF/);
});

test('A code works once, also for one act and the sign-in.', async () => {
  const { visitor, name, proof } = await setup({ hasTotp: true });
  const act = await acts.reveal();
  pass(freshMs);
  const code = proof();
  assert.equal((await perform(visitor, act, code)).isDone, true);
  const other = createOperatorVisitor(service.consoleUrl);
  other.headers = { 'x-forwarded-for': '198.51.100.1' };
  assert.equal((await other.signIn(name, operatorPassword, code)).status, 422);
});

test('Five wrong codes of an operator refuse every further one for an hour, also at the sign-in.', async () => {
  const { visitor, name, proof, results } = await setup({ hasTotp: true });
  const act = await acts.reveal();
  pass(freshMs);
  for (let tried = 0; tried < 5; tried += 1) assert.equal((await perform(visitor, act, '000000')).status, 422);
  visitor.headers = { 'x-forwarded-for': '198.51.100.2' };
  const stopped = await perform(visitor, act, proof());
  assert.deepEqual([stopped.status, stopped.isDone], [429, false]);
  assert.match(stopped.html, /Try again in 60 minutes\./);
  assert.deepEqual(
    await results(),
    Array.from({ length: 5 }, () => 'refused'),
  );
  const other = createOperatorVisitor(service.consoleUrl);
  other.headers = { 'x-forwarded-for': '198.51.100.3' };
  assert.equal((await other.signIn(name, operatorPassword, proof())).status, 422);
});

test('Five wrong passwords in a session refuse every further one for an hour.', async () => {
  const { visitor, proof } = await setup({ hasTotp: false });
  const act = await acts.reveal();
  pass(freshMs);
  for (let tried = 0; tried < 5; tried += 1) assert.equal((await perform(visitor, act, 'a guess')).status, 422);
  visitor.headers = { 'x-forwarded-for': '198.51.100.4' };
  assert.equal((await perform(visitor, act, proof())).status, 429);
});
