import { stateCodes } from '../../../../contract/index.js';
import type { FollowUp } from '../../../catalogue/content.js';
import { followUpParts, maxLengthOf } from '../../../catalogue/follow-ups.js';
import { followUpTexts } from '../../../catalogue/wording.js';
import { html, type Html } from '../../../pages/html.js';
import { stateName } from '../../../catalogue/state-names.js';
import type { PageContext } from '../../page-context.js';
import { incidentField } from './form.js';

/**
 * The fields below a "yes", always empty, because no page shows an answer. Documents have a
 * separate page.
 *
 * @param index Of the incident, from 0.
 */
export function followUpField(
  pageContext: PageContext,
  question: string,
  followUp: FollowUp,
  index = 0,
): Html | undefined {
  const { texts, language, session } = pageContext;
  if (followUp.type === 'document') return undefined;
  const { hint, ...words } = followUpTexts(session.pinned, question, followUp.id, language);
  const name = `${incidentField(question, index)}.${followUp.id}`;
  const label = followUp.required ? words.label : `${words.label} (${texts.layout.optional})`;
  const hintLine = hint && html`<p class="hint" id="${name}-hint">${hint}</p>`;
  const described = hint && html`aria-describedby="${name}-hint"`;
  // For the script, which finds missing fields before the form is sent; the browser does not
  // validate the form.
  const required = followUp.required && html`required`;
  if (followUpParts[followUp.type]) {
    return html`<fieldset class="field group" ${described}>
      <legend>${label}</legend>
      ${hintLine}
      <div class="in-a-row">${dateParts(pageContext, name, followUp, required)}</div>
    </fieldset>`;
  }
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hintLine} ${singleField(pageContext, name, followUp, words.choices ?? {}, html`${required} ${described}`)}
  </div>`;
}

function singleField(
  { texts, language }: PageContext,
  name: string,
  followUp: FollowUp,
  choices: Readonly<Record<string, string>>,
  attributes: Html | false,
): Html {
  const words = texts.background;
  switch (followUp.type) {
    case 'longText':
      return html`<textarea
        id="${name}"
        name="${name}"
        rows="5"
        maxlength="${maxLengthOf(followUp)}"
        autocomplete="off"
        ${attributes}
      ></textarea>`;
    case 'state':
      return select(
        name,
        words.choose,
        attributes,
        stateCodes.map((code) => [code, stateName(code, language)] as const),
      );
    case 'choice':
      return select(
        name,
        words.choose,
        attributes,
        (followUp.choices ?? []).map((id) => [id, choices[id] ?? id] as const),
      );
    default: {
      const isNumber = followUp.type === 'number' || followUp.type === 'money';
      return html`<input
        type="text"
        class="${isNumber ? 'width-short' : 'width-full'}"
        id="${name}"
        name="${name}"
        autocomplete="off"
        maxlength="${isNumber ? 14 : maxLengthOf(followUp)}"
        ${isNumber && html`inputmode="${followUp.type === 'money' ? 'decimal' : 'numeric'}"`}
        ${attributes}
      />`;
    }
  }
}

function dateParts({ texts, language }: PageContext, name: string, { type }: FollowUp, required: Html | false): Html[] {
  const words = texts.background;
  const format = new Intl.DateTimeFormat(`${language}-US`, { month: 'long', timeZone: 'UTC' });
  const months = Array.from(
    { length: 12 },
    (_, month) => [String(month + 1), format.format(new Date(Date.UTC(2000, month)))] as const,
  );
  return (followUpParts[type] ?? []).map((part) => {
    const id = `${name}.${part}`;
    return html`<div>
      <label class="small" for="${id}">${words[part]}</label>
      ${
        part === 'month'
          ? select(id, texts.background.choose, required, months)
          : html`<input
              type="text"
              class="width-tiny"
              id="${id}"
              name="${id}"
              inputmode="numeric"
              autocomplete="off"
              maxlength="${part === 'day' ? 2 : 4}"
              ${required}
            />`
      }
    </div>`;
  });
}

function select(
  name: string,
  choose: string,
  attributes: Html | false,
  options: readonly (readonly [value: string, label: string])[],
): Html {
  return html`<select id="${name}" name="${name}" autocomplete="off" ${attributes}>
    <option value="">${choose}</option>
    ${options.map(([value, label]) => html`<option value="${value}">${label}</option>`)}
  </select>`;
}
