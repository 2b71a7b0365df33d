import { isReuseEnded, type SsnOffer } from '../../../domain/applications/identity.js';
import { confirmedAddress, maskAddress } from '../../../domain/applications/proof-code.js';
import { pagesOf } from '../../../domain/applications/profile/pages.js';
import { appliedFor } from '../../../domain/applications/profile/profile.js';
import { choice, describedBy, errorLine, maskedField, textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { actionOf, type Page, stepForm } from '../../layout.js';
import type { PageContext } from '../../page-context.js';

/**
 * Asks for the SSN. It receives no value: the input is not repeated, not even with an error,
 * because anyone with the link can open the page.
 */
export function identityPage(
  pageContext: PageContext,
  offer: SsnOffer | undefined,
  errors: readonly FieldError[] = [],
): Page {
  const { texts } = pageContext;
  const words = texts.identity;
  return {
    title: words.title,
    errors,
    back: pageContext.path(pageContext.isChange ? 'review' : lastProfilePage(pageContext)),
    reason: { why: words.why, who: words.who, isOpen: true },
    lead: words.lead,
    content: html`${stepForm(pageContext, {
      action: actionOf(pageContext, 'identity'),
      isSecret: true,
      content: offer ? choices(pageContext, offer, errors) : onlyTyping(pageContext, errors),
    })}`,
  };
}

function lastProfilePage({ session }: PageContext): string {
  const last = pagesOf(session.profile, appliedFor(session)).at(-1);
  return last ? `profile/${last.key}` : 'profile';
}

function onlyTyping(pageContext: PageContext, errors: readonly FieldError[]): Html {
  const { texts, session } = pageContext;
  const words = texts.identity;
  return html`
    ${
      session.check.passedAt === null &&
      isReuseEnded(session) &&
      html`<div class="inset">
        <h2>${words.endedTitle}</h2>
        <p>${pageContext.sendsMail ? words.proofEnded : words.ended}</p>
      </div>`
    }
    ${ssnFields(pageContext, errors)} ${codesTo(pageContext)}
  `;
}

/**
 * Where codes will go: the user sees it before the SSN is stored, and another person with the link may
 * have changed the address.
 */
function codesTo({ texts, session, sendsMail }: PageContext): Html | undefined {
  const address = confirmedAddress(session);
  if (!sendsMail || address === undefined) return undefined;
  return html`<p class="hint">${texts.identity.codesTo(maskAddress(address))}</p>`;
}

function choices(
  pageContext: PageContext,
  { use, needsDigits, maskedAddress }: SsnOffer,
  errors: readonly FieldError[],
): Html {
  const { texts } = pageContext;
  const words = texts.identity;
  const error = errors.find(({ field }) => field === use);
  // With errors of the typed SSN, "typed" was chosen: the choice is not secret.
  const isTyping = errors.some(({ field }) => field === 'ssn');
  const isKeeping = use === 'keep';
  const isResuming = isKeeping && needsDigits;
  return html`
    <div class="inset">
      <h2>${isResuming ? words.savedTitle : isKeeping ? words.providedTitle : words.earlierTitle}</h2>
      <p>${isResuming ? words.saved : isKeeping ? words.provided : words.earlier}</p>
    </div>
    <fieldset class="field reveals ${error && 'has-error'}" ${describedBy(use, undefined, error, false)}>
      <legend>${words.choice}</legend>
      ${errorLine(texts, use, error)}
      ${choice({ type: 'radio', id: use, name: 'use', value: use, label: isKeeping ? words.keep : words.useEarlier, isChecked: !isTyping && !error })}
      ${
        needsDigits &&
        html`<div class="follow-up of-stored">
          ${textField({ texts, errors }, { name: 'ssnLastFour', label: words.lastFour, hint: maskedAddress === undefined ? words.lastFourHint : words.lastFourThenCode(maskedAddress), width: 'tiny', inputmode: 'numeric', maxlength: 4 })}
        </div>`
      }
      ${choice({
        type: 'radio',
        id: 'use-typed',
        name: 'use',
        value: 'typed',
        label: words.typeNew,
        isChecked: isTyping,
        ...(isResuming ? { hint: maskedAddress === undefined ? words.typeNewHint : words.typeNewHintAgain } : {}),
      })}
      <div class="follow-up of-typed">${ssnFields(pageContext, errors)}</div>
    </fieldset>
  `;
}

function ssnFields({ texts }: PageContext, errors: readonly FieldError[]): Html {
  const words = texts.identity;
  return maskedField({ texts, errors }, { name: 'ssn', label: words.ssn, hint: words.ssnHint, show: words.show });
}
