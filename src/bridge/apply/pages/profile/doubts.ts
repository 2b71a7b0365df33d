import { readHeldLicenses } from '../../../domain/applications/profile/known.js';
import { areLinesConfirmed, findLineConflicts } from '../../../domain/applications/profile/line-rules.js';
import type { ProfilePage } from '../../../domain/applications/profile/pages.js';
import { appliedFor, checkNpn } from '../../../domain/applications/profile/profile.js';
import { nameOfState } from '../../../domain/applications/profile/rows.js';
import { conflictSentence } from '../../../domain/applications/profile/texts/line-rules.js';
import type { Values } from '../../../domain/applications/profile/topics.js';
import { findZipDoubt } from '../../../domain/applications/profile/zip-codes.js';
import type { BridgeContext } from '../../../domain/context.js';
import type { FieldError } from '../../../pages/forms.js';
import type { PageContext } from '../../page-context.js';
import { anchorOf } from './form.js';

/** The values that may be right although they look wrong. */
export type DoubtedValue = 'npn' | 'zip' | 'lines';

/** A value that the user has to correct, or to keep. */
export interface Doubt extends FieldError {
  value: DoubtedValue;
}

/** The page of a value, with the options of its field of several choices. */
interface DoubtedPage {
  page: ProfilePage;
  offered: readonly (readonly [value: string, name: string])[];
}

/** Finds a value of a page that looks wrong. One that was kept before is not doubted again. */
export async function findDoubt(
  context: BridgeContext,
  { session, texts, language }: PageContext,
  { page, offered }: DoubtedPage,
  typed: Values,
): Promise<Doubt | undefined> {
  const words = texts.profile;
  if (page.topic === 'about') {
    const check = await checkNpn(context, session, typed);
    return check === 'fine' ? undefined : { value: 'npn', field: 'npn', message: words.npnDoubt[check] };
  }
  const other = findZipDoubt(session.profile, page, typed);
  if (other) return { value: 'zip', field: 'zip', message: words.zipDoubt(nameOfState(other, language)) };
  const hasLines = page.topic === 'authority' || page.topic === 'lines';
  if (!hasLines || areLinesConfirmed(session.profile, page, typed)) return undefined;
  const applied = appliedFor(session);
  const licenses = await readHeldLicenses(context, session);
  const conflicts = findLineConflicts(session.profile, page, typed, applied, licenses);
  if (conflicts.length === 0) return undefined;
  const field = anchorOf(
    page.topic,
    'lines',
    offered.map(([line]) => line),
  );
  const sentences = conflicts.map((conflict) => conflictSentence(conflict, applied.requirements, language));
  return { value: 'lines', field, message: words.lineDoubt(sentences) };
}
