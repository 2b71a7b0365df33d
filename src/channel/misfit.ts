import { parse } from './parse.js';
import type { Schema } from './schema.js';
import { isRecord } from './window-message.js';

/**
 * The way to the first place at which a value does not fit, such as `payload.states.0.state`. Names of fields and positions
 * only: the value could be the very thing that must not be told.
 */
export function pathToMisfit(schema: Schema, value: unknown): string {
  try {
    return keysToMisfit(schema, value).join('.');
  } catch {
    // A getter that throws is the misfit; what it says is none of our business.
    return '';
  }
}

function keysToMisfit(schema: Schema, value: unknown): (string | number)[] {
  if (schema.type === 'object' && isRecord(value)) {
    const { properties, required } = schema;
    const surplus = Object.keys(value).find((key) => !Object.hasOwn(properties, key));
    if (surplus !== undefined) return [surplus];
    for (const [key, inner] of Object.entries(properties)) {
      const isAbsent = value[key] === undefined && !required.includes(key);
      if (!isAbsent && parse(inner, value[key]) === undefined) return [key, ...keysToMisfit(inner, value[key])];
    }
  }
  if (schema.type === 'array' && Array.isArray(value)) {
    const index = value.findIndex((item) => parse(schema.items, item) === undefined);
    if (index >= 0) return [index, ...keysToMisfit(schema.items, value[index])];
  }
  return [];
}
