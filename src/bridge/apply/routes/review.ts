import { readPayment } from '../../domain/apply/payment.js';
import { fullName, readProfile } from '../../domain/apply/profile.js';
import type { Signature } from '../../domain/apply/signature.js';
import { firstIncompleteStep, submitApplication } from '../../domain/apply/submission.js';
import { readApplication } from '../../domain/sessions/read-application.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import { parseSignature } from '../forms/signature-form.js';
import { returnHref } from '../return-url.js';
import { goWhereItIsOpen, leave, showPage, showStep } from '../show.js';
import { receiptPage } from '../view/receipt-page.js';
import { reviewPage } from '../view/review-page.js';

/** The last step, which submits, and the receipt. */
export function addReviewRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context, processor } = room;

  app.get('/s/:token/review', enter(room, 'review'), async (c) => {
    const visit = c.get('visit');
    // A question was reworded meanwhile, or another SSN typed: what is not answered must not look as if it were.
    if (firstIncompleteStep(visit.session)) return goWhereItIsOpen(c);
    const payment = await readPayment(context, processor, visit.token, visit.session);
    return showStep(c, 'review', reviewPage(visit, payment));
  });

  app.post('/s/:token/review', enter(room, 'review'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const { value, errors } = parseSignature(form, visit.texts, fullName(readProfile(visit.session)));
    if (!value) {
      const payment = await readPayment(context, processor, visit.token, visit.session);
      const posted = { signedName: form.text('signedName'), attested: form.all('attest') };
      return showStep(c, 'review', reviewPage(visit, payment, posted, errors));
    }
    const result = await submitApplication(context, visit.token, { ...value, ...signedBy(c) });
    if (result?.status === 'incomplete') return c.redirect(visit.path(result.step), 303);
    // A second click finds the application submitted: it lands on the same receipt.
    return result ? c.redirect(visit.path('receipt'), 303) : goWhereItIsOpen(c);
  });

  app.get('/s/:token/receipt', enter(room, 'receipt'), async (c) => {
    const visit = c.get('visit');
    const row = visit.session.application;
    const application = await readApplication(context, { agencyId: row.agency_id, mode: row.mode }, row.id);
    if (!application) return c.notFound();
    const payment = await readPayment(context, processor, visit.token, visit.session);
    return showPage(c, receiptPage(visit, application, payment, returnHref(visit.session.link.returnUrl, 'submitted')));
  });
}

/** Longer than what any browser sends: the rest is somebody's joke. */
const maxUserAgentLength = 500;

/** What shows later where a signature came from. */
function signedBy(c: ApplyRequest): Pick<Signature, 'language' | 'address' | 'userAgent'> {
  const userAgent = (c.req.header('user-agent') ?? '').slice(0, maxUserAgentLength);
  return { language: c.get('visit').language, address: c.env.address, userAgent };
}
