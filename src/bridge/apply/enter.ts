import type { ApplicationStep } from '../../contract/index.js';
import { findSession, isReached, openSession, type ApplySession } from '../domain/apply/session.js';
import { progressAt } from '../domain/sessions/steps.js';
import { findApplicationStates } from '../store/applications/application-state-store.js';
import { readDisplay } from './display.js';
import { describeEnding } from './ending.js';
import type { ApplyMiddleware, ApplyRequest, ApplyRoom } from './environment.js';
import { leadBack, showStopped } from './show.js';
import { renderPage } from './view/layout.js';
import { missingPage } from './view/plain-pages.js';
import type { PageSnapshot, Visit } from './visit.js';

/** Which pages a visit may see: a step that was reached, any page while open, or the receipt. */
type Door = ApplicationStep | 'open' | 'receipt';

/**
 * Finds the application behind the link and sends away who has no business at this page: an unknown link is a dead end that
 * says what to do, an expired one leads back to the partner, one of a deactivated agency says that it is stopped, a submitted one to its receipt, and a step that was not reached
 * to the open one.
 */
export function enter(room: ApplyRoom, door: Door): ApplyMiddleware {
  return async function enterPage(c, next) {
    const token = c.req.param('token') ?? '';
    // Only the link itself, opened by a person, starts the application: HEAD is what previews and checkers send.
    const isArrival = door === 'open' && c.req.method === 'GET';
    const session = await (isArrival ? openSession : findSession)(room.context, token);
    if (!session) return c.html(renderPage(c.get('page'), missingPage(c.get('page'))), 404);
    c.set('returnUrl', session.link.returnUrl);
    const visit = await describeVisit(room, c, token, session);
    if (session.phase === 'stopped') {
      c.set('page', visit);
      return showStopped(c, visit.agencyName, session.link.returnUrl);
    }
    if (session.phase === 'expired') return leadBack(c, visit, 'expired');
    if (session.phase === 'submitted' && door !== 'receipt') return c.redirect(visit.path('receipt'), 303);
    if (session.phase === 'open' && door === 'receipt') return c.redirect(visit.path(''), 303);
    if (isStep(door) && !isReached(session, door)) return c.redirect(visit.path(''), 303);
    c.set('visit', visit);
    c.set('page', visit);
    return next();
  };
}

function isStep(door: Door): door is ApplicationStep {
  return door !== 'open' && door !== 'receipt';
}

async function describeVisit(
  { context }: ApplyRoom,
  c: ApplyRequest,
  token: string,
  session: ApplySession,
): Promise<Visit> {
  const { application, link } = session;
  const { query } = readDisplay(c);
  const path = (to: string) => `/s/${token}${to && `/${to}`}${query}`;
  return {
    ...c.get('page'),
    token,
    session,
    agencyName: session.agencyName,
    isTest: application.mode === 'test',
    isChange: c.req.query('change') !== undefined,
    query,
    path,
    changePath: (to) => `${path(to)}${query ? '&' : '?'}change`,
    channel: {
      origins: [new URL(link.returnUrl).origin],
      snapshot: await describeSnapshot({ context }, session),
      ...(session.phase === 'open' ? { ending: describeEnding(context, link) } : {}),
    },
  };
}

async function describeSnapshot({ context }: Pick<ApplyRoom, 'context'>, session: ApplySession): Promise<PageSnapshot> {
  const { application, phase, saved } = session;
  const savedAt = Object.values(saved)
    .map((step) => step.saved_at.toISOString())
    .sort()
    .at(-1);
  const states = phase === 'submitted' ? await findApplicationStates(context.db, application.id) : [];
  return {
    ...progressAt(application.step, application.payment_method),
    dirty: false,
    ...(savedAt && { savedAt }),
    states: states.map(({ state, status }) => ({ state, status })),
  };
}
