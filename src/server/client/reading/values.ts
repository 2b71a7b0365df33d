/*
 * How answers are read: liberally. The contract says what our bridge sends; other hosts may send more, or shape it otherwise.
 *
 * 1. Unknown fields are kept as they are.
 * 2. A known field that is `null` is as if it were absent.
 * 3. A number in the place of a text is that text, digits in the place of a number are that number.
 * 4. What an answer is useless without is read with `text`, `number`, `flag` and `list`: its absence makes the answer unreadable.
 *    All else is read with `anyText`, `anyNumber`, `anyFlag` and `anyList`, which make the contract's "no value" of it.
 */

/** Reads one value. `undefined` stands for an absent one. @throws Unreadable */
export type Reader<Value> = (value: unknown) => Value;

type Readers = Readonly<Record<string, Reader<unknown>>>;

/** The object that readers of its fields make. A field that may be absent is optional. */
type ReadWith<Fields extends Readers> = {
  [Name in keyof Fields as undefined extends ReturnType<Fields[Name]> ? never : Name]: ReturnType<Fields[Name]>;
} & {
  [Name in keyof Fields as undefined extends ReturnType<Fields[Name]> ? Name : never]?: Exclude<
    ReturnType<Fields[Name]>,
    undefined
  >;
};

/** A value that cannot be understood. Knows where it stood, and never what it was: that may be a secret. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** Names of known fields and places in lists, outermost first. */
  readonly path: (string | number)[] = [];
}

/** A text that must be there. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new Unreadable();
}

/** A text, "" when there is none. Anything else that stands in its place is told as JSON: it is not lost, and is no reason to fail. */
export function anyText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** A number that must be there. */
export function number(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new Unreadable();
}

/** A number, 0 when there is none. The national database's codes have names beside them, so one that is no number is no loss. */
export function anyNumber(value: unknown): number {
  try {
    return number(value);
  } catch {
    return 0;
  }
}

/** Yes or no, and it must be there. */
export function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Unreadable();
}

/** Whether the host says so: a license is in force only if somebody claims it. */
export function anyFlag(value: unknown): boolean {
  return value !== undefined && flag(value);
}

/** A list that must be there. */
export function list<Item>(readItem: Reader<Item>): Reader<Item[]> {
  return function readList(value) {
    if (!Array.isArray(value)) throw new Unreadable();
    return value.map((item: unknown, index) => readAt(index, readItem, item));
  };
}

/** A list, empty when there is none. */
export function anyList<Item>(readItem: Reader<Item>): Reader<Item[]> {
  const readList = list(readItem);
  return (value) => (value === undefined || value === '' ? [] : readList(value));
}

/** What may be absent. */
export function maybe<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return (value) => (value === undefined ? undefined : read(value));
}

/** Readers of many texts that may all be empty. */
export function texts<Name extends string>(...names: Name[]): Record<Name, Reader<string>> {
  return Object.fromEntries(names.map((name) => [name, anyText])) as Record<Name, Reader<string>>;
}

/** An object with these fields, and any others. */
export function object<Fields extends Readers>(fields: Fields): Reader<ReadWith<Fields>> {
  const known = Object.entries(fields);
  return function readObject(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unreadable();
    // In place: it was parsed for this one reading.
    const read = value as Record<string, unknown>;
    // JSON can have a field of this name; whoever copies the object with an assignment would give the copy a prototype.
    if (Object.hasOwn(read, '__proto__')) delete read['__proto__'];
    for (const [name, readField] of known) {
      const given = read[name];
      const field = readAt(name, readField, given ?? undefined);
      // As a rule it is what was given.
      if (field === given) continue;
      if (field !== undefined) read[name] = field;
      else Reflect.deleteProperty(read, name);
    }
    return read as ReadWith<Fields>;
  };
}

function readAt<Value>(place: string | number, read: Reader<Value>, value: unknown): Value {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Unreadable) error.path.unshift(place);
    throw error;
  }
}
