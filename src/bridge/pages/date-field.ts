import type { Language } from '../../contract/index.js';
import { describedBy, errorLine, type FieldContext } from './fields.js';
import { html, type Html } from './html.js';

/** The words of a date, in the page's language. */
export interface DateTexts {
  layout: { dates: { month: string; day: string; year: string; choose: string } };
}

/** A date, in three fields of its own: month, day and year. */
export interface DateField {
  /** The names of the fields are this with `Month`, `Day` and `Year`; errors belong to the one with `Month`. */
  name: string;
  legend: string;
  hint?: string;
  /** ISO 8601, also incomplete: what is there is shown. */
  value?: string | undefined;
  /** Whether it is the user's birthday, which browsers fill in. */
  isBirthday?: boolean;
  /** Whether the day matters. Default: true. */
  hasDay?: boolean;
}

/**
 * A date with the name of the month, because 4/5 is another day in Spanish than in English, and with a year of four digits. No
 * calendar: paging back to the year of birth takes too long.
 */
export function dateField(
  { texts, errors, language }: FieldContext & { texts: DateTexts; language: Language },
  { name, legend, hint, value = '', isBirthday = false, hasDay = true }: DateField,
): Html {
  const errorField = `${name}Month`;
  const error = errors.find(({ field }) => field === errorField);
  const [year = '', month = '', day = ''] = value.split('-');
  const autocomplete = (part: string) => (isBirthday ? `bday-${part}` : 'off');
  const wrong = error && html`aria-invalid="true"`;
  return html`<fieldset class="field group ${error && 'has-error'}" ${describedBy(errorField, hint, error, false)}>
    <legend>${legend}</legend>
    ${hint && html`<p class="hint" id="${errorField}-hint">${hint}</p>`} ${errorLine(texts, errorField, error)}
    <div class="in-a-row">
      <div>
        <label class="small" for="${errorField}">${texts.layout.dates.month}</label>
        <select
          class="width-month"
          id="${errorField}"
          name="${errorField}"
          autocomplete="${autocomplete('month')}"
          ${wrong}
        >
          <option value="">${texts.layout.dates.choose}</option>
          ${monthNames(language).map(
            (text, index) =>
              html`<option value="${index + 1}" ${Number(month) === index + 1 && html`selected`}>${text}</option>`,
          )}
        </select>
      </div>
      ${hasDay && numberField(`${name}Day`, texts.layout.dates.day, { value: day, maxlength: 2, autocomplete: autocomplete('day'), wrong })}
      ${numberField(`${name}Year`, texts.layout.dates.year, { value: year, maxlength: 4, autocomplete: autocomplete('year'), wrong })}
    </div>
  </fieldset>`;
}

function numberField(
  name: string,
  label: string,
  field: { value: string; maxlength: number; autocomplete: string; wrong: Html | undefined },
): Html {
  return html`<div>
    <label class="small" for="${name}">${label}</label>
    <input
      type="text"
      class="width-tiny"
      id="${name}"
      name="${name}"
      value="${field.value}"
      inputmode="numeric"
      autocomplete="${field.autocomplete}"
      maxlength="${field.maxlength}"
      ${field.wrong}
    />
  </div>`;
}

/** January to December, with a capital as the first word of an option. */
function monthNames(language: Language): string[] {
  const format = new Intl.DateTimeFormat(`${language}-US`, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const name = format.format(new Date(Date.UTC(2026, month, 1)));
    return name.charAt(0).toUpperCase() + name.slice(1);
  });
}
