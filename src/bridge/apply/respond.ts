import type { ApplicationStep, ReturnStatus } from '../../contract/index.js';
import { stepAfter } from '../domain/applications/step.js';
import { progressAt } from '../domain/applications/steps.js';
import { type Page, renderPage } from './layout.js';
import type { ApplyRequest, PageContext } from './page-context.js';
import { leavingPage, stoppedPage } from './pages/plain/view.js';

/** Responds to a request that failed. */
type FailureStatus = 400 | 403 | 413 | 415 | 429 | 500 | 503;

/** Shows a page of a step. With errors, the status of the response is 422. */
export function showStep(c: ApplyRequest, step: ApplicationStep, page: Page): Response | Promise<Response> {
  const pageContext = c.get('pageContext');
  const { channel, session } = pageContext;
  const progress = progressAt(step, session.application.paymentMethod);
  // The element's header replaces the page's and names the shown page, which may be an earlier
  // step.
  const shown = channel && { ...channel, snapshot: { ...channel.snapshot, ...progress } };
  const { index, count } = progress;
  const status = page.errors && page.errors.length > 0 ? 422 : 200;
  return c.html(
    renderPage({ ...pageContext, channel: shown }, { ...page, step: { name: step, index, count } }),
    status,
  );
}

/** Shows a page that does not belong to a step. */
export function showPage(c: ApplyRequest, page: Page): Response | Promise<Response> {
  const status = page.errors && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage(c.get('page'), page), status);
}

/**
 * Shows why a request failed. Any site may frame the response while the partner is unknown, because
 * a user in a modal must read what to do. Clickjacking gains nothing: the page only has a link to
 * the failed page, which only the partner may frame.
 */
export function showFailure(c: ApplyRequest, page: Page, status: FailureStatus): Response | Promise<Response> {
  c.set('isFailure', true);
  return c.html(renderPage(c.get('page'), page), status);
}

/**
 * Shows that an agency's links no longer work. No redirect: the operator has stopped this partner,
 * so the user decides whether to return to its site.
 */
export function showStopped(c: ApplyRequest, agencyName: string, returnUrl: string): Response | Promise<Response> {
  const page = c.get('page');
  return c.html(renderPage(page, stoppedPage(page, agencyName, returnHref(returnUrl, 'expired'))), 410);
}

/** Redirects after a step: to the next one, or back to the review. */
export function redirectToNextStep(c: ApplyRequest, step: ApplicationStep): Response {
  const pageContext = c.get('pageContext');
  if (pageContext.isChange) return c.redirect(pageContext.path('review'), 303);
  return c.redirect(pageContext.path(stepAfter(pageContext.session, step) ?? ''), 303);
}

/** Redirects to the link itself, which leads to the current step. */
export function redirectToOpenStep(c: ApplyRequest): Response {
  return c.redirect(c.get('pageContext').path(''), 303);
}

/** Redirects to the partner when the user leaves. */
export function leave(c: ApplyRequest): Response | Promise<Response> {
  return redirectToPartner(c, c.get('pageContext'), 'cancelled');
}

/**
 * Leads back to the partner. After a post with an intermediate page, not a redirect: browsers apply
 * `form-action` to every redirect after a form, and the partner's URL may redirect to any origin.
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
 * Returns the partner's URL with `status` added to its query. An existing `status` is removed,
 * because partners read only one of two. The rest is unchanged byte by byte.
 */
export function returnHref(returnUrl: string, status: ReturnStatus): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/.exec(returnUrl) ?? [];
  const own = query.split('&').filter((part) => part !== '' && !new URLSearchParams(part).has('status'));
  return `${base}?${[...own, `status=${status}`].join('&')}${fragment}`;
}
