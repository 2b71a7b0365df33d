import type { Language } from '../../../../contract/index.js';
import type { FieldProblem } from '../../../domain/applications/profile/check.js';
import type { Field } from '../../../domain/applications/profile/fields.js';
import { nameOfState } from '../../../domain/applications/profile/rows.js';
import { fieldTexts } from '../../../domain/applications/profile/texts/index.js';
import { fieldsOf, topicOf, type TopicId, type Values } from '../../../domain/applications/profile/topics.js';
import type { FieldError, PostedForm } from '../../../pages/forms.js';
import { listed } from '../../../catalogue/state-names.js';

/** Reads the form of a topic, complete or not. */
export function readTopicForm(form: PostedForm, topic: TopicId): Values {
  return Object.fromEntries(fieldsOf(topic).map(([name, field]) => [name, readField(form, name, field)]));
}

function readField(form: PostedForm, name: string, { kind, maxLength }: Field): string | string[] {
  const text = (part: string) => oneLine(form.text(part), maxLength);
  if (kind === 'choices') return form.all(name).slice(0, 200);
  if (kind === 'lines') return storable(form.text(name), maxLength);
  if (kind === 'day') return [text(`${name}Year`), text(`${name}Month`), text(`${name}Day`)].join('-');
  if (kind === 'month') return [text(`${name}Year`), text(`${name}Month`)].join('-');
  return text(name);
}

function oneLine(text: string, maxLength: number): string {
  return storable(text.replace(/\p{Cc}+/gu, ' '), maxLength);
}

/**
 * Removes what PostgreSQL cannot store: control characters except line breaks, and an unpaired
 * surrogate where the text is cut.
 */
function storable(text: string, maxLength: number): string {
  return text
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .slice(0, maxLength)
    .replace(/\p{Surrogate}/gu, '');
}

/** Converts the problems of a topic to errors of its fields. */
export function errorsOf(
  topic: TopicId,
  problems: readonly FieldProblem[],
  offered: readonly (readonly [value: string, name: string])[],
  language: Language,
): FieldError[] {
  return problems.map(({ field, problem, states = [] }) => {
    const texts = fieldTexts(topic, field, language);
    const values = offered.map(([value]) => value);
    const names = states.map((state) => nameOfState(state, language));
    const message = (texts.problems?.[problem] ?? texts.missing).replace('{states}', listed(names, language));
    return { field: anchorOf(topic, field, values), message };
  });
}

/** The id of the first element of a field, for links to it. */
export function anchorOf(topic: TopicId, name: string, offered: readonly string[]): string {
  const field = topicOf(topic).fields[name];
  if (field?.kind === 'day' || field?.kind === 'month') return `${name}Month`;
  if (field?.kind === 'choices') return `${name}-${offered[0] ?? ''}`;
  if (field?.kind === 'choice') return `${name}-${Array.isArray(field.choices) ? String(field.choices[0]) : ''}`;
  return name;
}
