import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Session } from '../../../src/contract/index.js';
import type { Answers } from '../../../src/bridge/catalogue/answers.js';
import { type ApplySession, findSession } from '../../../src/bridge/domain/applications/session.js';
import { readSecret } from '../../../src/bridge/domain/applications/step.js';
import { day, useRenewals } from '../http/support/renewals.js';
import { steadyJob } from '../../support/profile-forms.js';
import { lateProcessor } from '../../support/late-processor.js';
import { until } from '../until.js';
import {
  acts,
  cardOf,
  formOf,
  groups,
  securityCodeOf,
  ssnOf,
  steps,
  storyOf,
  topics,
  strangeCardOf,
  type Act,
  type Post,
} from './support/actions.js';
import { addDocuments, boxesOf, createVisitor, kindsRequired, typed, type VisitedPage } from './support/visitor.js';

/*
 * Random actions of a user in any order, in two windows or with an expiring link: no page fails,
 * saved data stays saved, nothing is paid twice, and secret input is shown nowhere. A failing run
 * prints its seed, which `FAST_CHECK_SEED` repeats; `FAST_CHECK_RUNS` sets the number of runs.
 */
const seed = Number(process.env['FAST_CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env['FAST_CHECK_RUNS'] ?? 12);
let users = 0;

const late = lateProcessor();

/** The saved data. */
interface Kept {
  city?: string;
  ssn?: string;
  answers: Record<string, string>;
}

describe('a hosted application used in any order', () => {
  const renewals = useRenewals({
    paymentProcessor: late.processor,
    // All users come from one address here, and a fast machine opens more pages a minute than the
    // limit by address allows.
    environment: { BRIDGE_PAGE_LIMIT: '1000000' },
  });
  const { pass, read } = renewals;

  it('A hosted application that is used in any order fails on no page, loses and reveals nothing, charges once, and can be finished.', async () => {
    await fc.assert(fc.asyncProperty(acts, useInOrder), { seed, numRuns: runs, interruptAfterTimeLimit: 120_000 });
  });

  async function useInOrder(order: Act[]): Promise<void> {
    late.bind(renewals.service);
    const user = await arrive();
    const loggedBefore = renewals.service.logged.length;
    for (const act of order) {
      await user.perform(act);
      await user.check();
    }
    await user.finish();
    await user.checkPayments();
    const told = renewals.service.logged.slice(loggedBefore).join('\n') + (await user.toldToPartner());
    for (const secret of user.secrets) ok(!told.includes(secret), 'the partner or the log receives secret input');
    for (const { html, url } of user.visitor.seen)
      for (const secret of user.secrets)
        ok(!html.includes(secret), `${new URL(url).pathname.slice(46)} shows secret input`);
    for (const { html } of user.visitor.seen)
      for (const code of user.codes) ok(!html.includes(`value="${code}"`), 'a page shows a security code');
  }

  function paymentsOf(applicationIds: string[]) {
    const { db } = renewals.service.context;
    return db.selectFrom('payment').selectAll().where('application_id', 'in', applicationIds).execute();
  }

  async function arrive() {
    const userId = `usr_order_${String((users += 1))}`;
    const ask = () => renewals.service.createSession({ userId, webhookUrl: 'http://127.0.0.1:9/hooks' });
    const visitor = createVisitor();
    const secrets = new Set<string>();
    /** Too short to be searched for outside the fields of a page. */
    const codes = new Set<string>();
    const applications = new Set<string>();
    let session = await ask();
    let kept: Kept = { answers: {} };
    let furthest = 0;
    /** Whether the SSN was typed in this session. Before that, no later page can be opened. */
    let isKnown = false;

    const at = (path: string) => `${session.applicationUrl}${path}`;
    const saved = async () => (await findSession(renewals.service.context, tokenOf(session))) as ApplySession;

    async function perform(act: Act): Promise<void> {
      if (act.act === 'send') return send(act);
      if (act.act === 'goOn') return goOn(act);
      if (act.act === 'expire') return expire(act.paying);
      const from = visitor.seen.at(act.act === 'back' ? -2 : -1)?.url ?? at('');
      judge(
        await visitor.get(
          act.act === 'look' ? at(act.path && `/${act.path}`) : from.startsWith(at('')) ? from : at(''),
        ),
      );
    }

    async function goOn({ twice, salt }: Pick<Post, 'twice' | 'salt'>): Promise<void> {
      const { application } = await saved();
      const reached = steps.find((each) => each === application.step) ?? 'profile';
      const step = isKnown || reached === 'profile' ? reached : 'identity';
      const go = (group: number, topic = 0) =>
        send({ step, group, topic, twice, salt, how: 'right', leaving: false, awkward: [] });
      if (step === 'profile') {
        for (const topic of topics.keys()) await go(0, topic);
        return;
      }
      if (step !== 'background') return go(0);
      for (let group = firstOpenGroup(); group !== -1; group = firstOpenGroup()) await go(group);
    }

    /** Whether the requested page is shown, and not an earlier incomplete one. */
    async function isPageReached(path: string): Promise<boolean> {
      return (await visitor.get(at(path))).url === at(path);
    }

    function firstOpenGroup(): number {
      return groups.findIndex(({ fields }) => Object.keys(fields).some((id) => !(id in kept.answers)));
    }

    async function send(sent: Post): Promise<void> {
      const { phase, application } = await saved();
      const isOpen = phase === 'open';
      const { path, fields } = formOf(sent, boxesOf(await visitor.get(at('/disclosures'))));
      codes.add(securityCodeOf(sent.salt));
      const cards = [cardOf(sent.salt), strangeCardOf(sent.salt)];
      for (const secret of [ssnOf(sent.salt), ssnOf(sent.salt + 1), storyOf(sent.salt), ...cards]) {
        secrets.add(secret);
        secrets.add(secret.replaceAll('-', ''));
      }
      // Opening the link starts the application: a post to a link that was never opened has no
      // effect.
      const before = application.step;
      const isReached = sent.step !== 'profile' || (await isPageReached(path));
      const posts = Array.from({ length: sent.twice ? 2 : 1 }, () => visitor.post(at(path), fields));
      (await Promise.all(posts)).forEach(judge);
      if (isOpen && isReached && sent.how === 'right') keep(sent, fields, before);
    }

    function keep({ step, group, salt }: Post, fields: Record<string, unknown>, before: string): void {
      const order = ['not_started', ...steps];
      if (order.indexOf(before) < order.indexOf(step)) return;
      if (step === 'profile' && 'city' in fields && 'street' in fields) kept.city = `Town ${String(salt)}`;
      if (!isKnown && order.indexOf(step) > order.indexOf('identity')) return;
      if (step === 'identity') {
        const ssn = ssnOf(salt).replaceAll('-', '');
        // With another link and another SSN the user may be another person, who answers everything
        // again.
        if (!isKnown && ssn !== kept.ssn) kept.answers = {};
        kept.ssn = ssn;
        isKnown = true;
      }
      const firstOpen = firstOpenGroup();
      if (step !== 'background' || (firstOpen !== -1 && group > firstOpen)) return;
      const ids = groups[group]?.ids ?? [];
      const others = Object.entries(kept.answers).filter(([id]) => !ids.includes(id));
      const given = ids.flatMap((id) => (id in fields ? [[id, String(fields[id])] as const] : []));
      kept.answers = Object.fromEntries<string>([...others, ...given]);
    }

    async function expire(paying: boolean): Promise<void> {
      const slow = { ...typed.payment, cardNumber: '4000000000000077' };
      // An earlier page may be incomplete again, such as the signature after another SSN. Then
      // nothing is charged.
      const isCharged = paying && isKnown && (await saved()).phase === 'open' && (await isPageReached('/payment'));
      const paid = paying ? visitor.post(at('/payment'), slow) : undefined;
      if (isCharged) await chargeBegins(session.applicationId);
      await pass(day);
      if (paid) judge(await paid);
      equal((await visitor.get(at('/profile'))).status < 500, true);
      const { phase } = await saved();
      const next = await ask();
      applications.add(session.applicationId);
      // Another application starts only if nothing was saved in this one, or it is submitted.
      if (next.applicationId !== session.applicationId) {
        ok(kept.city === undefined || phase === 'submitted', 'the partner asked again and got another application');
        kept = { answers: {} };
        furthest = 0;
      }
      session = next;
      isKnown = false;
    }

    async function check(): Promise<void> {
      const { index } = (await read(session)).progress;
      ok(index >= furthest, `progress went back from ${String(furthest)} to ${String(index)}`);
      furthest = index;
      const now = await saved();
      if (now.phase === 'submitted') return;
      const city = now.profile.pages['home']?.['city'];
      if (kept.city !== undefined) equal(city, kept.city);
      if (kept.ssn !== undefined)
        equal(readSecret(renewals.service.context, now, 'identity')?.replaceAll(/\D/g, '').includes(kept.ssn), true);
      const answers = JSON.parse(readSecret(renewals.service.context, now, 'background') ?? '{}') as Answers;
      deepEqual(Object.fromEntries(Object.entries(answers).map(([id, { answer }]) => [id, answer])), kept.answers);
    }

    /** The link leads to the incomplete pages. */
    async function finish(): Promise<void> {
      const honest: Post = {
        step: 'profile',
        how: 'right',
        group: 0,
        topic: 0,
        twice: false,
        leaving: false,
        salt: 2,
        awkward: [],
      };
      let page = await visitor.get(at(''));
      for (let hops = 0; hops < 80 && !page.url.endsWith('/receipt'); hops += 1) {
        const path = new URL(page.url).pathname.slice(new URL(at('')).pathname.length);
        const group = groups.findIndex((each) => each.path === path);
        const step = (path.split('/')[1] ?? '') as Post['step'] | '';
        if (step === '') page = await visitor.get(at('/profile'));
        else if (path === '/profile/employment') {
          await visitor.post(`${page.url}/new`, steadyJob);
          page = await visitor.post(page.url, {});
        } else if (path === '/background/earlier') page = await visitor.post(page.url, { reuse: 'no' });
        else if (path === '/background/documents') {
          await addDocuments(at(''), kindsRequired(kept.answers));
          page = await visitor.post(page.url, { continue: '1' });
        } else {
          const topic = Math.max(
            0,
            topics.findIndex((each) => each.path === path),
          );
          const { fields } = formOf({ ...honest, step, group: Math.max(group, 0), topic }, boxesOf(page));
          page = await visitor.post(page.url, step === 'review' ? typed.review : fields);
        }
        judge(page);
      }
      equal(page.heading, 'Application submitted');
    }

    /** Until a payment is recorded. */
    async function chargeBegins(applicationId: string): Promise<void> {
      await until(
        () => paymentsOf([applicationId]),
        (rows) => rows.some(({ status }) => status !== 'declined'),
      );
    }

    async function checkPayments(): Promise<void> {
      for (const id of applications.add(session.applicationId)) {
        const rows = await paymentsOf([id]);
        const accepted = rows.filter(({ status }) => status === 'accepted').map((row) => row.id);
        const paymentIds = rows.map((row) => row.id);
        // A job releases late payments a moment later.
        deepEqual(
          await until(
            () => late.held(paymentIds),
            (held) => held.length === accepted.length,
          ),
          accepted,
        );
        ok(accepted.length <= 1, 'an application was paid twice');
        ok(rows.every(({ status }) => status !== 'pending'));
        for (const secret of secrets) ok(!JSON.stringify(rows).includes(secret), 'a card is kept');
      }
      equal((await paymentsOf([session.applicationId])).filter(({ status }) => status === 'accepted').length, 1);
    }

    async function toldToPartner(): Promise<string> {
      const ids = [...applications.add(session.applicationId)];
      const events = await renewals.service.context.db
        .selectFrom('webhook_event')
        .select('data')
        .where('application_id', 'in', ids)
        .execute();
      return JSON.stringify([events, await read(session)]);
    }

    return { visitor, secrets, codes, perform, check, checkPayments, finish, toldToPartner };
  }
});

function judge({ status, url }: VisitedPage): void {
  // 303 leads back to the partner. 404 is a page of questions that does not apply.
  ok([200, 303, 404, 422].includes(status), `${String(status)} at ${new URL(url).pathname.slice(46)}`);
}

function tokenOf({ applicationUrl }: Session): string {
  return applicationUrl.split('/').at(-1) ?? '';
}
