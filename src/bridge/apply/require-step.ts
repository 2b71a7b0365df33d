import type { ApplicationStep } from '../../contract/index.js';
import { typeName } from '../catalogue/type-names.js';
import { type ApplySession, findSession, isReached, openSession } from '../domain/applications/session.js';
import { progressAt, stepsOf } from '../domain/applications/steps.js';
import { countMissingDocuments } from '../domain/applications/required-documents.js';
import { feesOfSession } from '../domain/payments/session-fees.js';
import { minutesLeft } from '../domain/applications/time-left.js';
import { findApplicationStates } from '../store/applications/application-store.js';
import { renderPage } from './layout.js';
import {
  type AnyPageContext,
  type ApplyMiddleware,
  type ApplyRequest,
  type ApplyServices,
  describeExpiry,
  dollars,
  type Overview,
  type PageSnapshot,
  readDisplay,
  type PageContext,
} from './page-context.js';
import { shortFeeNotes } from './pages/payments/fee-texts.js';
import { missingPage } from './pages/plain/view.js';
import { redirectToPartner, showStopped } from './respond.js';

/** The requirement of a page: a step that was reached, an open application, or a receipt. */
type Required = ApplicationStep | 'open' | 'receipt';

/**
 * Finds the application of the link and redirects when the page is not available: an unknown link
 * shows what to do, an expired one leads back to the partner, one of a deactivated agency shows
 * that it is stopped, a submitted one leads to its receipt, and a step that was not reached leads
 * to the open step.
 */
export function requireStep(services: ApplyServices, required: Required): ApplyMiddleware {
  return async function requireStepOfPage(c, next) {
    const token = c.req.param('token') ?? '';
    // Only a GET of the link starts the application: previews and link checkers send HEAD.
    const isArrival = required === 'open' && c.req.method === 'GET';
    const session = await (isArrival ? openSession : findSession)(services.context, token);
    if (!session) return c.html(renderPage(c.get('page'), missingPage(c.get('page'))), 404);
    c.set('returnUrl', session.link.returnUrl);
    const pageContext = await describePageContext(services, c, token, session);
    if (session.phase === 'stopped') {
      c.set('page', pageContext);
      return showStopped(c, pageContext.agencyName, session.link.returnUrl);
    }
    if (session.phase === 'expired') return redirectToPartner(c, pageContext, 'expired');
    if (session.phase === 'submitted' && required !== 'receipt') return c.redirect(pageContext.path('receipt'), 303);
    if (session.phase === 'open' && required === 'receipt') return c.redirect(pageContext.path(''), 303);
    if (isStep(required) && !isReached(session, required)) return c.redirect(pageContext.path(''), 303);
    // A later step was reached, and then an answer changed so that it requires a document.
    if (isBehindDocuments(session, required) && countMissingDocuments(session) > 0) {
      return c.redirect(pageContext.path('background/documents'), 303);
    }
    c.set('pageContext', pageContext);
    c.set('page', pageContext);
    return next();
  };
}

/**
 * Reads the application again, for a page that is shown in the response to a post. Resolves with
 * `undefined` when it is not open any more.
 */
export async function refreshPage(services: ApplyServices, c: ApplyRequest): Promise<PageContext | undefined> {
  const { token } = c.get('pageContext');
  const session = await findSession(services.context, token);
  if (session?.phase !== 'open') return undefined;
  const pageContext = await describePageContext(services, c, token, session);
  c.set('pageContext', pageContext);
  c.set('page', pageContext);
  return pageContext;
}

function isStep(required: Required): required is ApplicationStep {
  return required !== 'open' && required !== 'receipt';
}

function isBehindDocuments({ application }: ApplySession, required: Required): boolean {
  const order: readonly string[] = stepsOf(application.paymentMethod);
  return isStep(required) && order.indexOf(required) > order.indexOf('background');
}

async function describePageContext(
  { context }: ApplyServices,
  c: ApplyRequest,
  token: string,
  session: ApplySession,
): Promise<PageContext> {
  const { application, link } = session;
  const { query } = readDisplay(c);
  const path = (to: string) => `/s/${token}${to && `/${to}`}${query}`;
  return {
    ...c.get('page'),
    token,
    session,
    agencyName: session.agencyName,
    isTest: application.mode === 'test',
    linkEnds: session.phase === 'open' ? link.expiresAt : undefined,
    overview: session.phase === 'open' ? describeOverview(c.get('page'), session, path) : undefined,
    minutesLeft: session.phase === 'open' ? minutesLeft(context, session) : undefined,
    isChange: c.req.query('change') !== undefined,
    query,
    sendsMail: context.mailer !== undefined,
    linkHref: `${context.settings.applyUrl}/s/${token}`,
    path,
    changePath: (to) => `${path(to)}${query ? '&' : '?'}change`,
    channel: {
      origins: [new URL(link.returnUrl).origin],
      snapshot: await describeSnapshot({ context }, session),
      ...(session.phase === 'open' ? { expiry: describeExpiry(context, link) } : {}),
    },
  };
}

function describeOverview(
  { texts, language }: AnyPageContext,
  session: ApplySession,
  path: PageContext['path'],
): Overview {
  const { application, agencyName } = session;
  const total = dollars(feesOfSession(session).totalCents, language);
  const isUserPaying = application.paymentMethod === 'user_pays';
  return {
    license: typeName(application.licenseType, language),
    application: typeName(application.applicationType, language),
    states: application.states,
    fees: isUserPaying ? total : `${total}. ${texts.review.billed(agencyName)}`,
    feesNotes: shortFeeNotes({ texts, language, session }),
    steps: stepsOf(application.paymentMethod).map((name) => ({
      name,
      isDone: (session.saved[name]?.completedAt ?? null) !== null,
      href: isReached(session, name) ? path(name) : undefined,
    })),
  };
}

async function describeSnapshot(
  { context }: Pick<ApplyServices, 'context'>,
  session: ApplySession,
): Promise<PageSnapshot> {
  const { application, phase, saved } = session;
  const savedAt = Object.values(saved)
    .map((step) => step.savedAt.toISOString())
    .sort()
    .at(-1);
  const states = phase === 'submitted' ? await findApplicationStates(context.db, application.id) : [];
  return {
    ...progressAt(application.step, application.paymentMethod),
    dirty: false,
    ...(savedAt && { savedAt }),
    states: states.map(({ state, status }) => ({ state, status })),
  };
}
