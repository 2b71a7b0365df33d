import { copyIdentityCheck } from '../../../domain/applications/identity.js';
import { findLinked, findSession } from '../../../domain/applications/session.js';
import { openStep } from '../../../domain/applications/submission.js';
import { postedForm } from '../../form-guard.js';
import { type ApplyApp, type ApplyRequest, type ApplyServices, describeExpiry } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToOpenStep, leave, showPage } from '../../respond.js';
import { startPage } from './view.js';

/** The link itself, the page "What you'll need", and the way back to the partner. */
export function addStartRoutes(app: ApplyApp, services: ApplyServices): void {
  function showStart(c: ApplyRequest) {
    const pageContext = c.get('pageContext');
    const { mode, paymentMethod } = pageContext.session.application;
    return showPage(
      c,
      startPage(pageContext, paymentMethod !== 'user_pays' || services.context.processorFor(mode) !== undefined),
    );
  }

  app.get('/s/:token', requireStep(services, 'open'), (c) => {
    const pageContext = c.get('pageContext');
    const { application, saved } = pageContext.session;
    // Users who have started resume; new users first read what they will need.
    if (application.step === 'profile' && !saved.profile) return showStart(c);
    return c.redirect(pageContext.path(openStep(pageContext.session)), 303);
  });

  // "What you'll need" again, for Back from the first step.
  app.get('/s/:token/start', requireStep(services, 'profile'), showStart);

  app.get('/s/:token/leave', requireStep(services, 'open'), (c) => leave(c));
  app.post('/s/:token', requireStep(services, 'open'), (c) => redirectToOpenStep(c));
}

/**
 * The check whether an open page with input can continue with another link. The partner's page
 * sends the link; only the bridge knows whether it belongs to the same application.
 */
export function addRenewalRoutes(app: ApplyApp, { context }: ApplyServices): void {
  app.post('/s/:token/renewal', async (c) => {
    const form = await postedForm(c);
    const token = c.req.param('token');
    const from = form.text('from');
    const session = await findSession(context, token);
    // The previous link may have expired while the user was away; the input on its page still
    // exists.
    const before = await findLinked(context.db, from);
    if (session?.phase !== 'open' || before?.application.id !== session.application.id) return c.json(no);
    // The policy of the page, which no script can change, allows only one partner to frame it and
    // as its return target.
    if (originOf(before.link.returnUrl) !== originOf(session.link.returnUrl)) return c.json(no);
    if (from !== token) await copyIdentityCheck(context, from, token);
    return c.json(describeExpiry(context, session.link));
  });
}

/**
 * Not an error status: browsers would log it in the console of the partner's page, and this is not
 * an error.
 */
const no = null;

function originOf(url: string): string {
  return new URL(url).origin;
}
