/**
 * A fresh proof before the gravest acts: an operator who has left the browser, or a stolen session,
 * must not show SSNs or pay money back. The form asks for it unless one was given a moment ago.
 */
import { isProven, reauthenticate } from '../domain/operators/sign-in.js';
import { longestPassword } from '../domain/operators/password.js';
import { textField } from '../pages/fields.js';
import type { FieldError } from '../pages/forms.js';
import type { Html } from '../pages/html.js';
import type { OperatorRequest } from './context.js';
import { passwordField } from './parts.js';
import { consoleTexts as texts } from './texts.js';

const words = texts.proof;
const name = 'proof';

/** The field for the proof; `undefined` when none is needed. */
export function proofField({ services, session }: OperatorRequest, errors: readonly FieldError[]): Html | undefined {
  if (isProven(services.context, session)) return undefined;
  const context = { texts, errors };
  if (!session.operator.hasTotp) {
    return passwordField(context, {
      name,
      label: words.password,
      hint: words.hint,
      autocomplete: 'current-password',
    });
  }
  return textField(context, {
    name,
    label: words.code,
    hint: words.hint,
    width: 'short',
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: 10,
  });
}

/**
 * Checks the posted proof, unless none is needed, and adds an error when it is wrong. Call it when
 * the rest of the form is fine, because a code works once.
 *
 * @throws ApiError `too_many_logins` after too many wrong ones.
 */
export async function checkProof(
  { c, form, services, session }: OperatorRequest,
  check: (isFine: boolean, field: string, message: string) => void,
): Promise<void> {
  if (isProven(services.context, session)) return;
  // As typed: `text` would remove the spaces of a password.
  const [given = ''] = form.all(name);
  const isTypable = given !== '' && given.length <= longestPassword;
  // An ended session proves nothing; its next page leads to the sign-in.
  const isRight = isTypable && (await reauthenticate(services.context, session, given, c.env.address)) === 'right';
  check(isRight, name, session.operator.hasTotp ? words.wrongCode : words.wrongPassword);
}
