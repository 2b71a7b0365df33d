/*
 * The part of JSON Schema (2020-12) that the protocol is described with. What is written down is what runs: `parse.ts` interprets
 * it and `protocol-schema.ts` publishes it. Bounds are not optional, so no place in a message is open by mistake.
 */

/** One word. */
export interface ConstSchema {
  readonly type?: undefined;
  readonly const: string;
  readonly enum?: undefined;
}

/** One word of a list. */
export interface EnumSchema {
  readonly type?: undefined;
  readonly const?: undefined;
  readonly enum: readonly string[];
}

/** A text of one pattern, from its start to its end. */
export interface StringSchema {
  readonly type: 'string';
  readonly pattern: string;
}

/** A whole number between two bounds. */
export interface IntegerSchema {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
}

/** Yes or no. */
export interface BooleanSchema {
  readonly type: 'boolean';
}

/** A list of bounded length. */
export interface ArraySchema {
  readonly type: 'array';
  readonly items: Schema;
  readonly minItems: number;
  readonly maxItems: number;
}

/** An object with these fields and no others. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** A place for one value. */
export type Schema =
  ConstSchema | EnumSchema | StringSchema | IntegerSchema | BooleanSchema | ArraySchema | ObjectSchema;

/** The values that fit a schema. */
export type FromSchema<Given> = Given extends { const: infer Word }
  ? Word
  : Given extends { enum: readonly (infer Word)[] }
    ? Word
    : Given extends { type: 'string' }
      ? string
      : Given extends { type: 'integer' }
        ? number
        : Given extends { type: 'boolean' }
          ? boolean
          : Given extends { type: 'array'; items: infer Item }
            ? FromSchema<Item>[]
            : Given extends { type: 'object'; properties: infer Properties; required: readonly (infer Required)[] }
              ? FromProperties<Properties, Required>
              : never;

type FromProperties<Properties, Required> = keyof Properties extends never
  ? object
  : Flat<
      { -readonly [Key in keyof Properties as Key extends Required ? Key : never]: FromSchema<Properties[Key]> } & {
        -readonly [Key in keyof Properties as Key extends Required ? never : Key]?:
          FromSchema<Properties[Key]> | undefined;
      }
    >;

type Flat<Fields> = { [Key in keyof Fields]: Fields[Key] };
