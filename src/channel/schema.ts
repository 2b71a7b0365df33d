/*
 * The schemas are JSON Schema itself, with the few keywords that messages need, so what is published
 * is what runs. They are interpreted by one function, without `new Function`, which a strict
 * Content-Security-Policy forbids. A library for schemas would be a fifth of what the element loads.
 */

/** The type that a schema describes, for the compiler only. */
declare const described: unique symbol;

/** A JSON Schema of values of one type. */
export interface Schema<Value = unknown> {
  readonly [described]?: Value;
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** The type of the values that a schema accepts. */
export type Infer<Given extends Schema> = Given extends Schema<infer Value> ? Value : never;

type Properties = Record<string, Schema>;
type ValueOf<Required extends Properties> = { -readonly [Key in keyof Required]: Infer<Required[Key]> };
type Flat<Given> = { [Key in keyof Given]: Given[Key] };

/** The result of {@link check}: a copy of the value, or the place that does not match. */
export type Checked<Value> = { value: Value; path?: undefined } | { value?: undefined; path: string };

/** `true` or `false`. */
export const boolean: Schema<boolean> = { type: 'boolean' };

/** One of these words. */
export function words<const Word extends string>(...list: readonly Word[]): Schema<Word> {
  return { type: 'string', enum: list };
}

/** An integer between these, inclusive. */
export function integer(minimum: number, maximum: number): Schema<number> {
  return { type: 'integer', minimum, maximum };
}

/** A text with a pattern, read as Unicode without other flags, because JSON Schema has none. */
export function text(pattern: RegExp, limits: { maxLength?: number } = {}): Schema<string> {
  return { type: 'string', pattern: pattern.source, ...limits };
}

/** A list with as many items. */
export function list<Item>(
  items: Schema<Item>,
  limits: Required<Pick<Schema, 'maxItems'>> & Pick<Schema, 'minItems'>,
): Schema<Item[]> {
  return { type: 'array', items, ...limits };
}

/** An object with these properties and no others. */
export function object<Required extends Properties>(required: Required): Schema<ValueOf<Required>>;
export function object<Required extends Properties, Optional extends Properties>(
  required: Required,
  optional: Optional,
): Schema<Flat<ValueOf<Required> & { [Key in keyof ValueOf<Optional>]?: ValueOf<Optional>[Key] | undefined }>>;
export function object(required: Properties, optional?: Properties): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/**
 * Checks a value. Returns a copy that has the fields of the schema only, or the path of the first
 * place that does not match; the path never contains a value.
 */
export function check<Value>(schema: Schema<Value>, value: unknown): Checked<Value> {
  try {
    return { value: copy(schema, value, []) as Value };
  } catch (error) {
    if (error instanceof Mismatch) return { path: error.path.join('.') };
    throw error;
  }
}

class Mismatch extends Error {
  readonly path: readonly PropertyKey[];

  constructor(path: readonly PropertyKey[]) {
    super();
    this.path = path;
  }
}

/** @throws {Mismatch} */
function copy(schema: Schema, value: unknown, path: readonly PropertyKey[]): unknown {
  const { minimum = 0, maximum = 0, minItems = 0, maxItems = 0, maxLength = Infinity } = schema;
  switch (schema.type) {
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'integer':
      if (Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return value;
      break;
    case 'string':
      if (typeof value !== 'string' || value.length > maxLength) break;
      if (schema.enum?.includes(value) ?? new RegExp(schema.pattern ?? '', 'u').test(value)) return value;
      break;
    case 'array': {
      const { items } = schema;
      if (!items || !Array.isArray(value) || value.length < minItems || value.length > maxItems) break;
      return Array.from(value, (item, index) => copy(items, item, [...path, index]));
    }
    case 'object':
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return copyObject(schema, value, path);
  }
  throw new Mismatch(path);
}

function copyObject({ properties = {}, required = [] }: Schema, value: object, path: readonly PropertyKey[]): unknown {
  const copied: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties)) {
    const inner: unknown = (value as Record<string, unknown>)[key];
    if (inner !== undefined || required.includes(key)) copied[key] = copy(schema, inner, [...path, key]);
  }
  const surplus = Object.keys(value).find((key) => !Object.hasOwn(properties, key));
  if (surplus !== undefined) throw new Mismatch([...path, surplus]);
  return copied;
}
