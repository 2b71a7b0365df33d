import { stateCodes } from '../../../src/contract/index.js';
import { code, table } from '../markdown.js';

/** A schema of the OpenAPI document, as far as the pages read it. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: (string | number)[];
  const?: string | number | boolean;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  uniqueItems?: boolean;
}

/** A schema of a page, and the others by their names. */
export type Schemas = Record<string, Schema>;

/** The field of an object or of an object within. */
interface Row {
  path: string;
  schema: Schema;
  isRequired: boolean;
}

/** The record of a producer, which is long: one page describes it, and others link to it. */
const recordWithOwnPage = 'ProducerDetail';

/**
 * Returns a table of all fields of an object, those of objects within included.
 *
 * @param last - The heading of the column that says which fields are always there.
 */
export function fieldTable(schema: Schema, schemas: Schemas, last: 'Required' | 'Always'): string {
  const rows = rowsOf(schema, schemas, '');
  return table(
    ['Field', 'Type', last, 'Limits', 'Description'],
    rows.map(({ path, schema: field, isRequired }) => [
      code(path),
      typeOf(field, schemas),
      isRequired ? 'yes' : '',
      limitsOf(field, schemas).join(', '),
      field.description ?? resolve(field, schemas).description,
    ]),
  );
}

/** Returns the alternatives of a body with several forms; otherwise the schema itself. */
export function formsOf(schema: Schema, schemas: Schemas): Schema[] {
  const { oneOf, ...whole } = resolve(schema, schemas);
  return oneOf ? oneOf.map((each) => resolve(each, schemas)) : [whole];
}

/** Follows a reference. The description beside the reference replaces that of its target. */
export function resolve({ $ref, ...beside }: Schema, schemas: Schemas): Schema {
  if ($ref === undefined) return beside;
  return { ...schemas[nameOf($ref)], ...beside };
}

/** Returns the type of a field in words, such as `string` or `list of objects`. */
export function typeOf(field: Schema, schemas: Schemas): string {
  const schema = resolve(field, schemas);
  if (field.$ref !== undefined && nameOf(field.$ref) === recordWithOwnPage)
    return '[producer](onboard-producer.md#response)';
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, schemas)))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {}, schemas).replace(/\w+/, '$&s')}`;
  if (schema.type === undefined && schema.const !== undefined) return typeof schema.const;
  return schema.type ?? 'any';
}

/** Returns the limits of a field, a few words each. */
export function limitsOf(field: Schema, schemas: Schemas): string[] {
  const schema = resolve(field, schemas);
  const parts = schema.anyOf ?? (schema.items ? [schema.items] : []);
  const isRecord = (part: Schema) => resolve(part, schemas).properties !== undefined;
  const within = parts.filter((part) => !isRecord(part)).flatMap((part) => limitsOf(part, schemas));
  return [...new Set([...valuesOf(schema), ...lengthsOf(schema), ...within, ...defaultOf(schema)])];
}

function rowsOf(schema: Schema, schemas: Schemas, prefix: string): Row[] {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const row = { path, schema: field, isRequired: required.includes(name) };
    return [row, ...objectsIn(field, schemas).flatMap(({ part, mark }) => rowsOf(part, schemas, `${path}${mark}.`))];
  });
}

/** The objects in a field: itself, the items of its list, or one of its alternatives. */
function objectsIn(field: Schema, schemas: Schemas): { part: Schema; mark: '' | '[]' }[] {
  if (field.$ref !== undefined && nameOf(field.$ref) === recordWithOwnPage) return [];
  const schema = resolve(field, schemas);
  if (schema.properties) return [{ part: schema, mark: '' }];
  if (schema.items) return objectsIn(schema.items, schemas).map(({ part }) => ({ part, mark: '[]' }));
  return (schema.anyOf ?? []).flatMap((each) => objectsIn(each, schemas));
}

function valuesOf({ enum: values, const: value, format, pattern }: Schema): string[] {
  if (value !== undefined) return [code(String(value))];
  if (values !== undefined) {
    return String(values) === String(stateCodes)
      ? [`one of ${stateCodes.length} state codes, such as ${code('TX')}`]
      : values.map((each) => code(String(each)));
  }
  if (format !== undefined && format !== 'int64' && format !== 'password') return [format];
  return pattern === undefined ? [] : [`pattern ${code(pattern)}`];
}

function lengthsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum, uniqueItems } = schema;
  return [
    rangeOf(minLength, maxLength, 'characters'),
    rangeOf(minItems, maxItems, 'items'),
    rangeOf(minimum ?? exclusiveMinimum, maximum, ''),
    uniqueItems ? 'no duplicates' : '',
  ].filter((each) => each !== '');
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  const words = unit === '' ? '' : ` ${unit}`;
  const number = (value: number) => value.toLocaleString('en-US');
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `at least ${number(least ?? 0)}${words}`;
  if (least === most) return `${number(most)}${words}`;
  return least === undefined ? `at most ${number(most)}${words}` : `${number(least)}–${number(most)}${words}`;
}

function defaultOf({ default: byDefault, description = '' }: Schema): string[] {
  return byDefault === undefined || description.includes('Default:')
    ? []
    : [`default ${code(JSON.stringify(byDefault))}`];
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
