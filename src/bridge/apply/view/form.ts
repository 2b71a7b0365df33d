import type { Texts } from '../texts/index.js';
import type { Visit } from '../visit.js';
import { html, type Html } from './html.js';

/**
 * A form that posts to its own page. Continue comes first, so that Enter presses it. `isSecret`: what is typed in it must not come back
 * with the Back button, which the next user of the same computer may press. Chromium restores any field whose form does not turn
 * `autocomplete` off, also of a page that no cache keeps.
 */
export function stepForm(
  visit: Visit,
  form: { action: string; submit?: string; working?: string; isSecret?: boolean; content: Html | Html[] },
): Html {
  const { layout } = visit.texts;
  return html`<form
    method="post"
    action="${form.action}"
    novalidate
    autocomplete="${form.isSecret ? 'off' : 'on'}"
    data-working="${form.working ?? layout.working}"
    data-detail-missing="${visit.texts.errors.detailMissing}"
  >
    ${form.content}
    <div class="buttons">
      <button class="button" type="submit">${form.submit ?? layout.continue}</button>
      <button class="button quiet" type="submit" name="leave" value="1">${layout.leave}</button>
    </div>
    <p class="hint after-buttons">${layout.leaveHint}</p>
  </form>`;
}

/** The link that opens one answer again, with what it changes for those who only hear it. */
export function changeLink(texts: Texts, href: string, what: string): Html {
  return html`<a href="${href}">${texts.layout.change}<span class="visually-hidden"> ${what}</span></a>`;
}

/** Like any form action: the page itself, keeping that the user came from the review. */
export function actionOf(visit: Visit, to: string): string {
  return visit.isChange ? visit.changePath(to) : visit.path(to);
}
