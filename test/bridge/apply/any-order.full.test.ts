import { equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { day, useRenewals } from '../http/support/renewals.js';
import { steadyJob } from '../../support/profile-forms.js';
import { lateProcessor } from '../../support/late-processor.js';
import { until } from '../until.js';
import {
  addDocuments,
  boxesOf,
  createVisitor,
  subjectsRequired,
  noToAll,
  typed,
  typedProfile,
  type Fields,
  type VisitedPage,
} from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

/*
 * Random actions of a user in any order, in two windows or with an expiring link: no page fails, no
 * progress is lost, nothing is paid twice, and secret input is shown nowhere. A failing run prints
 * its seed, which `FAST_CHECK_SEED` repeats; `FAST_CHECK_RUNS` sets the number of runs.
 */
const seed = Number(process.env['FAST_CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env['FAST_CHECK_RUNS'] ?? 12);

/** The paths of all pages of the tests' application, below the link. */
const profilePages = ['names', 'about', 'home', 'contact', 'business', 'mailing', 'citizenship', 'employment'];
profilePages.push('residency', 'authority', 'affiliation', 'exam/TX', 'fingerprints/TX');
const groups = noToAll({ applicationUrl: '' });
const paths = [
  ...profilePages.map((page) => `/profile/${page}`),
  ...groups.map(({ path }) => path),
  ...['/identity', '/disclosures', '/review', '/payment'],
];

/** Hostile texts: half characters, NUL, HTML and SQL syntax, and very long input. */
const awkward = fc.constantFrom(
  '\u0000',
  '\ud800',
  '\u202e',
  '__proto__',
  '<script>',
  "';--",
  '%00',
  'x'.repeat(3_000),
);
const salt = fc.nat({ max: 8_999 });
/** One action of a user or a browser, or an expiry, after which the partner requests the session again. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('goOn' as const), twice: fc.boolean(), salt }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('send' as const),
      path: fc.constantFrom(...paths),
      twice: fc.boolean(),
      salt,
      /** Replaces one field. `leave` is the button "Save and leave". */
      change: fc.option(fc.tuple(fc.oneof(fc.nat({ max: 5 }), fc.constant('leave')), awkward)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('look' as const),
      path: fc.constantFrom(
        '',
        '/start',
        '/profile',
        '/background',
        '/background/earlier',
        '/receipt',
        '/leave',
        ...paths,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('expire' as const) }) },
);

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** Valid input for a page, with the secrets of a salt. The two cards are accepted, one of them slowly. */
function formOf(path: string, salt: number, page: VisitedPage): Fields {
  if (path === '/identity') return { use: 'typed', ssn: ssnOf(salt) };
  if (path === '/disclosures') return { acknowledge: boxesOf(page) };
  if (path === '/review') return typed.review;
  if (path === '/payment') {
    return { ...typed.payment, cardNumber: salt % 2 === 0 ? '4242424242424242' : '4000000000000077' };
  }
  const { fields } = groups.find((group) => group.path === path) ?? {};
  if (fields) return salt % 2 === 0 ? fields : { ...fields, ...confessionIn(fields, salt) };
  return typedProfile[path.split('/')[2] ?? ''] ?? {};
}

/** A yes to the first question of a page. */
function confessionIn(fields: Fields, salt: number): Fields {
  return yesTo(Object.keys(fields)[0] ?? '', { explanation: storyOf(salt) });
}

/** Its end requests nothing from the simulated departments. */
const ssnOf = (salt: number) => `900-55-${1_000 + salt}`;
const storyOf = (salt: number) => `zanzibar story ${1_000 + salt}`;

const late = lateProcessor();
let users = 0;

describe('a hosted application used in any order', () => {
  const renewals = useRenewals({
    paymentProcessor: late.processor,
    // All users come from one address here, and a fast machine opens more pages a minute than the
    // limit by address allows.
    environment: { BRIDGE_PAGE_LIMIT: '1000000' },
  });

  it('A hosted application that is used in any order fails on no page, loses and reveals nothing, charges once, and can be finished.', async () => {
    const acts = fc.array(act, { minLength: 5, maxLength: 30 });
    await fc.assert(fc.asyncProperty(acts, useInOrder), { seed, numRuns: runs, interruptAfterTimeLimit: 120_000 });
  });

  async function useInOrder(order: Act[]): Promise<void> {
    late.bind(renewals.service);
    const { context } = renewals.service;
    const userId = `usr_order_${(users += 1)}`;
    const ask = () => renewals.service.createSession({ userId, webhookUrl: 'http://127.0.0.1:9/hooks' });
    const visitor = createVisitor();
    const secrets = new Set<string>();
    const applications = new Set<string>();
    const loggedBefore = renewals.service.logged.length;
    let session = await ask();
    let furthest = 0;

    const pathOf = ({ url }: VisitedPage) =>
      new URL(url).pathname.slice(new URL(session.applicationUrl).pathname.length);
    async function send(path: string, salt: number, twice: boolean, change: Fields = {}): Promise<void> {
      const url = `${session.applicationUrl}${path}`;
      const fields = { ...formOf(path, salt, await visitor.get(url)), ...change };
      for (const secret of [ssnOf(salt), ssnOf(salt).replaceAll('-', ''), storyOf(salt)]) secrets.add(secret);
      // Two clicks whose posts run concurrently.
      (await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => visitor.post(url, fields)))).forEach(
        assertAllowedPage,
      );
    }
    /** Completes the page to which the link leads. Resolves with its path. */
    async function goOn(salt: number, twice = false): Promise<string> {
      const page = await visitor.get(session.applicationUrl);
      const path = pathOf(page);
      assertAllowedPage(page);
      if (path === '' || path === '/start') await visitor.get(`${session.applicationUrl}/profile`);
      if (path === '') await send('/profile/names', salt, twice);
      else if (path === '/profile/employment') {
        await visitor.post(`${page.url}/new`, steadyJob);
        await send(path, salt, twice);
      } else if (path === '/background/earlier') await visitor.post(page.url, { reuse: 'no' });
      else if (path === '/background/documents') {
        const answers = await renewals.service.answersOf(session.applicationId);
        const given = Object.fromEntries(Object.entries(answers).map(([id, { answer }]) => [id, answer]));
        await addDocuments(session.applicationUrl, subjectsRequired(given));
        await visitor.post(page.url, { continue: '1' });
      } else if (path !== '/receipt') await send(path, salt, twice);
      return path;
    }
    async function expire(): Promise<void> {
      await renewals.pass(day);
      ok((await visitor.get(`${session.applicationUrl}/profile`)).status < 500);
      applications.add(session.applicationId);
      const next = await ask();
      if (next.applicationId !== session.applicationId) furthest = 0;
      session = next;
    }

    for (const action of order) {
      if (action.act === 'goOn') await goOn(action.salt, action.twice);
      if (action.act === 'look') assertAllowedPage(await visitor.get(`${session.applicationUrl}${action.path}`));
      if (action.act === 'expire') await expire();
      if (action.act === 'send') {
        const [at = '', text = ''] = action.change ?? [];
        const names = Object.keys(formOf(action.path, action.salt, { html: '' } as VisitedPage));
        const name = typeof at === 'number' ? (names[at % (names.length || 1)] ?? '__proto__') : at;
        await send(action.path, action.salt, action.twice, action.change === null ? {} : { [name]: text });
      }
      const { index } = (await renewals.read(session)).progress;
      ok(index >= furthest, `progress went back from ${furthest} to ${index}`);
      furthest = index;
    }
    // The signature is the name of the profile, which an action may have replaced.
    await send('/profile/names', 2, false);
    for (let hops = 0; (await goOn(2)) !== '/receipt'; hops += 1) ok(hops < 80, 'the application can be finished');

    for (const id of applications.add(session.applicationId)) {
      const rows = await context.db.selectFrom('payment').selectAll().where('applicationId', '=', id).execute();
      const withMoney = ['authorized', 'capturing', 'captured'];
      const accepted = rows.filter(({ status }) => withMoney.includes(status)).map((row) => row.id);
      equal(accepted.length, id === session.applicationId ? 1 : accepted.length);
      ok(accepted.length <= 1, 'an application was paid twice');
      // A job releases late payments a moment later.
      const held = () => late.held(rows.map((row) => row.id));
      equal((await until(held, ({ length }) => length === accepted.length))[0], accepted[0]);
    }
    const events = context.db
      .selectFrom('webhookEvent')
      .select('data')
      .where('streamId', 'in', [...applications]);
    const told = [await events.execute(), await renewals.read(session), renewals.service.logged.slice(loggedBefore)];
    for (const secret of secrets) {
      ok(!JSON.stringify(told).includes(secret), 'the partner or the log receives secret input');
      for (const { html, url } of visitor.seen)
        ok(!html.includes(secret), `${new URL(url).pathname.slice(46)} shows secret input`);
    }
  }
});

function assertAllowedPage({ status, url }: VisitedPage): void {
  // 303 leads back to the partner. 404 is a page of questions that does not apply.
  // 400: a text that cannot be stored.
  ok([200, 303, 400, 404, 422].includes(status), `${status} at ${new URL(url).pathname.slice(46)}`);
}
