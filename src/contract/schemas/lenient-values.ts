/*
 * The schemas that read single values of other hosts. `received.ts` builds the schemas of responses
 * and events from them.
 */
import { z } from 'zod';

/** A string. A number in its place is read as that string. */
export const text = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string());

/** A string that may be absent. Another value is kept as JSON. */
export const anyText = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .pipe(z.string())
  .default('');

/** A number. Digits in its place are read as that number. */
export const number = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
  z.number(),
);

/**
 * A number that may be absent. Another value becomes 0; the name of such a code is in another
 * field.
 */
export const anyNumber = number.catch(0).default(0);

/** A boolean. The words `true` and `false` are read as one. */
export const flag = z.preprocess(
  (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
  z.boolean(),
);

/** A boolean that is `false` when it is absent: a license is only active if the host says so. */
export const anyFlag = flag.default(false);

/** An absolute http or https URL: `javascript:` and others must never reach a link. */
export const httpUrl = z.string().regex(/^https?:\/\/./i);

/** A list that may be absent. */
export function anyList(list: z.ZodType) {
  return z.preprocess((value) => (value === '' ? [] : value), list).default([]);
}

/** An object with these fields, and any others. */
export function object(shape: z.core.$ZodLooseShape) {
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
