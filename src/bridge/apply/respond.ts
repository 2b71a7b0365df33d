import type { ApplicationStep, ReturnStatus } from '../../contract/index.js';
import { stepAfter } from '../domain/applications/step.js';
import { progressAt } from '../domain/sessions/steps.js';
import { type Page, renderPage } from './layout.js';
import type { ApplyRequest, PageContext } from './page-context.js';
import { leavingPage, stoppedPage } from './pages/plain/view.js';

/** Answers a request that failed. */
type FailureStatus = 400 | 403 | 413 | 415 | 429 | 500 | 503;

/** Shows a page of a step. One with errors says so in its status too. */
export function showStep(c: ApplyRequest, step: ApplicationStep, page: Page): Response | Promise<Response> {
  const pageContext = c.get('pageContext');
  const { channel, session } = pageContext;
  const progress = progressAt(step, session.application.payment_method);
  // The element's header stands in for the page's own, and names the page that is seen: a user may have gone back to an earlier step.
  const shown = channel && { ...channel, snapshot: { ...channel.snapshot, ...progress } };
  const { index, count } = progress;
  const status = page.errors && page.errors.length > 0 ? 422 : 200;
  return c.html(
    renderPage({ ...pageContext, channel: shown }, { ...page, step: { name: step, index, count } }),
    status,
  );
}

/** Shows a page that is no step. */
export function showPage(c: ApplyRequest, page: Page): Response | Promise<Response> {
  const status = page.errors && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage(c.get('page'), page), status);
}

/**
 * Shows why a request failed. Any site may frame the answer where the partner is not known yet: a user in a modal must read what to do.
 * A decoy over such a page gains nothing, because all it has is a link to the page that failed, which only the partner frames.
 */
export function showFailure(c: ApplyRequest, page: Page, status: FailureStatus): Response | Promise<Response> {
  c.set('isFailure', true);
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
export function redirectToNextStep(c: ApplyRequest, step: ApplicationStep): Response {
  const pageContext = c.get('pageContext');
  if (pageContext.isChange) return c.redirect(pageContext.path('review'), 303);
  return c.redirect(pageContext.path(stepAfter(pageContext.session, step) ?? ''), 303);
}

/** Back to the link itself, which knows where the user belongs now. */
export function redirectToOpenStep(c: ApplyRequest): Response {
  return c.redirect(c.get('pageContext').path(''), 303);
}

/** Back to the partner: the user leaves on purpose. */
export function leave(c: ApplyRequest): Response | Promise<Response> {
  return redirectToPartner(c, c.get('pageContext'), 'cancelled');
}

/**
 * Back to the partner. After a post by a page that leads on by itself, not by a redirect: browsers hold `form-action` against every
 * redirect that follows a form, and the partner's own may lead to any origin.
 */
export function redirectToPartner(
  c: ApplyRequest,
  pageContext: PageContext,
  status: ReturnStatus,
): Response | Promise<Response> {
  const href = returnHref(pageContext.session.link.returnUrl, status);
  if (c.req.method !== 'POST') return c.redirect(href, 303);
  return c.html(renderPage({ ...pageContext, channel: undefined }, leavingPage(pageContext, href)));
}

/**
 * Returns where the user goes: the partner's URL with `status` added to its query. A `status` of its
 * own is removed, because partners read only one of two. The rest stays byte by byte.
 */
export function returnHref(returnUrl: string, status: ReturnStatus): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/.exec(returnUrl) ?? [];
  const own = query.split('&').filter((part) => part !== '' && !new URLSearchParams(part).has('status'));
  return `${base}?${[...own, `status=${status}`].join('&')}${fragment}`;
}
