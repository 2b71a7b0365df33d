import type { Language } from '../../contract/index.js';
import { describedBy, errorLine, type FieldContext } from './fields.js';
import { html, type Html } from './html.js';

/** The texts of a date, in the page's language. */
export interface DateTexts {
  layout: { dates: { month: string; day: string; year: string; choose: string } };
}

/** A date with separate fields for month, day and year. */
export interface DateField {
  /**
   * The prefix of the field names, followed by `Month`, `Day` and `Year`. Errors belong to the
   * month.
   */
  name: string;
  legend: string;
  hint?: string;
  /** ISO 8601, also incomplete. */
  value?: string | undefined;
  /** Whether it is the user's date of birth, for autofill. */
  isBirthday?: boolean;
  /** Whether it has a day. Default: true. */
  hasDay?: boolean;
}

/**
 * A date with the name of the month, because 4/5 is ambiguous between English and Spanish, and a
 * year of four digits. No calendar, because paging back to a year of birth takes too long.
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

/** January to December, capitalized. */
function monthNames(language: Language): string[] {
  const format = new Intl.DateTimeFormat(`${language}-US`, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const name = format.format(new Date(Date.UTC(2026, month, 1)));
    return name.charAt(0).toUpperCase() + name.slice(1);
  });
}
