import type { LicensingApplyError } from '../events/errors.js';
import type { Phrase } from './phrase.js';
import type { Translation } from './translation.js';

/** Every sentence that the element shows, but for the names of states, which are the same in every language. */
export type Texts = {
  readonly [Id in keyof Translation]: Translation[Id] extends Phrase<infer Values>
    ? (...values: Values) => string
    : string;
};

/** The text of an id that was put together; undefined when there is none. */
export function textOf(texts: Texts, id: string): string | undefined {
  return (texts as Readonly<Record<string, unknown>>)[id] as string | undefined;
}

/** What the user reads of a failure: what is said of it alone, or of all of its kind. */
export function failureText(texts: Texts, { code, category }: LicensingApplyError): string {
  return textOf(texts, `error_${code}`) ?? textOf(texts, `error_${category}`) ?? texts.errorTitle;
}
