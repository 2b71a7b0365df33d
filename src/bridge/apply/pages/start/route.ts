import { carryCheck } from '../../../domain/applications/identity.js';
import { findLinked, findSession } from '../../../domain/applications/session.js';
import { openStep } from '../../../domain/applications/submission.js';
import { postedForm } from '../../form-guard.js';
import { type ApplyApp, type ApplyRequest, type ApplyRoom, describeExpiry } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToOpenStep, leave, showPage } from '../../respond.js';
import { startPage } from './view.js';

/** The link itself, what you'll need, and the way out. */
export function addStartRoutes(app: ApplyApp, room: ApplyRoom): void {
  function showStart(c: ApplyRequest) {
    const pageContext = c.get('pageContext');
    const { mode, payment_method: paymentMethod } = pageContext.session.application;
    return showPage(
      c,
      startPage(pageContext, paymentMethod !== 'user_pays' || room.context.processorFor(mode) !== undefined),
    );
  }

  app.get('/s/:token', requireStep(room, 'open'), (c) => {
    const pageContext = c.get('pageContext');
    const { application, saved } = pageContext.session;
    // A user who has begun continues where they were; a new one reads first what they will need.
    if (application.step === 'profile' && !saved.profile) return showStart(c);
    return c.redirect(pageContext.path(openStep(pageContext.session)), 303);
  });

  // "What you'll need" once more, for Back from the first step.
  app.get('/s/:token/start', requireStep(room, 'profile'), showStart);

  app.get('/s/:token/leave', requireStep(room, 'open'), (c) => leave(c));
  app.post('/s/:token', requireStep(room, 'open'), (c) => redirectToOpenStep(c));
}

/**
 * A page that is open asks whether it may go on with another link, in the middle of what is typed. The partner's page says which
 * link; whether it is one of the same application, only we can know.
 */
export function addRenewalRoutes(app: ApplyApp, { context }: ApplyRoom): void {
  app.post('/s/:token/renewal', async (c) => {
    const form = await postedForm(c);
    const token = c.req.param('token');
    const from = form.text('from');
    const session = await findSession(context, token);
    // The link before may have ended while the user was away; what is typed on its page is still there.
    const before = await findLinked(context.db, from);
    if (session?.phase !== 'open' || before?.application.id !== session.application.id) return c.json(no);
    // The page's own policy, which no script can change, lets it be framed by the one partner and lead back to it.
    if (originOf(before.link.returnUrl) !== originOf(session.link.returnUrl)) return c.json(no);
    if (from !== token) await carryCheck(context, from, token);
    return c.json(describeExpiry(context, session.link));
  });
}

/** Not a status: browsers write those of failures into the console of the partner's page, and this one is none. */
const no = null;

function originOf(url: string): string {
  return new URL(url).origin;
}
