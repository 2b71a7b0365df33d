import { showOwnAnswers } from '../../../domain/applications/own-answers.js';
import { fullName } from '../../../domain/applications/profile/profile.js';
import type { Signature } from '../../../domain/applications/signature.js';
import { firstIncompleteStep, signApplication } from '../../../domain/applications/submission.js';
import { readReviewed, reviewForm } from '../../../domain/applications/committing-forms.js';
import { commitShown, shownToken } from '../../../domain/shown/shown.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyServices, PageContext } from '../../page-context.js';
import { refreshPage, requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { parseSignature } from './form.js';
import { reviewPage } from './view.js';

/** The step in which the user reviews and signs the application. */
export function addReviewRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;
  const tokenOf = async ({ session, language }: PageContext) =>
    shownToken(context, reviewForm, await readReviewed(context.db, session, language));

  app.get('/s/:token/review', requireStep(services, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    // After a reworded question or another SSN, unanswered questions must not look answered.
    if (firstIncompleteStep(pageContext.session, 'review')) return redirectToOpenStep(c);
    return showStep(c, 'review', reviewPage(pageContext, { shown: await tokenOf(pageContext) }));
  });

  // A reload of the answers, and the question of the script whether the server is reached.
  app.get('/s/:token/review/answers', requireStep(services, 'review'), (c) =>
    c.redirect(c.get('pageContext').path('review'), 303),
  );

  // Only the response to this post contains the answers: a GET of the page, which the partner can
  // open too, never shows them.
  app.post('/s/:token/review/answers', requireStep(services, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    if (firstIncompleteStep(pageContext.session, 'review')) return redirectToOpenStep(c);
    const { errors: words } = pageContext.texts;
    const lastFour = form.text('ssnLastFour');
    const isForm = /^\d{4}$/.test(lastFour);
    const shown = isForm ? await showOwnAnswers(context, pageContext.token, lastFour) : ({ status: 'wrong' } as const);
    if (!shown) return redirectToOpenStep(c);
    const token = await tokenOf(pageContext);
    if (shown.status === 'shown') {
      return showStep(c, 'review', reviewPage(pageContext, { shown: token, answers: shown.answers }));
    }
    const message = !isForm ? words.ssnLastFour : shown.status === 'ended' ? words.answersEnded : words.answersWrong;
    const errors = [{ field: 'ssnLastFour', message }];
    return showStep(c, 'review', reviewPage(pageContext, { shown: token, errors }));
  });

  app.post('/s/:token/review', requireStep(services, 'review'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    // Before the signature is checked: with an incomplete profile there is no name to compare it
    // with.
    if (firstIncompleteStep(pageContext.session, 'review')) return redirectToOpenStep(c);
    const { value, errors } = parseSignature(form, pageContext, fullName(pageContext.session));
    const posted = { signedName: form.text('signedName'), attested: form.all('attest') };
    // Still the token of the page that the user has read, until a message says what has changed.
    if (!value) return showStep(c, 'review', reviewPage(pageContext, { shown: form.shown, posted, errors }));
    return commitShown(
      async () => {
        const signature = { ...value, ...signedBy(c), shown: form.shown };
        const result = await signApplication(context, pageContext.token, signature);
        if (result?.status === 'incomplete') return c.redirect(pageContext.path(result.step), 303);
        // After a second click the application is signed or submitted: it leads to the same page as
        // the first.
        return result?.status === 'signed' ? c.redirect(pageContext.path('payment'), 303) : redirectToOpenStep(c);
      },
      async () => {
        const current = await refreshPage(services, c);
        if (!current || firstIncompleteStep(current.session, 'review')) return redirectToOpenStep(c);
        const changed = [{ field: 'main', message: current.texts.errors.changedReview }];
        return showStep(c, 'review', reviewPage(current, { shown: await tokenOf(current), posted, errors: changed }));
      },
    );
  });
}

/** Longer than the user agent of any browser. */
const maxUserAgentLength = 500;

/** The origin of a signature. */
function signedBy(c: ApplyRequest): Pick<Signature, 'language' | 'address' | 'userAgent'> {
  const userAgent = (c.req.header('user-agent') ?? '').slice(0, maxUserAgentLength);
  return { language: c.get('pageContext').language, address: c.env.address, userAgent };
}
