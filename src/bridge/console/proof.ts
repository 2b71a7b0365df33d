/**
 * A fresh proof before the gravest acts: an operator who has left the browser, or a stolen session,
 * must not show SSNs or pay money back. The form asks for it unless one was given a moment ago.
 *
 * An operator with a password gives it in the form itself. One of an identity provider signs in there
 * again, before the form: the way back is a GET, which must not act.
 */
import { isProven, reauthenticate } from '../domain/operators/sign-in.js';
import { longestPassword } from '../domain/operators/password.js';
import { textField } from '../pages/fields.js';
import type { FieldError } from '../pages/forms.js';
import { html, type Html } from '../pages/html.js';
import type { OperatorRequest } from './context.js';
import { csrfInput } from './layout.js';
import { passwordField } from './parts.js';
import { consoleTexts as texts } from './texts.js';

const words = texts.proof;
const name = 'proof';

/** Where an operator of an identity provider begins a proof. */
export const oidcProofPath = '/proof/oidc';

/**
 * Returns the form of a grave act; before a proof of an operator of an identity provider, the form that
 * leads to the provider and back.
 *
 * @param page The path to come back to, which shows the form.
 */
export function behindProof({ services, session }: OperatorRequest, page: string, form: Html): Html {
  const { context, identityProvider } = services;
  if (session.operator.identity === 'local' || isProven(context, session)) return form;
  const provider = identityProvider?.name ?? '';
  return html`<form method="post" action="${oidcProofPath}">
    ${csrfInput(session)}
    <input type="hidden" name="next" value="${page}" />
    <p class="hint">${words.oidcHint(provider)}</p>
    <p class="buttons"><button class="button" type="submit" id="${name}">${words.oidc(provider)}</button></p>
  </form>`;
}

/**
 * The field for the proof, in a form that {@link behindProof} returns; `undefined` when none is needed.
 */
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
  if (session.operator.identity !== 'local') {
    check(false, name, words.oidcMissing);
    return;
  }
  // As typed: `text` would remove the spaces of a password.
  const [given = ''] = form.all(name);
  const isTypable = given !== '' && given.length <= longestPassword;
  // An ended session proves nothing; its next page leads to the sign-in.
  const isRight = isTypable && (await reauthenticate(services.context, session, given, c.env.address)) === 'right';
  check(isRight, name, session.operator.hasTotp ? words.wrongCode : words.wrongPassword);
}
