/*
 * How a caller reads responses and events. This bridge sends exactly what the schemas say. Other
 * hosts may send more, less, or another type, so these functions create a lenient schema from each:
 *
 * 1. Unknown fields, and unknown values of an enum, are kept as they are.
 * 2. A known field that is `null` counts as absent.
 * 3. A number in place of a string is read as that string, and digits in place of a number as that
 *    number.
 * 4. Lengths and patterns are not checked. But a URL must be http or https, because it becomes a
 *    link.
 * 5. An absent string, number, boolean or list is "", 0, `false` or an empty list, unless
 *    `.meta({ received })` of the field says otherwise. See `Reading`.
 */
import { z } from 'zod';
import {
  anyFlag,
  anyList,
  anyNumber,
  anyText,
  flag,
  httpUrl,
  number,
  object,
  readable,
  text,
} from './lenient-values.js';

/**
 * The reading of a field, in its `.meta({ received })`.
 *
 * - `required`: without it, the caller cannot continue.
 * - A regular expression: required, and a string that matches. The document of the API must not
 *   promise more than the spec, so this is no `pattern` of the schema.
 * - `optional`: absent stays absent, as in a field that is optional in the schema.
 */
type Reading = 'required' | RegExp | 'optional';

/** Creates the schema with which a caller reads the response of any host. */
export function received(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return receivedObject(schema);
  if (schema instanceof z.ZodArray) return z.array(received(schema.element as z.ZodType));
  if (schema instanceof z.ZodNumber) return number;
  if (schema instanceof z.ZodBoolean) return flag;
  return isLink(schema) ? httpUrl : withKnownValues(text, schema);
}

/**
 * Creates the schema with which a caller reads the events of any host. The service does not publish
 * their schema, so reading never fails: every field is optional, and an unreadable field or item is
 * omitted.
 */
export function receivedEvent(schema: z.ZodObject): z.ZodType {
  const shape = mapShape(schema, eventField);
  return withType(
    z.preprocess((value) => readable(value, shape), object(shape)),
    schema,
  );
}

function receivedObject(schema: z.ZodObject): z.ZodType {
  const shape = mapShape(schema, responseField);
  // An invalid link or list is omitted where it is optional: the rest of the object is better than
  // nothing.
  const omitted = Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      const inner = field instanceof z.ZodExactOptional ? (field.unwrap() as z.ZodType) : undefined;
      return inner !== undefined && (isLink(inner) || inner instanceof z.ZodArray) ? [[name, received(inner)]] : [];
    }),
  );
  const reader =
    Object.keys(omitted).length > 0 ? z.preprocess((value) => readable(value, omitted), object(shape)) : object(shape);
  return withType(reader, schema);
}

function responseField(schema: z.ZodType): z.ZodType {
  const reading = readingOf(schema);
  if (schema instanceof z.ZodExactOptional) return received(schema.unwrap() as z.ZodType).exactOptional();
  if (reading === 'optional') return received(schema).exactOptional();
  if (reading instanceof RegExp) return text.pipe(z.string().regex(reading));
  return reading === 'required' ? received(schema) : emptyWhenAbsent(schema);
}

/** The reading of a field whose absent value is empty. An object or a URL has no empty value. */
function emptyWhenAbsent(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject || isLink(schema)) return received(schema);
  if (schema instanceof z.ZodArray) return anyList(received(schema));
  if (schema instanceof z.ZodNumber) return anyNumber;
  if (schema instanceof z.ZodBoolean) return anyFlag;
  return withKnownValues(anyText, schema);
}

function eventField(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodLiteral) return schema;
  if (schema instanceof z.ZodExactOptional) return received(schema.unwrap() as z.ZodType).exactOptional();
  if (schema instanceof z.ZodObject) return receivedEvent(schema);
  if (schema instanceof z.ZodArray) {
    const item = received(schema.element as z.ZodType);
    const readableItems = (value: unknown) => {
      const items: unknown[] = Array.isArray(value) ? value : [];
      return items.filter((each) => item.safeParse(each).success);
    };
    return z.preprocess(readableItems, z.array(item)).default([]);
  }
  const reading = readingOf(schema);
  return (reading instanceof RegExp ? text.pipe(z.string().regex(reading)) : received(schema)).exactOptional();
}

function mapShape({ shape }: z.ZodObject, read: (schema: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  const entries = Object.entries<z.ZodType>(shape);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, read(schema).meta({ description: schema.description })]),
  );
}

function readingOf(schema: z.ZodType): Reading | undefined {
  return schema.meta()?.['received'] as Reading | undefined;
}

function isLink(schema: z.ZodType): boolean {
  return schema.meta()?.['format'] === 'uri';
}

/** Adds the values of an enum, for `scripts/contract-types.ts`. */
function withKnownValues(reader: z.ZodType, schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodEnum ? reader.meta({ knownValues: schema.options }) : reader;
}

/** Adds the name and the description of a type, for `scripts/contract-types.ts`. */
function withType(reader: z.ZodType, schema: z.ZodType): z.ZodType {
  const { id, tsType = id, description } = (schema.meta() ?? {}) as Partial<Record<string, string>>;
  // Adding another description to a schema created a new one without the name.
  const { parent } = schema._zod;
  if (id === undefined) return parent ? withType(reader, parent as z.ZodType) : reader;
  return reader.meta({ namedType: { name: tsType, description } });
}
