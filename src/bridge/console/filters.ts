import { html, type Html } from '../pages/html.js';
import { consoleTexts as texts } from './texts.js';

const words = texts.list;

/**
 * The filters of a list, in one row. On a narrow screen they are closed, with the number of those in
 * use, so that the list begins on the first screen.
 */
export function filterRow(filters: {
  /** The path of the list. */
  action: string;
  /** The values in use; empty ones do not count. */
  used: readonly (string | undefined)[];
  fields: readonly Html[];
  /** The buttons besides those that show and clear. */
  more?: Html | undefined;
  /** Values of the URL that the filters keep. */
  kept?: Readonly<Record<string, string | undefined>>;
}): Html {
  const { action, used, fields, more, kept = {} } = filters;
  const count = used.filter((value) => value !== undefined && value !== '').length;
  return html`<details class="filters">
    <summary>${count === 0 ? words.filters : words.filtered(String(count))}</summary>
    <form method="get" action="${action}" aria-label="${words.filters}">
      ${Object.entries(kept).map(
        ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      ${fields}
      <p class="buttons">
        <button class="button small" type="submit">${words.apply}</button>
        ${count > 0 && html`<a class="button quiet small" href="${action}">${words.clear}</a>`} ${more}
      </p>
    </form>
  </details>`;
}
