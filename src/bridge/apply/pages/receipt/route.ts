import { findReceiptPayments } from '../../../domain/payments/payment.js';
import { readApplication } from '../../../domain/applications/read-application.js';
import type { ApplyApp, ApplyServices } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { returnHref, showPage } from '../../respond.js';
import { writeReceipt } from './pdf.js';
import { receiptPage } from './view.js';

/** The receipt: a page with the current statuses, and a PDF. */
export function addReceiptRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/receipt', requireStep(services, 'receipt'), async (c) => {
    const pageContext = c.get('pageContext');
    const row = pageContext.session.application;
    const application = await readApplication(context, row, row.id);
    if (!application) return c.notFound();
    const payments = await findReceiptPayments(context, pageContext.session);
    return showPage(
      c,
      receiptPage(pageContext, application, payments, returnHref(pageContext.session.link.returnUrl, 'submitted')),
    );
  });

  app.get('/s/:token/receipt.pdf', requireStep(services, 'receipt'), async (c) => {
    const pageContext = c.get('pageContext');
    const row = pageContext.session.application;
    const application = await readApplication(context, row, row.id);
    if (!application) return c.notFound();
    const bytes = await writeReceipt(
      pageContext,
      application.states,
      await findReceiptPayments(context, pageContext.session),
      context.clock(),
    );
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': 'application/pdf',
      // A neutral file name, because the list of downloads is visible to the next user of the
      // computer.
      'content-disposition': 'attachment; filename="receipt.pdf"',
    });
  });
}
