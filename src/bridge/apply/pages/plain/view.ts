import { html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';
import type { AnyPageContext, PageContext } from '../../page-context.js';

/** A link that is unknown, incomplete or used up. Trying links does not show which of the three it is. */
export function missingPage({ texts }: AnyPageContext): Page {
  const words = texts.missing;
  return {
    title: words.title,
    lead: words.lead,
    content: html`<p>${words.todo}</p>`,
  };
}

/** A link of an agency that the operator has deactivated. `href` leads to the partner. */
export function stoppedPage({ texts }: AnyPageContext, agencyName: string, href: string): Page {
  const words = texts.stopped;
  return {
    title: words.title,
    lead: words.lead(agencyName),
    content: html`<p>${words.todo(agencyName)}</p>
      <p class="buttons"><a class="button quiet" href="${href}">${words.back(agencyName)}</a></p>`,
  };
}

/** Between a form and the partner: leads on by itself, and by a link where that is turned off. */
export function leavingPage({ texts, agencyName }: PageContext, href: string): Page {
  return {
    title: texts.leaving.title(agencyName),
    href,
    lead: texts.leaving.lead,
    content: html`<p class="buttons"><a class="button" href="${href}">${texts.layout.continue}</a></p>`,
  };
}

/**
 * A failure of ours, with the number that finds it in our logs and a way on: in a modal there is no Back button. `href` is the page
 * that failed, or whose form did.
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

/** Too many requests from the user's network. `href` is the page that they wanted. */
export function waitPage({ texts }: AnyPageContext, href: string): Page {
  const words = texts.wait;
  return {
    title: words.title,
    lead: words.lead,
    content: html`<p>${words.kept}</p>
      <p class="buttons"><a class="button" href="${href}">${texts.problem.again}</a></p>`,
  };
}

/** A post that did not come from one of our forms. `href` is the page whose form it should have been: a modal has no Back button. */
export function refusedPage({ texts }: AnyPageContext, href: string): Page {
  const words = texts.problem;
  return {
    title: words.refusedTitle,
    lead: words.refused,
    content: html`<p class="buttons"><a class="button" href="${href}">${words.openAgain}</a></p>`,
  };
}
