import { html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';
import type { AnyPageContext, PageContext } from '../../page-context.js';

/** The page of a link that is unknown, incomplete or used. It does not reveal which. */
export function missingPage({ texts }: AnyPageContext): Page {
  const words = texts.missing;
  return {
    title: words.title,
    lead: words.lead,
    content: html`<p>${words.todo}</p>`,
  };
}

/** The page of a link of a deactivated agency. `href` leads to the partner. */
export function stoppedPage({ texts }: AnyPageContext, agencyName: string, href: string): Page {
  const words = texts.stopped;
  return {
    title: words.title,
    lead: words.lead(agencyName),
    content: html`<p>${words.todo(agencyName)}</p>
      <p class="buttons"><a class="button quiet" href="${href}">${words.back(agencyName)}</a></p>`,
  };
}

/**
 * Between a form and the partner: redirects automatically, and has a link in case that is blocked.
 */
export function leavingPage({ texts, agencyName }: PageContext, href: string): Page {
  return {
    title: texts.leaving.title(agencyName),
    href,
    lead: texts.leaving.lead,
    content: html`<p class="buttons"><a class="button" href="${href}">${texts.layout.continue}</a></p>`,
  };
}

/**
 * An internal error, with its reference in the log and a link, because a modal has no Back button.
 * `href` is the page that failed, or the page of the failed form.
 */
export function problemPage({ texts }: AnyPageContext, requestId: string, href: string): Page {
  const words = texts.problem;
  return {
    title: words.title,
    lead: words.lead,
    content: html`<p>${words.reference} <code class="reference">${requestId}</code></p>
      <p class="buttons"><a class="button" href="${href}">${words.again}</a></p>`,
  };
}

/** Too many requests from the user's network. `href` is the requested page. */
export function waitPage({ texts }: AnyPageContext, href: string): Page {
  const words = texts.wait;
  return {
    title: words.title,
    lead: words.lead,
    content: html`<p>${words.kept}</p>
      <p class="buttons"><a class="button" href="${href}">${texts.problem.again}</a></p>`,
  };
}

/**
 * A post that did not come from a form of the application. `href` is the page of the form, because
 * a modal has no Back button.
 */
export function refusedPage({ texts }: AnyPageContext, href: string): Page {
  const words = texts.problem;
  return {
    title: words.refusedTitle,
    lead: words.refused,
    content: html`<p class="buttons"><a class="button" href="${href}">${words.openAgain}</a></p>`,
  };
}
