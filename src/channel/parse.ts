import type { ArraySchema, FromSchema, ObjectSchema, Schema } from './schema.js';
import { isRecord } from './window-message.js';

/**
 * Holds a value against a schema, as JSON Schema means it; a field that is `undefined` counts as absent. Returns a copy made of
 * nothing but what the schema has a place for, or `undefined` when the value does not fit.
 *
 * Never throws. Each value is read once, so what was checked is what is returned, whatever a getter says the next time.
 */
export function parse<Given extends Schema>(schema: Given, value: unknown): FromSchema<Given> | undefined {
  try {
    return copyOf(schema, value) as FromSchema<Given> | undefined;
  } catch {
    // A getter or a proxy of the page around us. What came in a message is a structured clone and has neither.
    return undefined;
  }
}

/** No schema has a place for `undefined`, so it can say that a value does not fit. */
function copyOf(schema: Schema, value: unknown): unknown {
  if (schema.type === 'object') {
    return isRecord(value) && !Array.isArray(value) ? copyOfFields(schema, value) : undefined;
  }
  if (schema.type === 'array') return Array.isArray(value) ? copyOfItems(schema, value) : undefined;
  return isScalar(schema, value) ? value : undefined;
}

function copyOfFields({ properties, required }: ObjectSchema, value: Record<string, unknown>): object | undefined {
  // Own names only, or a field named `constructor` would count as known.
  if (!Object.keys(value).every((key) => Object.hasOwn(properties, key))) return undefined;
  const copy: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined && !required.includes(key)) continue;
    copy[key] = copyOf(schema, given);
    if (copy[key] === undefined) return undefined;
  }
  return copy;
}

function copyOfItems({ items, minItems, maxItems }: ArraySchema, value: unknown[]): unknown[] | undefined {
  const { length } = value;
  if (length < minItems || length > maxItems) return undefined;
  // By index, by no method of the array: it could have one of its own, and most leave out what a sparse one does not have.
  const copy = Array.from({ length }, (_, index) => copyOf(items, value[index]));
  return copy.includes(undefined) ? undefined : copy;
}

function isScalar(schema: Exclude<Schema, ObjectSchema | ArraySchema>, value: unknown): boolean {
  if (schema.type === 'integer') {
    return Number.isInteger(value) && (value as number) >= schema.minimum && (value as number) <= schema.maximum;
  }
  if (schema.type === undefined) return (schema.enum ?? [schema.const]).includes(value as string);
  return (
    typeof value === schema.type && (!('pattern' in schema) || new RegExp(schema.pattern, 'u').test(value as string))
  );
}
