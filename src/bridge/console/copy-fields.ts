import type { FormSection } from '../domain/filings/form-fields.js';
import { html, type Html } from '../pages/html.js';
import { consoleTexts as texts } from './texts.js';

const words = texts.copy;

/**
 * Values to copy into another form, in its order. The script shows the buttons, which copy; without
 * it, a click selects a whole value.
 */
export function copyFields(sections: readonly FormSection[]): Html {
  return html`<h2 id="fields">${words.title}</h2>
    <p class="hint">${words.hint}</p>
    <div id="copy" data-copied="${words.copied}" data-not-copied="${words.notCopied}">
      ${sections.map(
        ({ title, fields, notes = [] }) =>
          html`<h3>${title}</h3>
            ${notes.map((note) => html`<p class="notice">${words.check(note)}</p>`)}
            <dl class="copyable">
              ${fields.map(
                ({ label, value }) =>
                  html`<div>
                    <dt>${label}</dt>
                    <dd><span class="value">${value}</span></dd>
                    <dd class="copier">
                      <button class="button quiet small" type="button" hidden>
                        <span aria-hidden="true">${words.copy}</span>
                        <span class="visually-hidden">${words.copyValue(label)}</span>
                      </button>
                    </dd>
                  </div>`,
              )}
            </dl>`,
      )}
      <p class="visually-hidden" role="status"></p>
    </div>`;
}
