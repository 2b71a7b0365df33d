import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { storeCatalogue } from '../../../src/bridge/domain/catalogues.js';
import { pdfText } from '../../support/pdf-text.js';
import { copyOfRelease } from '../catalogue/release-copy.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, walkTo } from './support/visitor.js';

describe('unverified fees', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  /**
   * Walks through an application. Resolves with the column beside its first form, and the text of
   * its receipt.
   */
  async function walk(language: 'en' | 'es', paymentMethod: 'user_pays' | 'partner_billing') {
    const session = await service.createSession({ paymentMethod });
    const { html } = await createVisitor().get(`${session.applicationUrl}/profile?lang=${language}`);
    const column = /<aside class="overview"[\s\S]*<\/aside>/.exec(html)?.[0] ?? '';
    await walkTo(createVisitor(), session, 'receipt');
    const receipt = await fetch(`${session.applicationUrl}/receipt.pdf?lang=${language}`);
    return { column, receipt: pdfText(Buffer.from(await receipt.arrayBuffer())) };
  }

  it('Unverified fees are marked as sample fees on every step and in the PDF receipt, for both payment methods.', async () => {
    for (const paymentMethod of ['user_pays', 'partner_billing'] as const) {
      const english = await walk('en', paymentMethod);
      match(english.column, /Sample fees: they were not verified with the states/);
      match(english.receipt, /Sample fees: they were not verified/);
    }
    const spanish = await walk('es', 'user_pays');
    match(spanish.column, /Tarifas de ejemplo/);
    match(spanish.receipt, /Tarifas de ejemplo/);
  });

  it('Verified fees are not marked as sample fees.', async (t) => {
    const copy = copyOfRelease(t);
    copy.change('release', (release) => ({ ...release, version: '2026.11.900' }));
    copy.change('jurisdictions', (all) =>
      all.map((each) => ({ ...each, fees: each.fees.map((fee) => ({ ...fee, source: 'A test', sample: false })) })),
    );
    const content = await loadCatalogue(copy.folder);
    equal((await storeCatalogue(service.context.db, content, { source: 'test', now: new Date() })).isNew, true);
    const { column, receipt } = await walk('en', 'user_pays');
    match(receipt, /Receipt of your license application/);
    ok(!column.includes('Sample fees') && !receipt.includes('Sample fees'));
  });
});
