/*
 * Type tests, checked by the compiler: the schemas and the interfaces have the same fields, in both
 * directions. `satisfies` would miss an optional field that a schema lacks.
 */
import type { ChannelInit, ElementAnswers, ElementMessages, PageMessages } from '../../src/channel/messages.js';
import type { Infer, Schema } from '../../src/channel/schema.js';
import type {
  answerSchemas,
  ElementMessage,
  elementSchemas,
  PageMessage,
  pageSchemas,
  Welcome,
} from '../../src/channel/schemas.js';

/**
 * Whether two types are identical, including optional fields. The compiler compares deferred types
 * for identity.
 */
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- that it stays open is the point */
type Same<Left, Right> =
  (<Given>() => Given extends Left ? 1 : 2) extends <Given>() => Given extends Right ? 1 : 2 ? true : false;
/* eslint-enable */

/** Flattens interfaces and computed types, on one level and at any depth. */
type Plain<Given> = Given extends (infer Item)[]
  ? Plain<Item>[]
  : Given extends object
    ? // An object without fields.
      keyof Given extends never
      ? object
      : string extends keyof Given
        ? object
        : { [Key in keyof Given]: Plain<Given[Key]> }
    : Given;

type Agrees<Given, Interface> = Given extends Schema ? Same<Plain<Infer<Given>>, Plain<Interface>> : false;

type AllAgree<Schemas, Interfaces> = {
  [Type in keyof Schemas | keyof Interfaces]: Type extends keyof Schemas & keyof Interfaces
    ? Agrees<Schemas[Type], Interfaces[Type]>
    : false;
};

type AllTrue<Interfaces> = { [Type in keyof Interfaces]: true };

type PageEnvelopes = { [Type in keyof PageMessages]: PageMessage<Type> };
type ElementEnvelopes = { [Type in keyof ElementMessages]: ElementMessage<Type> };

/** Compiles only with the type `true`. */
type Holds<Claim extends Expected, Expected> = [Claim, Expected];

/** One entry per comparison. */
export type Claims = [
  Holds<AllAgree<typeof pageSchemas, PageEnvelopes>, AllTrue<PageMessages>>,
  Holds<AllAgree<typeof elementSchemas, ElementEnvelopes>, AllTrue<ElementMessages>>,
  Holds<AllAgree<typeof answerSchemas, ElementAnswers>, AllTrue<ElementAnswers>>,
  Holds<Same<Plain<Welcome['init']>, Plain<ChannelInit>>, true>,
  // Controls: a missing field, a field of another type, and one that is optional on one side only.
  Holds<Agrees<Dirty, { dirty: boolean }>, true>,
  Holds<Agrees<Dirty, { dirty: boolean; savedAt?: string | undefined }>, false>,
  Holds<Agrees<Dirty, { dirty?: boolean | undefined }>, false>,
  Holds<Agrees<Dirty, { dirty: string }>, false>,
  Holds<Agrees<Dirty, object>, false>,
];

type Dirty = Schema<{ dirty: boolean }>;
