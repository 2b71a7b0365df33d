import { fullName } from '../../../domain/applications/profile/profile.js';
import type { Signature } from '../../../domain/applications/signature.js';
import { firstIncompleteStep, submitApplication } from '../../../domain/applications/submission.js';
import { readPayment } from '../../../domain/payments/payment.js';
import { readApplication } from '../../../domain/sessions/read-application.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToOpenStep, leave, returnHref, showPage, showStep } from '../../respond.js';
import { receiptPage } from '../receipt/view.js';
import { parseSignature } from './form.js';
import { reviewPage } from './view.js';

/** The last step, which submits, and the receipt. */
export function addReviewRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context, processor } = room;

  app.get('/s/:token/review', requireStep(room, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    // A question was reworded meanwhile, or another SSN typed: what is not answered must not look as if it were.
    if (firstIncompleteStep(pageContext.session)) return redirectToOpenStep(c);
    const payment = await readPayment(context, processor, pageContext.token, pageContext.session);
    return showStep(c, 'review', reviewPage(pageContext, payment));
  });

  app.post('/s/:token/review', requireStep(room, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const { value, errors } = parseSignature(form, pageContext.texts, fullName(pageContext.session));
    if (!value) {
      const payment = await readPayment(context, processor, pageContext.token, pageContext.session);
      const posted = { signedName: form.text('signedName'), attested: form.all('attest') };
      return showStep(c, 'review', reviewPage(pageContext, payment, posted, errors));
    }
    const result = await submitApplication(context, pageContext.token, { ...value, ...signedBy(c) });
    if (result?.status === 'incomplete') return c.redirect(pageContext.path(result.step), 303);
    // A second click finds the application submitted: it lands on the same receipt.
    return result ? c.redirect(pageContext.path('receipt'), 303) : redirectToOpenStep(c);
  });

  app.get('/s/:token/receipt', requireStep(room, 'receipt'), async (c) => {
    const pageContext = c.get('pageContext');
    const row = pageContext.session.application;
    const application = await readApplication(context, { agencyId: row.agency_id, mode: row.mode }, row.id);
    if (!application) return c.notFound();
    const payment = await readPayment(context, processor, pageContext.token, pageContext.session);
    return showPage(
      c,
      receiptPage(pageContext, application, payment, returnHref(pageContext.session.link.returnUrl, 'submitted')),
    );
  });
}

/** Longer than what any browser sends: the rest is somebody's joke. */
const maxUserAgentLength = 500;

/** What shows later where a signature came from. */
function signedBy(c: ApplyRequest): Pick<Signature, 'language' | 'address' | 'userAgent'> {
  const userAgent = (c.req.header('user-agent') ?? '').slice(0, maxUserAgentLength);
  return { language: c.get('pageContext').language, address: c.env.address, userAgent };
}
