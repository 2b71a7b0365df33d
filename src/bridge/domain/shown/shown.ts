/**
 * Forms that commit: what is signed, paid, sent or decided is what the person read.
 *
 * 1. The page posts a token: a keyed hash of what it shows, bound to its form and its subject.
 * 2. The command asserts, under the lock of its transaction, that what is stored now has the same
 *    token.
 * 3. If it has not, nothing is done, and the page is shown again with what is stored now.
 *
 * A link has several holders, such as the user's two tabs and the backend of the partner, and a
 * case has several operators: without the token, one of them changes what another one confirms.
 */
import { isLinkToken, type Keys, sameHash, tokenOf } from '../keys/keys.js';
import { canonicalJson } from '../values/canonical-json.js';

/** A form that commits: see `committing-forms.ts` of each capability. */
export interface CommittingForm<Shown> {
  /** Its name, which is part of the hash: a token of one form is none of another. */
  name: string;
  /** All that the page shows and the command acts on, including the id of its subject. */
  contentOf(shown: Shown): unknown;
}

/** The content of a form has changed since it was shown. Nothing was done. */
export class ChangedSinceShownError extends Error {
  override readonly name = 'ChangedSinceShownError';
}

type KeyContext = Readonly<{ keys: Keys }>;

/** The token of a page. Keyed, so that only the bridge can vouch for what a page showed. */
export function shownToken<Shown>({ keys }: KeyContext, form: CommittingForm<Shown>, shown: Shown): string {
  return tokenOf(keys.of('live').mac('shown', textOf(form, shown)));
}

/**
 * Asserts that what is stored now is what the page showed. Call it under the lock of what the
 * command changes.
 *
 * @param token The posted token; "" when the form had none.
 * @throws ChangedSinceShownError
 */
export function assertAsShown<Shown>(
  { keys }: KeyContext,
  form: CommittingForm<Shown>,
  shown: Shown,
  token: string,
): void {
  // Also with the older keys, so that a change of the key rejects no open page.
  const current = keys.of('live').macs('shown', textOf(form, shown)).map(tokenOf);
  const isCurrent = isLinkToken(token) && current.some((each) => sameHash(Buffer.from(each), Buffer.from(token)));
  if (!isCurrent) throw new ChangedSinceShownError(`The content of the form ${form.name} has changed.`);
}

/**
 * Runs the handler of a committing form. `showAgain` responds with its page, in its current state
 * and with a message, when the content has changed since it was shown.
 */
export async function commitShown<Answer>(
  commit: () => Promise<Answer>,
  showAgain: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof ChangedSinceShownError) return showAgain();
    throw error;
  }
}

function textOf<Shown>({ name, contentOf }: CommittingForm<Shown>, shown: Shown): string {
  return canonicalJson([name, contentOf(shown)]);
}
