import { isDeepStrictEqual } from 'node:util';
import type { CatalogueContent, Fee, Jurisdiction } from './content.js';

/** The differences between two releases. */
export interface CatalogueDifference {
  kind: 'added' | 'removed' | 'changed';
  /**
   * The changed entry: the file, and the id in it, such as `questions felony` or
   * `fees TX new resident Life Agent (life)`.
   */
  what: string;
  /** The changed fields, or the two amounts of a fee. Empty for an added or removed entry. */
  details: string[];
}

/** Compares two releases, file by file in the order of the folder. */
export function compareCatalogues(from: CatalogueContent, to: CatalogueContent): CatalogueDifference[] {
  return [
    ...compareParts('questions', byId(from.questions), byId(to.questions)),
    ...compareParts('disclosures', byId(from.disclosures), byId(to.disclosures)),
    ...compareParts('attestations', byId(from.attestations), byId(to.attestations)),
    ...compareParts('jurisdictions', withoutFees(from.jurisdictions), withoutFees(to.jurisdictions)),
    ...compareParts('fees', feesByKind(from.jurisdictions), feesByKind(to.jurisdictions), describeFees),
    ...(['en', 'es'] as const).flatMap((language) => {
      const [before, after] = [from.texts[language], to.texts[language]];
      const files = Object.keys(before) as (keyof typeof before)[];
      return files.flatMap((file) =>
        compareParts(
          `${language}/${file}`,
          new Map(Object.entries(before[file])),
          new Map(Object.entries(after[file])),
        ),
      );
    }),
  ];
}

function byId<Part extends { id: string }>(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.map((part) => [part.id, part]));
}

function withoutFees(jurisdictions: readonly Jurisdiction[]): Map<string, unknown> {
  return new Map(jurisdictions.map(({ fees: _, ...rest }) => [rest.code, rest]));
}

function feesByKind(jurisdictions: readonly Jurisdiction[]): Map<string, Fee> {
  return new Map(
    jurisdictions.flatMap(({ code, fees }) =>
      fees.map((fee): [string, Fee] => {
        const { applicationType, residency, licenseClass, lines } = fee;
        return [`${code} ${applicationType} ${residency} ${licenseClass} (${lines.join(', ')})`, fee];
      }),
    ),
  );
}

function compareParts<Part>(
  file: string,
  from: ReadonlyMap<string, Part>,
  to: ReadonlyMap<string, Part>,
  describe: (before: Part, after: Part) => string[] = changedFields,
): CatalogueDifference[] {
  const found: CatalogueDifference[] = [];
  for (const [id, before] of from) {
    const after = to.get(id);
    if (after === undefined) found.push({ kind: 'removed', what: `${file} ${id}`, details: [] });
    else if (!isDeepStrictEqual(before, after)) {
      found.push({ kind: 'changed', what: `${file} ${id}`, details: describe(before, after) });
    }
  }
  for (const id of to.keys()) if (!from.has(id)) found.push({ kind: 'added', what: `${file} ${id}`, details: [] });
  return found;
}

function changedFields(before: unknown, after: unknown): string[] {
  if (before === null || after === null || typeof before !== 'object' || typeof after !== 'object') return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDeepStrictEqual(Reflect.get(before, key), Reflect.get(after, key)),
  );
}

function describeFees(before: Fee, after: Fee): string[] {
  const other = changedFields(before, after).filter((key) => key !== 'stateFeeCents');
  const isAmountSame = before.stateFeeCents === after.stateFeeCents;
  return [...(isAmountSame ? [] : [`${amount(before)} → ${amount(after)}`]), ...other];
}

function amount({ stateFeeCents }: Fee): string {
  return stateFeeCents === undefined ? 'no amount' : `$${(stateFeeCents / 100).toFixed(2)}`;
}
