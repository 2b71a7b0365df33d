import { html, type Html } from '../pages/html.js';
import type { ConsoleContext, ConsoleRoom, OpenRequest } from './environment.js';
import { renderPage, type ConsolePage } from './layout.js';
import { consoleTexts as texts } from './texts.js';

/** Responds with a page; with errors, the status is 422. */
export function show({ c, room, session }: OpenRequest, page: ConsolePage): Response | Promise<Response> {
  const status = page.errors !== undefined && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage({ c, room, session }, page), status);
}

/** Responds with a page that shows an error. */
export function showProblem(
  c: ConsoleContext,
  room: ConsoleRoom,
  status: 400 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503,
  words: { title: string; lead: string },
  more?: Html,
): Response | Promise<Response> {
  const content = html`<p class="lead">${words.lead}</p>
    ${more}
    <p class="buttons"><a class="button quiet" href="/">${texts.problem.home}</a></p>`;
  return c.html(renderPage({ c, room, session: c.get('session') }, { title: words.title, content }), status);
}

/** Responds to a post that no form of the console sends. */
export function refuse(c: ConsoleContext, room: ConsoleRoom, status: 403 | 413 | 415): Response | Promise<Response> {
  // When a body is started and not finished, the server closes the connection a moment later,
  // possibly during the next request.
  if (status === 413) c.header('connection', 'close');
  return showProblem(c, room, status, texts.problem.refused);
}

/** Responds to a request whose text cannot be stored. */
export function refuseUnstorable(c: ConsoleContext, room: ConsoleRoom): Response | Promise<Response> {
  return showProblem(c, room, 400, texts.problem.unstorable);
}

/** Responds to an operator whose role does not allow the request. */
export function refuseRole(c: ConsoleContext, room: ConsoleRoom): Response | Promise<Response> {
  return showProblem(c, room, 403, texts.problem.role);
}

/** Responds that something does not exist. */
export function showMissing({ c, room }: Pick<OpenRequest, 'c' | 'room'>): Response | Promise<Response> {
  return showProblem(c, room, 404, texts.problem.missing);
}
