import { html, type Html } from '../pages/html.js';
import type { ConsoleContext, ConsoleServices, OpenRequest } from './context.js';
import { renderPage, type ConsolePage } from './layout.js';
import { consoleTexts as texts } from './texts.js';

/** Responds with a page; with errors, the status is 422. */
export function show({ c, services, session }: OpenRequest, page: ConsolePage): Response | Promise<Response> {
  const status = page.errors !== undefined && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage({ c, services, session }, page), status);
}

/**
 * Leads on with a page, not with a redirect. To the identity provider, because browsers apply
 * `form-action` to every redirect after a form. From the provider, because they do not send the cookie
 * of the session, which is `SameSite=Strict`, along redirects that began at another site.
 */
export function leadTo(
  request: OpenRequest,
  { title, href }: { title: string; href: string },
): Response | Promise<Response> {
  const content = html`<p class="buttons"><a class="button" href="${href}">${texts.oidc.go}</a></p>`;
  return show({ ...request, session: undefined }, { title, href, content });
}

/** Responds with a page that shows an error. */
export function showProblem(
  c: ConsoleContext,
  services: ConsoleServices,
  status: 400 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503,
  words: { title: string; lead: string },
  more?: Html,
): Response | Promise<Response> {
  const content = html`<p class="lead">${words.lead}</p>
    ${more}
    <p class="buttons"><a class="button quiet" href="/">${texts.problem.home}</a></p>`;
  return c.html(renderPage({ c, services, session: c.get('session') }, { title: words.title, content }), status);
}

/** Responds to a post that no form of the console sends. */
export function refuse(
  c: ConsoleContext,
  services: ConsoleServices,
  status: 403 | 413 | 415,
): Response | Promise<Response> {
  // When a body is started and not finished, the server closes the connection a moment later,
  // possibly during the next request.
  if (status === 413) c.header('connection', 'close');
  return showProblem(c, services, status, texts.problem.refused);
}

/** Responds to a request whose text cannot be stored. */
export function refuseUnstorable(c: ConsoleContext, services: ConsoleServices): Response | Promise<Response> {
  return showProblem(c, services, 400, texts.problem.unstorable);
}

/** Responds to an operator whose role does not allow the request. */
export function refuseRole(c: ConsoleContext, services: ConsoleServices): Response | Promise<Response> {
  return showProblem(c, services, 403, texts.problem.role);
}

/** Responds that something does not exist. */
export function showMissing({ c, services }: Pick<OpenRequest, 'c' | 'services'>): Response | Promise<Response> {
  return showProblem(c, services, 404, texts.problem.missing);
}
