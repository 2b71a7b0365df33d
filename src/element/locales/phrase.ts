/** A text with holes, as the tag `str` of `@lit/localize` gives it: in a translation the holes hold numbers, which value comes there. */
export interface TaggedText {
  strings: TemplateStringsArray;
  values: unknown[];
}

/** A text with holes in a translation: what `lit-localize build` writes, or a function, for languages that have to count. */
export type Phrase<Values extends unknown[]> = TaggedText | ((...values: Values) => string);

/** Marks a text with holes. */
export function str(strings: TemplateStringsArray, ...values: unknown[]): TaggedText {
  return { strings, values };
}
