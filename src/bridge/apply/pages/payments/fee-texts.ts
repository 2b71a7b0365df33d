import type { Language } from '../../../../contract/index.js';
import type { FeeLine } from '../../../catalogue/fees.js';
import { feesOfSession } from '../../../domain/payments/session-fees.js';
import { listed, stateName } from '../../../catalogue/state-names.js';
import { dollars, type PageContext } from '../../page-context.js';

/** The facts of a page that texts about fees need. */
export type FeePage = Pick<PageContext, 'texts' | 'language' | 'session'>;

/** The cells of a state in the table of fees: the fee of the department, the processing fee, and both. */
export function feeCells({ texts, language }: FeePage, line: FeeLine): [string, string, string] {
  const { stateFeeCents, processingFeeCents, isConfirmedAtFiling } = line;
  const words = texts.payment;
  const money = (cents: number) => dollars(cents, language);
  const processing = money(processingFeeCents);
  const sum = money(stateFeeCents + processingFeeCents);
  if (!isConfirmedAtFiling) return [money(stateFeeCents), processing, sum];
  const known = stateFeeCents > 0 ? words.andMore(money(stateFeeCents)) : words.confirmedAtFiling;
  return [known, processing, words.andMore(sum)];
}

/** The notes about amounts: for renewals in time only, incomplete with the reasons, or not verified. */
export function feeNotes(page: FeePage): string[] {
  return notesWith(page, reasonsOf(page));
}

/** As {@link feeNotes}, without the reasons of each state. */
export function shortFeeNotes(page: FeePage): string[] {
  return notesWith(page, []);
}

function notesWith({ texts, language, session }: FeePage, reasons: readonly string[]): string[] {
  const words = texts.payment;
  const { lines } = feesOfSession(session);
  const unknown = lines.filter(({ isConfirmedAtFiling }) => isConfirmedAtFiling);
  return [
    // No page asks when the license expires.
    ...(session.application.applicationType === 'renewal' ? [words.renewalInTime] : []),
    ...(unknown.length > 0 ? [words.unknownFees(statesOf(unknown, language))] : []),
    ...reasons,
    ...(lines.some(({ sample }) => sample) ? [words.sampleFees] : []),
  ];
}

/** What the unknown fees depend on, and where the lines of authority are unknown. */
function reasonsOf({ texts, language, session }: FeePage): string[] {
  const words = texts.payment;
  const { lines } = feesOfSession(session);
  const { feeConditions } = session.pinned.texts[language];
  const conditionOf = (id: string) => feeConditions[id] ?? id;
  const withoutLines = lines.filter(({ state }) => session.pinned.jurisdiction(state).linesOfAuthority.length === 0);
  return [
    ...lines.flatMap(({ state, dependsOn }) =>
      dependsOn ? [words.feeDependsOn(stateName(state, language), listed(dependsOn.map(conditionOf), language))] : [],
    ),
    ...(withoutLines.length > 0 ? [words.unknownLines(statesOf(withoutLines, language))] : []),
  ];
}

function statesOf(fees: readonly FeeLine[], language: Language): string {
  return listed(
    fees.map(({ state }) => stateName(state, language)),
    language,
  );
}
