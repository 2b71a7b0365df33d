import type { ApplicationStep, ReturnStatus } from '../../contract/index.js';
import { stepAfter } from '../domain/apply/step.js';
import { progressAt } from '../domain/sessions/steps.js';
import type { ApplyRequest } from './environment.js';
import { returnHref } from './return-url.js';
import { renderPage, type Page } from './view/layout.js';
import { leavingPage, stoppedPage } from './view/plain-pages.js';
import type { Visit } from './visit.js';

/** Shows a page of a step. One with errors says so in its status too. */
export function showStep(c: ApplyRequest, step: ApplicationStep, page: Page): Response | Promise<Response> {
  const visit = c.get('visit');
  const { channel, session } = visit;
  const progress = progressAt(step, session.application.payment_method);
  // The element's header stands in for the page's own, and names the page that is seen: a user may have gone back to an earlier step.
  const shown = channel && { ...channel, snapshot: { ...channel.snapshot, ...progress } };
  const { index, count } = progress;
  const status = page.errors && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage({ ...visit, channel: shown }, { ...page, step: { name: step, index, count } }), status);
}

/** Shows a page that is no step. */
export function showPage(c: ApplyRequest, page: Page): Response | Promise<Response> {
  const status = page.errors && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage(c.get('page'), page), status);
}

/**
 * Shows that an agency's links no longer work. No redirect: the operator has stopped this partner, so the user decides whether
 * to return to its site.
 */
export function showStopped(c: ApplyRequest, agencyName: string, returnUrl: string): Response | Promise<Response> {
  const page = c.get('page');
  return c.html(renderPage(page, stoppedPage(page, agencyName, returnHref(returnUrl, 'expired'))), 410);
}

/** After a step: on to the next one, or back to the review that the user came from. */
export function goOn(c: ApplyRequest, step: ApplicationStep): Response {
  const visit = c.get('visit');
  if (visit.isChange) return c.redirect(visit.path('review'), 303);
  return c.redirect(visit.path(stepAfter(visit.session, step) ?? ''), 303);
}

/** Back to the link itself, which knows where the user belongs now. */
export function goWhereItIsOpen(c: ApplyRequest): Response {
  return c.redirect(c.get('visit').path(''), 303);
}

/** Back to the partner: the user leaves on purpose. */
export function leave(c: ApplyRequest): Response | Promise<Response> {
  return leadBack(c, c.get('visit'), 'cancelled');
}

/**
 * Back to the partner. After a post by a page that leads on by itself, not by a redirect: browsers hold `form-action` against every
 * redirect that follows a form, and the partner's own may lead to any origin.
 */
export function leadBack(c: ApplyRequest, visit: Visit, status: ReturnStatus): Response | Promise<Response> {
  const href = returnHref(visit.session.link.returnUrl, status);
  if (c.req.method !== 'POST') return c.redirect(href, 303);
  return c.html(renderPage({ ...visit, channel: undefined }, leavingPage(visit, href)));
}
