import { showOwnAnswers } from '../../../domain/applications/own-answers.js';
import { fullName } from '../../../domain/applications/profile/profile.js';
import type { Signature } from '../../../domain/applications/signature.js';
import { firstIncompleteStep, signApplication } from '../../../domain/applications/submission.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { parseSignature } from './form.js';
import { reviewPage } from './view.js';

/** The step in which the user reads everything once more and signs. */
export function addReviewRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/review', requireStep(room, 'review'), (c) => {
    const pageContext = c.get('pageContext');
    // A question was reworded meanwhile, or another SSN typed: what is not answered must not look as if it were.
    if (firstIncompleteStep(pageContext.session, 'review')) return redirectToOpenStep(c);
    return showStep(c, 'review', reviewPage(pageContext));
  });

  // The answers are in the answer to this post and nowhere else: the address of the page, which the partner has too, never shows them.
  app.post('/s/:token/review/answers', requireStep(room, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    if (firstIncompleteStep(pageContext.session, 'review')) return redirectToOpenStep(c);
    const { errors: words } = pageContext.texts;
    const lastFour = form.text('ssnLastFour');
    const isForm = /^\d{4}$/.test(lastFour);
    const shown = isForm ? await showOwnAnswers(context, pageContext.token, lastFour) : ({ status: 'wrong' } as const);
    if (!shown) return redirectToOpenStep(c);
    if (shown.status === 'shown') return showStep(c, 'review', reviewPage(pageContext, { answers: shown.answers }));
    const message = !isForm ? words.ssnLastFour : shown.status === 'ended' ? words.answersEnded : words.answersWrong;
    return showStep(c, 'review', reviewPage(pageContext, { errors: [{ field: 'ssnLastFour', message }] }));
  });

  app.post('/s/:token/review', requireStep(room, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    // Before the signature is judged: where the profile is what is missing, there is no name to compare it with.
    if (firstIncompleteStep(pageContext.session, 'review')) return redirectToOpenStep(c);
    const { value, errors } = parseSignature(form, pageContext, fullName(pageContext.session));
    if (!value) {
      const posted = { signedName: form.text('signedName'), attested: form.all('attest') };
      return showStep(c, 'review', reviewPage(pageContext, { posted, errors }));
    }
    const result = await signApplication(context, pageContext.token, { ...value, ...signedBy(c) });
    if (result?.status === 'incomplete') return c.redirect(pageContext.path(result.step), 303);
    // A second click finds the application signed or submitted: it lands where the first one did.
    return result?.status === 'signed' ? c.redirect(pageContext.path('payment'), 303) : redirectToOpenStep(c);
  });
}

/** Longer than what any browser sends: the rest is somebody's joke. */
const maxUserAgentLength = 500;

/** What shows later where a signature came from. */
function signedBy(c: ApplyRequest): Pick<Signature, 'language' | 'address' | 'userAgent'> {
  const userAgent = (c.req.header('user-agent') ?? '').slice(0, maxUserAgentLength);
  return { language: c.get('pageContext').language, address: c.env.address, userAgent };
}
