import { findSsnOffer, reuseSsn, saveTypedSsn } from '../../../domain/applications/identity.js';
import { findSession } from '../../../domain/applications/session.js';
import type { FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToNextStep, redirectToOpenStep, leave, showStep } from '../../respond.js';
import { parseIdentity } from './form.js';
import { identityPage } from './view.js';

/** Step 2: the SSN, or the last four digits of the stored one. */
export function addIdentityRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/identity', requireStep(services, 'identity'), async (c) => {
    const pageContext = c.get('pageContext');
    return showStep(c, 'identity', identityPage(pageContext, await findSsnOffer(context, pageContext.session)));
  });

  app.post('/s/:token/identity', requireStep(services, 'identity'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    const offer = await findSsnOffer(context, pageContext.session);
    const { value, errors } = parseIdentity(form, pageContext.texts, pageContext.session.application.mode, offer);
    // A partial SSN is not saved: the user types it again next time.
    if (!value) return form.isLeaving ? leave(c) : showStep(c, 'identity', identityPage(pageContext, offer, errors));
    if (value.use === 'typed') {
      const isSaved = await saveTypedSsn(context, pageContext.token, value.ssn);
      if (form.isLeaving) return leave(c);
      return isSaved ? redirectToNextStep(c, 'identity') : redirectToOpenStep(c);
    }
    if (offer?.maskedAddress !== undefined) await context.limiter.take('codeRequests', c.env.address);
    const result = await reuseSsn(context, pageContext.token, value.lastFour, pageContext.language);
    if (result === 'wrong' || result === 'ended' || result === 'no_code') return showWrongDigits(c, result);
    if (form.isLeaving) return leave(c);
    if (result === 'code') return c.redirect(pageContext.path('identity/code'), 303);
    // With a new link the user continues at the last step, which may be much later.
    return offer?.needsDigits && !pageContext.isChange ? redirectToOpenStep(c) : redirectToNextStep(c, 'identity');
  });

  async function showWrongDigits(c: ApplyRequest, result: 'wrong' | 'ended' | 'no_code') {
    const pageContext = c.get('pageContext');
    const { errors: words } = pageContext.texts;
    const ended = pageContext.sendsMail ? words.ssnProofEnded : words.ssnReuseEnded;
    const error: FieldError =
      result === 'wrong'
        ? { field: 'ssnLastFour', message: words.ssnLastFourWrong }
        : { field: 'ssn', message: result === 'ended' ? ended : words.ssnNoCode };
    const session = (await findSession(context, pageContext.token)) ?? pageContext.session;
    return showStep(
      c,
      'identity',
      identityPage({ ...pageContext, session }, await findSsnOffer(context, session), [error]),
    );
  }
}
