/** What a form posted. Absent and empty fields read alike. */
export interface PostedForm {
  /** A field, without surrounding white space, its lines ended by LF: so the browser counted it, whatever it sends. */
  text(name: string): string;
  /** All values of a field that may come several times, such as check boxes. */
  all(name: string): string[];
  /** How many characters its longest field has, as it was sent. */
  longest: number;
  /** Whether the user pressed "Save and leave". */
  isLeaving: boolean;
}

/** Something that the user is to put right. */
export interface FieldError {
  /** The `id` of the field that the summary links to. */
  field: string;
  message: string;
  /** What the summary says, where the message alone would not say which field is meant. */
  summary?: string;
}

/** The result of reading a form: a value, or its mistakes. */
export type Parsed<Value> = { value: Value; errors?: undefined } | { value?: undefined; errors: FieldError[] };

/** Reads a body of `application/x-www-form-urlencoded`. */
export function readForm(body: string): PostedForm {
  const fields = new URLSearchParams(body);
  return {
    text: (name) => (fields.get(name) ?? '').replace(/\r\n?/g, '\n').trim(),
    all: (name) => fields.getAll(name),
    longest: Math.max(0, ...[...fields.values()].map((value) => value.length)),
    isLeaving: fields.has('leave'),
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
      // One error a field: the first says what to do first.
      if (!isFine && !errors.some((error) => error.field === field)) errors.push({ field, message });
    },
  };
}
