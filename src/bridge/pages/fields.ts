import type { FieldError } from './forms.js';
import { html, type Html } from './html.js';

/** The common texts of fields, in the page's language. */
export interface FieldTexts {
  layout: { errorPrefix: string; errorSummary: string };
}

/** The context of the fields of a page: texts and errors. */
export interface FieldContext {
  texts: FieldTexts;
  errors: readonly FieldError[];
}

/** A text field. */
export interface TextField {
  /** The name, and the id unless `id` is given. */
  name: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  /** The width, by the length of the expected value. */
  width?: 'tiny' | 'short' | 'medium' | 'full';
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'tel' | 'email';
  type?: 'text' | 'email' | 'tel';
  maxlength?: number;
  /** Whether the browser checks the spelling: off for names and numbers. */
  spellcheck?: boolean;
}

/** A label, its hint, its error and an input. */
export function textField({ texts, errors }: FieldContext, field: TextField): Html {
  const { name, label, hint, value, width = 'full', autocomplete = 'off', inputmode, type = 'text' } = field;
  const error = errors.find((candidate) => candidate.field === name);
  return html`<div class="field ${error && 'has-error'}">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${errorLine(texts, name, error)}
    <input
      class="width-${width}"
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value ?? ''}"
      autocomplete="${autocomplete}"
      maxlength="${field.maxlength ?? 200}"
      ${inputmode && html`inputmode="${inputmode}"`}
      ${describedBy(name, hint, error)}
      spellcheck="false"
    />
  </div>`;
}

/**
 * The field of an SSN or another secret number. It has no value, because the input is never sent
 * back. The script masks and groups its digits and shows the button; without script it is a plain
 * field.
 */
export function maskedField(
  { texts, errors }: FieldContext,
  {
    name,
    label,
    hint,
    show,
    groups,
  }: {
    name: string;
    label: string;
    hint: string;
    show: string;
    /** The lengths of the groups of its digits. Default: those of an SSN. */
    groups?: string;
  },
): Html {
  const error = errors.find((candidate) => candidate.field === name);
  return html`<div class="field ${error && 'has-error'}">
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">${hint}</p>
    ${errorLine(texts, name, error)}
    <div class="masked" ${groups && html`data-groups="${groups}"`}>
      <div class="masked-digits">
        <input
          id="${name}"
          name="${name}"
          type="text"
          inputmode="numeric"
          autocomplete="off"
          maxlength="20"
          spellcheck="false"
          ${describedBy(name, hint, error)}
        />
        <span class="mask" aria-hidden="true"></span>
      </div>
      <button class="show" type="button" aria-pressed="false" aria-controls="${name}" hidden>
        ${show}<span class="visually-hidden"> ${label}</span>
      </button>
    </div>
  </div>`;
}

/** The hidden field with the token of what the page shows, in every form that commits. */
export function shownInput(token: string): Html {
  return html`<input type="hidden" name="shown" value="${token}" />`;
}

/** A group of short fields, such as a date, with one error. */
export function fieldGroup(
  { texts, errors }: FieldContext,
  group: { legend: string; hint?: string; errorField: string; fields: Html[] },
): Html {
  const error = errors.find((candidate) => candidate.field === group.errorField);
  return html`<fieldset
    class="field group ${error && 'has-error'}"
    ${describedBy(group.errorField, group.hint, error, false)}
  >
    <legend>${group.legend}</legend>
    ${group.hint && html`<p class="hint" id="${group.errorField}-hint">${group.hint}</p>`}
    ${errorLine(texts, group.errorField, error)}
    <div class="in-a-row">${group.fields}</div>
  </fieldset>`;
}

/** One of the short fields of a group. */
export function groupedField(
  field: Pick<TextField, 'name' | 'label' | 'value' | 'width' | 'autocomplete' | 'maxlength'>,
  isWrong: boolean,
): Html {
  return html`<div>
    <label class="small" for="${field.name}">${field.label}</label>
    <input
      type="text"
      class="width-${field.width ?? 'tiny'}"
      id="${field.name}"
      name="${field.name}"
      value="${field.value ?? ''}"
      inputmode="numeric"
      autocomplete="${field.autocomplete ?? 'off'}"
      maxlength="${field.maxlength ?? 4}"
      ${isWrong && html`aria-invalid="true"`}
    />
  </div>`;
}

/** A radio button or a check box with its label. */
export function choice(field: {
  type: 'radio' | 'checkbox';
  id: string;
  name: string;
  value: string;
  label: string | Html;
  hint?: string;
  isChecked?: boolean;
}): Html {
  return html`<div class="choice">
    <input
      type="${field.type}"
      id="${field.id}"
      name="${field.name}"
      value="${field.value}"
      ${field.hint && html`aria-describedby="${field.id}-hint"`}
      ${field.isChecked && html`checked`}
    />
    <label for="${field.id}">${field.label}</label>
    ${field.hint && html`<p class="hint" id="${field.id}-hint">${field.hint}</p>`}
  </div>`;
}

/** The error of a field. */
export function errorLine(texts: FieldTexts, name: string, error: FieldError | undefined): Html | undefined {
  return (
    error &&
    html`<p class="error" id="${name}-error">
      <span class="visually-hidden">${texts.layout.errorPrefix}</span> ${error.message}
    </p>`
  );
}

/** Connects a hint and an error to their field, for screen readers. */
export function describedBy(
  name: string,
  hint: string | undefined,
  error: FieldError | undefined,
  isField = true,
): Html | undefined {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  if (ids === '') return undefined;
  return html`aria-describedby="${ids}" ${error && isField && html`aria-invalid="true"`}`;
}

/** The summary of all errors above the page. The script moves the focus to it. */
export function errorSummary({ texts, errors }: FieldContext): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<div class="error-summary" role="alert" tabindex="-1" aria-labelledby="error-summary-title">
    <h2 id="error-summary-title">${texts.layout.errorSummary}</h2>
    <ul>
      ${errors.map(({ field, message, summary }) => html`<li><a href="#${field}">${summary ?? message}</a></li>`)}
    </ul>
  </div>`;
}
