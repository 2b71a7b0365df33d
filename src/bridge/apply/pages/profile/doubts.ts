import type { ProfilePage } from '../../../domain/applications/profile/pages.js';
import { checkNpn } from '../../../domain/applications/profile/profile.js';
import { nameOfState } from '../../../domain/applications/profile/rows.js';
import type { Values } from '../../../domain/applications/profile/topics.js';
import { findZipDoubt } from '../../../domain/applications/profile/zip-codes.js';
import type { BridgeContext } from '../../../domain/context.js';
import type { FieldError } from '../../../pages/forms.js';
import type { PageContext } from '../../page-context.js';

/** The fields whose values may be right although they look wrong. */
export type DoubtedField = 'npn' | 'zip';

/** A value that the user has to correct, or to keep. */
export interface Doubt extends FieldError {
  field: DoubtedField;
}

/** Finds a value of a page that looks wrong. One that was kept before is not doubted again. */
export async function findDoubt(
  context: BridgeContext,
  { session, texts, language }: PageContext,
  page: ProfilePage,
  typed: Values,
): Promise<Doubt | undefined> {
  const words = texts.profile;
  if (page.topic === 'about') {
    const check = await checkNpn(context, session, typed);
    return check === 'fine' ? undefined : { field: 'npn', message: words.npnDoubt[check] };
  }
  const other = findZipDoubt(session.profile, page, typed);
  return other && { field: 'zip', message: words.zipDoubt(nameOfState(other, language)) };
}
