import { assertStorableEncoded } from './storable-text.js';

/** A posted form. Absent and empty fields are equal. */
export interface PostedForm {
  /** A trimmed field with LF line breaks, as browsers count its length, and without invisible characters. */
  text(name: string): string;
  /** All values of a repeated field, such as check boxes. */
  all(name: string): string[];
  /** The length of its longest field, as sent. */
  longest: number;
  /** Whether the user pressed "Save and leave". */
  isLeaving: boolean;
  /** The token of what the page showed, in a form that commits; "" without one. */
  shown: string;
}

/** An error that the user must correct. */
export interface FieldError {
  /** The `id` of the field, for the link in the summary. */
  field: string;
  message: string;
  /** The text in the summary, where the message does not identify the field. */
  summary?: string;
}

/** The result of reading a form: a value, or its errors. */
export type Parsed<Value> = { value: Value; errors?: undefined } | { value?: undefined; errors: FieldError[] };

/** Control characters but NUL, tab and line break. Each may have parted two words. */
const control = /[\x01-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;

/**
 * Marks of direction, and spaces of no width. They come from word processors and are
 * invisible, and a department would read another name.
 */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Reads a body of `application/x-www-form-urlencoded`.
 *
 * @throws UnstorableTextError
 */
export function readForm(body: string): PostedForm {
  assertStorableEncoded(body);
  const fields = new URLSearchParams(body);
  return {
    text: (name) =>
      (fields.get(name) ?? '').replace(/\r\n?/g, '\n').replace(control, ' ').replace(invisible, '').trim(),
    all: (name) => fields.getAll(name),
    longest: Math.max(0, ...[...fields.values()].map((value) => value.length)),
    isLeaving: fields.has('leave'),
    shown: fields.get('shown') ?? '',
  };
}

/** A list that collects errors while a form is read. */
export function collectErrors(): {
  errors: FieldError[];
  check(isFine: boolean, field: string, message: string): void;
} {
  const errors: FieldError[] = [];
  return {
    errors,
    check(isFine, field, message) {
      // One error per field: the first one.
      if (!isFine && !errors.some((error) => error.field === field)) errors.push({ field, message });
    },
  };
}
