import type { ApplicationState } from '../../../../contract/index.js';
import { receiptNumberOf } from '../../../domain/applications/receipt-number.js';
import type { ReceiptPayments } from '../../../domain/payments/payment.js';
import { feesOfSession } from '../../../domain/payments/session-fees.js';
import { createPdf } from '../../../pdf/pdf-writer.js';
import { stateName } from '../../../catalogue/state-names.js';
import { dollars, longTime } from '../../page-context.js';
import { feeCells, feeNotes } from '../payments/fee-texts.js';
import { furtherFeeText, licenseText, paidText, type ReceiptContext, statusName, summaryOf } from './view.js';

/**
 * Writes the receipt as a PDF: the submission, the signature and the payment. The statuses change, so
 * they are in it only after every state has decided.
 */
export function writeReceipt(
  pageContext: ReceiptContext,
  states: readonly ApplicationState[],
  { payment, furtherFees }: ReceiptPayments,
  now: Date,
): Promise<Buffer> {
  const { texts, language, session, agencyName } = pageContext;
  const { receipt: words, payment: fees } = texts;
  const { application } = session;
  const number = receiptNumberOf(application.id);
  const { signedName, digest } = session.saved.review?.data ?? {};
  const { outcome, title, lead, nextTitle, next } = summaryOf(pageContext, states);
  const pdf = createPdf({
    title: `${words.pdfTitle} ${number}`,
    language,
    createdAt: now,
    footer: `${texts.layout.application} · ${number}`,
  });
  const money = (cents: number) => dollars(cents, language);
  pdf.heading(words.pdfTitle);
  if (pageContext.isTest) pdf.paragraph(texts.layout.testMode);
  if (outcome !== 'open') pdf.heading(title, 2);
  pdf.paragraph(lead);
  pdf.rows([
    { label: words.number, value: number },
    { label: words.submittedAt, value: longTime(application.submittedAt ?? now, language) },
    ...(typeof signedName === 'string' ? [{ label: words.signedBy, value: signedName }] : []),
    ...(typeof digest === 'string' ? [{ label: words.digest, value: digest }] : []),
    ...(payment
      ? [
          { label: words.paid, value: paidText(pageContext, payment) },
          { label: words.paidAt, value: longTime(payment.authorizedAt, language) },
          { label: words.reference, value: payment.reference ?? '' },
          ...(payment.refundedCents > 0 ? [{ label: words.refunded, value: money(payment.refundedCents) }] : []),
        ]
      : [{ label: words.fees, value: texts.review.billed(agencyName) }]),
    ...furtherFees.map((fee) => ({
      label: words.furtherFee(stateName(fee.state, language)),
      value: furtherFeeText(pageContext, fee),
    })),
    { label: words.fullNumber, value: application.id },
  ]);
  const { lines, totalCents } = feesOfSession(session);
  pdf.heading(fees.fees, 2);
  pdf.table({
    columns: [fees.state, fees.stateFee, fees.processingFee, fees.sum],
    rows: lines.map((line) => [stateName(line.state, language), ...feeCells(pageContext, line)]),
    total: [fees.total, '', '', money(totalCents)],
  });
  for (const note of feeNotes(pageContext)) pdf.paragraph(note);
  if (outcome !== 'open') {
    pdf.heading(words.states, 2);
    pdf.rows(
      states.map((row) => ({
        label: stateName(row.state, language),
        value: [statusName(row, language), licenseText(pageContext, row)].filter(Boolean).join(' · '),
      })),
    );
  }
  pdf.heading(nextTitle, 2);
  pdf.list(next);
  return pdf.end();
}
