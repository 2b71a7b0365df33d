import type { oas31 } from 'zod-openapi';
import { html, type Html } from './html.js';
import { words } from './prose.js';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** The name of the component that a reference points at. */
export function nameOf({ $ref }: oas31.ReferenceObject): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Whether a part of the document stands somewhere else. */
export function isReference(part: object): part is oas31.ReferenceObject {
  return '$ref' in part;
}

/** The fields of an object, those inside of it included; what has a name is linked instead. */
export function fields(schema: Schema): Html | undefined {
  if (isReference(schema)) return undefined;
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return undefined;
  return html`<ul class="fields">
    ${properties.map(([name, field]) => fieldItem(name, field, schema.required?.includes(name) ?? false))}
  </ul>`;
}

function fieldItem(name: string, field: Schema, isRequired: boolean): Html {
  const inside = isReference(field) ? undefined : (fields(field) ?? (field.items && fields(field.items)));
  return html`<li>
    <p class="field">
      <code>${name}</code>
      <span class="type">${typeOf(field)}</span> ${!isRequired && html`<span class="type">optional</span>`}
    </p>
    ${field.description && html`<p>${words(field.description)}</p>`} ${inside}
  </li>`;
}

/** What a value looks like, in a few words, with links to what has a name. */
export function typeOf(schema: Schema): Html {
  if (isReference(schema)) return html`<a href="#schema-${nameOf(schema)}">${nameOf(schema)}</a>`;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return html`${separated(alternatives.map(typeOf), ' or ')}`;
  const values: unknown[] | undefined = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return html`${valueList(values)}`;
  if (schema.type === 'array' && schema.items) return html`array of ${typeOf(schema.items)}${limits(schema)}`;
  return html`${schema.type}${limits(schema)}`;
}

function valueList(values: unknown[]): (Html | string)[] {
  return separated(
    values.map((value) => html`<code>${value === '' ? '""' : String(value)}</code>`),
    values.length > 8 ? ' ' : ' or ',
  );
}

function separated(parts: Html[], separator: string): (Html | string)[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

function limits({
  format,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  pattern,
}: oas31.SchemaObject): string {
  const known = [
    format,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    // Where there is a format, the pattern says the same in more signs.
    format === undefined && pattern !== undefined && pattern.length <= 60 ? pattern : undefined,
  ];
  return known
    .filter((limit) => limit !== undefined)
    .map((limit) => `, ${limit}`)
    .join('');
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `from ${String(least)}${unit}`;
  return least === undefined ? `up to ${String(most)}${unit}` : `${String(least)}–${String(most)}${unit}`;
}
