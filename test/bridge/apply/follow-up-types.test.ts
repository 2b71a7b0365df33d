import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, noToAll, walkTo, type Fields, type VisitedPage } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

/** A detail of the wrong type, and the error on the page. */
const wrong: readonly [what: string, question: string, field: string, en: RegExp, es: RegExp][] = [
  ['a year', 'overdue_money', 'date.year', /Date: enter a day that exists/, /Fecha: escriba un día que exista/],
  ['a month of a date', 'overdue_money', 'date.month', /Date: enter a day/, /Fecha: escriba un día que exista/],
  ['an amount of money', 'overdue_money', 'amount', /Amount: enter an amount/, /Importe: escriba una cantidad/],
  ['a choice', 'overdue_money', 'paid', /: choose one from the list/, /: elija una opción de la lista/],
  [
    'a state',
    'delinquent_taxes',
    'state',
    /State or territory: choose a state from/,
    /Estado o territorio: elija un estado de la lista/,
  ],
];

describe('a follow-up detail of the wrong type', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /**
   * Answers the pages before the question about money with no, and resolves with a function that
   * posts that page.
   */
  async function setup() {
    const { applicationUrl, applicationId } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl }, 'background');
    const pages = noToAll({ applicationUrl });
    const money = pages.findIndex(({ fields }) => 'overdue_money' in fields);
    for (const { path, fields } of pages.slice(0, money)) await visitor.post(`${applicationUrl}${path}`, fields);
    const url = `${applicationUrl}${pages[money]?.path ?? ''}`;
    const post = (fields: Fields, language: string) => visitor.post(`${url}?lang=${language}`, fields);
    const { fields = {} } = pages[money] ?? {};
    return {
      url,
      fields,
      saved: await service.answersOf(applicationId),
      answers: () => service.answersOf(applicationId),
      post,
    };
  }

  for (const [what, question, field, en, es] of wrong) {
    it(`A detail of the wrong type is refused at its question in both languages, and nothing else is lost: banana as ${what}.`, async () => {
      const { url, fields, saved, answers, post } = await setup();
      const other = question === 'overdue_money' ? 'delinquent_taxes' : 'overdue_money';
      const good = yesTo(question);
      const given = { ...fields, ...good, [`${question}.${field}`]: 'banana' };
      for (const [language, expected] of [
        ['en', en],
        ['es', es],
      ] as const) {
        const page = await post(given, language);
        equal(page.status, 422);
        match(errorAt(page, question), expected);
        ok(page.html.includes(`href="#${question}-yes"`), 'the summary leads to the question');
        equal(errorAt(page, other), '');
        ok(!page.html.includes('banana'), 'no answer is sent back');
      }
      const others = Object.keys(fields).filter((id) => id !== question);
      const no = Object.fromEntries(others.map((id) => [id, { answer: 'no', details: {} }]));
      deepEqual(await answers(), { ...saved, ...no });
      const next = await post(good, 'en');
      ok(next.status === 200 && !next.url.startsWith(url), next.url);
      equal((await answers())[question]?.answer, 'yes');
    });
  }

  it('A detail of the wrong type does not replace the earlier valid one.', async () => {
    const { fields, answers, post } = await setup();
    await post({ ...fields, ...yesTo('overdue_money', { amount: '1,250.50' }) }, 'en');
    const saved = await answers();
    equal(saved['overdue_money']?.details['amount'], '1250.50');
    const page = await post({ ...yesTo('overdue_money'), 'overdue_money.amount': 'banana' }, 'en');
    equal(page.status, 422);
    deepEqual(await answers(), saved);
  });
});

/** The message in the fieldset of a question; "" without one. */
function errorAt({ html }: VisitedPage, question: string): string {
  const fieldset = html.split('<fieldset').find((part) => part.includes(`id="${question}-yes"`)) ?? '';
  return /<p class="error"[^>]*>([\s\S]*?)<\/p>/.exec(fieldset)?.[1]?.replace(/<[^>]*>/g, '') ?? '';
}
