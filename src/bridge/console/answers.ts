import { html, type Html } from '../pages/html.js';
import type { ConsoleContext, ConsoleRoom, OpenRequest } from './environment.js';
import { renderPage, type ConsolePage } from './layout.js';
import { consoleTexts as texts } from './texts.js';

/** Answers with a page. One with errors says so in its status too. */
export function show({ c, room, session }: OpenRequest, page: ConsolePage): Response | Promise<Response> {
  const status = page.errors !== undefined && page.errors.length > 0 ? 422 : 200;
  return c.html(renderPage({ c, room, session }, page), status);
}

/** Answers with a page that says why there is no other. */
export function showProblem(
  c: ConsoleContext,
  room: ConsoleRoom,
  status: 400 | 403 | 404 | 409 | 413 | 415 | 429 | 500,
  words: { title: string; lead: string },
  more?: Html,
): Response | Promise<Response> {
  const content = html`<p class="lead">${words.lead}</p>
    ${more}
    <p class="buttons"><a class="button quiet" href="/">${texts.problem.home}</a></p>`;
  return c.html(renderPage({ c, room, session: c.get('session') }, { title: words.title, content }), status);
}

/** Answers a post that no form of ours made. */
export function refuse(c: ConsoleContext, room: ConsoleRoom, status: 403 | 413 | 415): Response | Promise<Response> {
  // Of a body that was begun and left, the server ends the connection a moment later: under the next request, if one is on it.
  if (status === 413) c.header('connection', 'close');
  return showProblem(c, room, status, texts.problem.refused);
}

/** Answers an operator whose role does not allow what they ask for. */
export function refuseRole(c: ConsoleContext, room: ConsoleRoom): Response | Promise<Response> {
  return showProblem(c, room, 403, texts.problem.role);
}

/** Answers for something that there is not. */
export function showMissing({ c, room }: Pick<OpenRequest, 'c' | 'room'>): Response | Promise<Response> {
  return showProblem(c, room, 404, texts.problem.missing);
}
