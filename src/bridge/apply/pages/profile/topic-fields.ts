import { countryCodes, countryName } from '../../../domain/applications/profile/countries.js';
import type { Field } from '../../../domain/applications/profile/fields.js';
import { nameOfState } from '../../../domain/applications/profile/rows.js';
import { fieldTexts } from '../../../domain/applications/profile/texts/index.js';
import { fieldsOf, type TopicId, type Values } from '../../../domain/applications/profile/topics.js';
import type { FieldError } from '../../../pages/forms.js';
import { dateField } from '../../../pages/date-field.js';
import { choice, describedBy, errorLine, textField } from '../../../pages/fields.js';
import { html, type Html } from '../../../pages/html.js';
import type { PageContext } from '../../page-context.js';
import { anchorOf } from './form.js';

/** The contents of a topic's page. */
export interface ShownTopic {
  pageContext: PageContext;
  topic: TopicId;
  values: Values;
  errors: readonly FieldError[];
  /** The optional fields that a state requires. */
  required: readonly string[];
  /** The values of its field of several choices, with their names. */
  offered: readonly (readonly [value: string, name: string])[];
}

/**
 * The fields of a topic. Dependent fields are below their choice, and are only visible for its
 * values.
 */
export function topicFields(shown: ShownTopic): Html[] {
  return fieldsOf(shown.topic)
    .filter(([, field]) => field.when === undefined)
    .map(([name, field]) => fieldHtml(shown, name, field));
}

function fieldHtml(shown: ShownTopic, name: string, field: Field): Html {
  const { pageContext, topic, values, errors } = shown;
  const texts = fieldTexts(topic, name, pageContext.language);
  const isOptional = field.isOptional && !shown.required.includes(name);
  const label = isOptional ? `${texts.label} (${pageContext.texts.layout.optional})` : texts.label;
  const value = String(values[name] ?? '');
  const words = { name, label, ...(texts.hint !== undefined && { hint: texts.hint }) };
  const context = { texts: pageContext.texts, errors };
  switch (field.kind) {
    case 'choice':
    case 'choices':
      return choiceField(shown, words, field);
    case 'day':
    case 'month':
      return dayField(shown, words, field, value);
    case 'state':
      return selectField(
        shown,
        words,
        field,
        byName(field.choices as readonly string[], (code) => nameOfState(code, pageContext.language), pageContext),
      );
    case 'country':
      return selectField(
        shown,
        words,
        field,
        byName(countryCodes, (code) => countryName(code, pageContext.language), pageContext),
      );
    case 'lines':
      return linesField(shown, words, field);
    case 'text':
      return textField(context, {
        ...words,
        value,
        maxlength: field.maxLength,
        type: field.input === 'email' ? 'email' : field.input === 'tel' ? 'tel' : 'text',
        ...(field.width && { width: field.width }),
        ...(field.input && { inputmode: field.input }),
        ...(field.autocomplete && { autocomplete: field.autocomplete }),
      });
  }
}

/** The texts of a field. */
interface FieldWords {
  name: string;
  label: string;
  hint?: string;
}

function choiceField(shown: ShownTopic, { name, label, hint }: FieldWords, field: Field): Html {
  const { pageContext, topic, values, errors, offered } = shown;
  const { choices = {} } = fieldTexts(topic, name, pageContext.language);
  const options = Array.isArray(field.choices)
    ? (field.choices as readonly string[]).map((value) => [value, choices[value] ?? value] as const)
    : offered;
  const anchor = anchorOf(
    topic,
    name,
    options.map(([value]) => value),
  );
  const error = errors.find((one) => one.field === anchor);
  const checked = [values[name] ?? []].flat();
  return html`<fieldset class="field depends ${error && 'has-error'}" ${describedBy(anchor, hint, error, false)}>
    <legend>${label}</legend>
    ${hint && html`<p class="hint" id="${anchor}-hint">${hint}</p>`} ${errorLine(pageContext.texts, anchor, error)}
    <div class="choices">
      ${options.map(([value, text]) =>
        choice({
          type: field.kind === 'choices' ? 'checkbox' : 'radio',
          id: `${name}-${value}`,
          name,
          value,
          label: text,
          isChecked: checked.includes(value),
        }),
      )}
    </div>
    ${dependentFields(
      shown,
      name,
      options.map(([value]) => value),
    )}
  </fieldset>`;
}

/** The dependent fields of a choice. Fields that depend on the same values are grouped. */
function dependentFields(shown: ShownTopic, name: string, values: readonly string[]): Html[] {
  const groups: { is: readonly string[]; fields: [string, Field][] }[] = [];
  for (const [dependent, field] of fieldsOf(shown.topic)) {
    if (field.when?.field !== name) continue;
    const last = groups.at(-1);
    if (last && last.is.join() === field.when.is.join()) last.fields.push([dependent, field]);
    else groups.push({ is: field.when.is, fields: [[dependent, field]] });
  }
  return groups.map(({ is, fields }) => {
    // Style sheets use the position of the choice, because without script they cannot compare
    // values.
    const places = is.map((value) => `of-choice-${values.indexOf(value) + 1}`).join(' ');
    return html`<div class="dependent ${places}">
      ${fields.map(([dependent, field]) => fieldHtml(shown, dependent, field))}
    </div>`;
  });
}

function dayField(
  { pageContext, errors }: ShownTopic,
  { name, label, hint }: FieldWords,
  { kind, autocomplete }: Field,
  value: string,
): Html {
  const { texts, language } = pageContext;
  const { dateHint, monthHint } = texts.profile;
  const hasDay = kind === 'day';
  return dateField(
    { texts, errors, language },
    {
      name,
      legend: label,
      hint: hint ?? (hasDay ? dateHint : monthHint),
      value,
      hasDay,
      isBirthday: autocomplete === 'bday',
    },
  );
}

function selectField(
  { pageContext, values, errors }: ShownTopic,
  { name, label, hint }: FieldWords,
  field: Field,
  options: readonly (readonly [string, string])[],
): Html {
  const error = errors.find((one) => one.field === name);
  return html`<div class="field ${error && 'has-error'}">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${errorLine(pageContext.texts, name, error)}
    <select
      class="width-medium"
      id="${name}"
      name="${name}"
      autocomplete="${field.autocomplete ?? 'off'}"
      ${describedBy(name, hint, error)}
    >
      <option value="">${pageContext.texts.profile.choose}</option>
      ${options.map(
        ([value, text]) => html`<option value="${value}" ${value === values[name] && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;
}

function linesField(
  { pageContext, values, errors }: ShownTopic,
  { name, label, hint }: FieldWords,
  field: Field,
): Html {
  const error = errors.find((one) => one.field === name);
  return html`<div class="field ${error && 'has-error'}">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${errorLine(pageContext.texts, name, error)}
    <textarea
      id="${name}"
      name="${name}"
      rows="3"
      maxlength="${field.maxLength}"
      autocomplete="off"
      spellcheck="false"
      ${describedBy(name, hint, error)}
    >
${String(values[name] ?? '')}</textarea>
  </div>`;
}

function byName<Code extends string>(
  codes: readonly Code[],
  nameOf: (code: Code) => string,
  { language }: PageContext,
) {
  const named = codes.map((code) => [code, nameOf(code)] as const);
  return named.sort(([, left], [, right]) => left.localeCompare(right, language));
}
