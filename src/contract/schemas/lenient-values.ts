/*
 * The schemas that read values of other hosts. This bridge sends exactly the contract; others may
 * send more, or another type.
 *
 * 1. Unknown fields are kept as they are.
 * 2. A known field that is `null` counts as absent.
 * 3. A number in place of a string is read as that string, and digits in place of a number as that
 *    number.
 * 4. `text`, `number`, `flag` and `list` are required. `anyText`, `anyNumber`, `anyFlag` and
 *    `anyList` may be absent; then they are "", 0, `false` or an empty list.
 */
import { z } from 'zod';

/** A text. */
export const text = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string());

/** A text that may be absent. Another value is kept as JSON. */
export const anyText = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .default('');

/** A number. */
export const number = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
  z.number(),
);

/**
 * A number that may be absent. Another value becomes 0; the name of such a code is in another
 * field.
 */
export const anyNumber = number.catch(0).default(0);

/** A yes or no. */
export const flag = z.preprocess(
  (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
  z.boolean(),
);

/** A boolean that is `false` when it is absent: a license is only active if the host says so. */
export const anyFlag = flag.default(false);

/** An absolute http or https URL: `javascript:` and others must never reach a link. */
export const httpUrl = z.string().regex(/^https?:\/\/./i);

/** A list that may be absent. */
export function anyList<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (value === '' ? [] : value), z.array(item)).default([]);
}

/** The same schema for many fields. */
export function fields<Name extends string, Schema extends z.ZodType>(
  schema: Schema,
  ...names: Name[]
): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** An object with these fields, and any others. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  const isRead = (name: string, value: unknown) =>
    // Copied by assignment, an own `__proto__` would become the prototype of the copy.
    name !== '__proto__' && !(value === null && Object.hasOwn(shape, name));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name, field]) => isRead(name, field)));
  }, z.looseObject(shape));
}

/**
 * The fields of an object without those of `shape` that cannot be read. A value that is no object
 * has no fields.
 */
export function readable(value: unknown, shape: z.core.$ZodLooseShape): Record<string, unknown> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const isReadable = (name: string, field: unknown) =>
    !Object.hasOwn(shape, name) || z.safeParse(shape[name] as z.ZodType, field).success;
  return Object.fromEntries(entries.filter(([name, field]) => isReadable(name, field)));
}
