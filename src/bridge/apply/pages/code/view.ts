import { type AwaitedCode, codeMinutes, resendSeconds } from '../../../domain/applications/proof-code.js';
import { textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html } from '../../../pages/html.js';
import { type Page, stepForm } from '../../layout.js';
import type { PageContext } from '../../page-context.js';

/** Asks for the code that was sent by mail. `isResent`: another one was sent just now. */
export function codePage(
  pageContext: PageContext,
  { maskedAddress }: AwaitedCode,
  { errors = [], isResent = false }: { errors?: readonly FieldError[]; isResent?: boolean } = {},
): Page {
  const { texts } = pageContext;
  const words = texts.code;
  const tooEarly = errors.find(({ field }) => field === 'another');
  return {
    title: words.title,
    errors,
    back: pageContext.path('identity'),
    reason: { why: words.why, who: words.who },
    lead: words.lead(maskedAddress, codeMinutes),
    content: html`
      ${isResent && html`<p class="notice" role="status">${words.sent}</p>`}
      ${stepForm(pageContext, {
        action: pageContext.path('identity/code'),
        isSecret: true,
        content: textField(
          { texts, errors },
          {
            name: 'code',
            label: words.code,
            hint: words.codeHint,
            width: 'short',
            inputmode: 'numeric',
            // With it, phones and browsers offer the code of a mail.
            autocomplete: 'one-time-code',
            maxlength: 12,
          },
        ),
      })}
      <h2>${words.otherTitle}</h2>
      <p>${words.spam}</p>
      <form method="post" action="${pageContext.path('identity/code')}" data-working="${texts.layout.working}">
        <p class="hint" id="another-hint">${words.againWait(resendSeconds)}</p>
        ${tooEarly && html`<p class="error" id="another-error">${tooEarly.message}</p>`}
        <p class="buttons">
          <button
            class="button quiet"
            id="another"
            type="submit"
            name="another"
            value="1"
            aria-describedby="another-hint${tooEarly && ' another-error'}"
          >
            ${words.again}
          </button>
        </p>
      </form>
      <p class="otherwise">${words.other} <a href="${pageContext.path('identity')}">${words.otherLink}</a></p>
    `,
  };
}
