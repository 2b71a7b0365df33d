import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Jurisdiction } from '../../../src/bridge/catalogue/content.js';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { readPackage } from '../../../src/bridge/domain/filings/package.js';
import { storeCatalogue } from '../../../src/bridge/domain/catalogue/catalogues.js';
import { eraseApplications } from '../../../src/bridge/store/retention/erasure-store.js';
import { pdfText } from '../../support/pdf-text.js';
import { copyOfRelease } from '../catalogue/release-copy.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor, typed, typedProfile } from './support/visitor.js';

type Fee = Jurisdiction['fees'][number];
const verified = { sample: false, confirmed: { by: 'A test', on: '2026-11-20' } };

describe('the fees on the pages', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  const visitor = createVisitor();
  const pdfOf = async (applicationUrl: string, language = 'en') => {
    const receipt = await fetch(`${applicationUrl}/receipt.pdf?lang=${language}`);
    return pdfText(Buffer.from(await receipt.arrayBuffer()));
  };
  /** Activates a release with other fees. */
  async function release(t: TestContext, version: string, change: (fee: Fee) => Fee) {
    const copy = copyOfRelease(t);
    copy.change('release', (release) => ({ ...release, version }));
    copy.change('jurisdictions', (all) =>
      all.map((each) => ({
        ...each,
        fees: each.fees.map(change),
        processingFee: { ...each.processingFee, ...verified },
      })),
    );
    const content = await loadCatalogue(copy.folder);
    equal(
      (await storeCatalogue({ db: service.context.db, clock: () => new Date() }, content, { source: 'test' })).isNew,
      true,
    );
  }

  /** The column beside the first form, and the text of the receipt. */
  async function walk(language: 'en' | 'es', paymentMethod: 'user_pays' | 'partner_billing') {
    const session = await service.createSession({ paymentMethod });
    const { html } = await visitor.get(`${session.applicationUrl}/profile?lang=${language}`);
    await placeAt(service, session, 'receipt');
    const column = /<aside class="overview"[\s\S]*<\/aside>/.exec(html)?.[0] ?? '';
    return { column, receipt: await pdfOf(session.applicationUrl, language) };
  }

  it('Unverified fees are marked as sample fees on every step and in the PDF receipt, for both payment methods.', async () => {
    for (const [language, paymentMethod, text] of [
      ['en', 'user_pays', /Sample fees: they were not verified/],
      ['en', 'partner_billing', /Sample fees: they were not verified/],
      ['es', 'user_pays', /Tarifas de ejemplo/],
    ] as const) {
      const { column, receipt } = await walk(language, paymentMethod);
      match(column, text);
      match(receipt, text);
    }
  });

  it('A fee that no page publishes is confirmed at filing: the pages, the receipt and the filing package say so, and the total leaves it out.', async () => {
    const session = await service.createSession({ states: ['TX', 'NY'] });
    const { applicationUrl, applicationId } = session;
    // With the least that New York asks its residents for: the home state is not known yet.
    equal(session.estimatedFees.total, 101.2);
    await placeAt(service, session, 'payment');
    const { html } = await visitor.get(`${applicationUrl}/payment`);
    match(html, /New York[\s\S]*Confirmed at filing[\s\S]*\$5\.60 or more[\s\S]*\$61\.20/);
    match(html, /The state fee for New York is confirmed when your application is filed/);
    match((await visitor.get(`${applicationUrl}/review`)).html, /The state fee for New York is confirmed/);
    match(
      (await visitor.get(`${applicationUrl}/review?lang=es`)).html,
      /La tarifa estatal para Nueva York se confirma/,
    );
    match((await visitor.post(`${applicationUrl}/payment`, typed.payment)).html, /\$61\.20/);
    match(await pdfOf(applicationUrl), /Confirmed at filing/);
    const { sections = [] } =
      (await readPackage(service.context, { applicationId, state: 'NY', actor: 'cli:tester' })) ?? {};
    const rows = sections.flatMap((section) => section.rows);
    const fee = rows.find(({ label }) => label === 'Fee of the department');
    match(String(fee?.value), /^\$0\.00 is known\. Confirm the rest with the department\.$/);
  });

  it('A fee that is not final says what it depends on in the language of the user, and the filing package says it too.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ states: ['IL', 'FL'] });
    await placeAt(service, { applicationUrl }, 'payment');
    const english = (await visitor.get(`${applicationUrl}/payment`)).html;
    match(english, /Florida[\s\S]*\$50\.00 or more[\s\S]*\$61\.20/);
    match(english, /The state fee for Illinois and Florida is confirmed[\s\S]*The total has only the amounts shown\./);
    match(english, /The state fee for Illinois depends on the time until the license ends\./);
    match(english, /The state fee for Florida depends on whether the state charges for the license card\./);
    const spanish = (await visitor.get(`${applicationUrl}/payment?lang=es`)).html;
    match(spanish, /La tarifa estatal para Illinois depende de esto: el tiempo hasta que venza la licencia\./);
    match((await visitor.post(`${applicationUrl}/payment`, typed.payment)).html, /Florida depends on whether/);
    const { sections = [] } =
      (await readPackage(service.context, { applicationId, state: 'IL', actor: 'cli:tester' })) ?? {};
    const fee = sections.flatMap(({ rows }) => rows).find(({ label }) => label === 'Fee of the department');
    match(
      String(fee?.value),
      /Confirm the rest with the department\. It depends on the time until the license ends\.$/,
    );
  });

  it('Where the lines of authority are unknown, none is offered: the pages and the filing package say that they are unknown.', async () => {
    const { applicationUrl, applicationId } = await service.createSession({ states: ['TX', 'AS', 'MP'] });
    await placeAt(service, { applicationUrl }, 'payment');
    const { html } = await visitor.get(`${applicationUrl}/payment`);
    match(html, /The lines of authority of American Samoa and Northern Mariana Islands are unknown\./);
    match(
      (await visitor.get(`${applicationUrl}/review?lang=es`)).html,
      /Se desconocen los ramos de autorización de Samoa Americana e Islas Marianas del Norte\./,
    );
    equal((await fetch(`${applicationUrl}/profile/lines/AS`)).url.endsWith('/lines/AS'), false);
    await visitor.post(`${applicationUrl}/payment`, typed.payment);
    const linesIn = async (state: 'AS' | 'TX') => {
      const { sections = [] } =
        (await readPackage(service.context, { applicationId, state, actor: 'cli:tester' })) ?? {};
      return sections[0]?.rows.find(({ label }) => label === 'Lines of authority')?.value;
    };
    match(String(await linesIn('AS')), /^Unknown\. Confirm them with the department\.$/);
    deepEqual(await linesIn('TX'), ['Life', 'Accident and health or sickness']);
  });

  it('The fees are the higher ones until the home state is known, then its own, and the receipt keeps them after the erasure.', async (t) => {
    const session = await service.createSession({ states: ['TX', 'PA'] });
    const { applicationUrl, applicationId } = session;
    // Texas 50.00, Pennsylvania 110.00 for nonresidents, and 5.60 for each state.
    equal(session.estimatedFees.total, 171.2);
    await placeAt(service, session, 'payment');
    const own = /Pennsylvania[\s\S]*\$110\.00[\s\S]*\$171\.20/;
    match((await visitor.get(`${applicationUrl}/payment`)).html, own);
    match((await visitor.get(`${applicationUrl}/review`)).html, /\$171\.20/);
    match((await visitor.post(`${applicationUrl}/payment`, typed.payment)).html, own);
    await release(t, '2026.11.901', (fee) => ({
      ...fee,
      ...(fee.stateFeeCents !== undefined && { stateFeeCents: fee.stateFeeCents + 100 }),
    }));
    await service.context.db.transaction().execute((trx) => eraseApplications(trx, [applicationId], new Date()));
    match((await visitor.get(`${applicationUrl}/receipt`)).html, own);
    match(await pdfOf(applicationUrl), /\$171\.20/);
  });

  it('The fees of a renewal are said to be those before the license expires, and others are not.', async () => {
    for (const [applicationType, isSaid] of [
      ['renewal', true],
      ['new', false],
    ] as const) {
      const { applicationUrl } = await service.createSession({ applicationType });
      const { html } = await visitor.get(applicationUrl);
      equal(html.includes('In most states a later renewal costs more'), isSaid);
    }
  });

  it('The fees follow a change of the home state.', async () => {
    const { applicationUrl } = await service.createSession({ states: ['PA'] });
    await placeAt(service, { applicationUrl }, 'payment');
    const fees = async () => /\$\d+\.\d\d/.exec((await visitor.get(`${applicationUrl}/profile/names`)).html)?.[0];
    const before = await fees();
    await visitor.post(`${applicationUrl}/profile/residency?change`, { ...typedProfile['residency'], homeState: 'PA' });
    ok(before && (await fees()) !== before);
  });

  it('Verified fees are not marked as sample fees.', async (t) => {
    await release(t, '2026.11.902', (fee) => ({ ...fee, ...verified }));
    const { column, receipt } = await walk('en', 'user_pays');
    match(receipt, /Receipt of your license application/);
    ok(!column.includes('Sample fees') && !receipt.includes('Sample fees'));
  });
});
