import { carryCheck } from '../../domain/apply/identity.js';
import { findLinked } from '../../domain/apply/linked.js';
import { findSession } from '../../domain/apply/session.js';
import { describeEnding } from '../ending.js';
import type { ApplyApp, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';

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
    return c.json(describeEnding(context, session.link));
  });
}

/** Not a status: browsers write those of failures into the console of the partner's page, and this one is none. */
const no = null;

function originOf(url: string): string {
  return new URL(url).origin;
}
