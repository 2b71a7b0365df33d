import type { FieldError } from '../forms/form.js';
import type { Visit } from '../visit.js';
import { choice, describedBy, errorLine, textField } from './fields.js';
import { actionOf, stepForm } from './form.js';
import { html, type Html } from './html.js';
import type { Page } from './layout.js';

/**
 * Asks for the SSN. Takes no value to show: what was typed is not repeated, not even beside an error about it, because
 * whoever holds the link could open the page.
 */
export function identityPage(
  visit: Visit,
  alternative: 'earlier' | 'keep' | undefined,
  errors: readonly FieldError[] = [],
): Page {
  const { texts } = visit;
  const words = texts.identity;
  return {
    title: words.title,
    errors,
    back: visit.isChange ? visit.path('review') : visit.path('profile'),
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead}</p>
      ${stepForm(visit, {
        action: actionOf(visit, 'identity'),
        content: alternative ? choices(visit, alternative, errors) : ssnFields(visit, errors),
      })}`,
  };
}

function choices(visit: Visit, alternative: 'earlier' | 'keep', errors: readonly FieldError[]): Html {
  const { texts } = visit;
  const words = texts.identity;
  const error = errors.find(({ field }) => field === alternative);
  // Errors of the typed SSN mean that typing was chosen: the choice itself is no secret.
  const isTyping = errors.some(({ field }) => field.startsWith('ssn'));
  return html`
    <div class="inset">
      <h2>${alternative === 'keep' ? words.providedTitle : words.earlierTitle}</h2>
      <p>${alternative === 'keep' ? words.provided : words.earlier}</p>
    </div>
    <fieldset class="field reveals ${error && 'has-error'}" ${describedBy(alternative, undefined, error, false)}>
      <legend>${words.choice}</legend>
      ${errorLine(texts, alternative, error)}
      ${choice({ type: 'radio', id: alternative, name: 'use', value: alternative, label: alternative === 'keep' ? words.keep : words.useEarlier, isChecked: !isTyping && !error })}
      ${choice({ type: 'radio', id: 'use-typed', name: 'use', value: 'typed', label: words.typeNew, isChecked: isTyping })}
      <div class="follow-up">${ssnFields(visit, errors)}</div>
    </fieldset>
  `;
}

function ssnFields({ texts }: Visit, errors: readonly FieldError[]): Html {
  const words = texts.identity;
  const fields = { texts, errors };
  const like = { width: 'medium', inputmode: 'numeric', maxlength: 11 } as const;
  return html`
    ${textField(fields, { ...like, name: 'ssn', label: words.ssn, hint: words.ssnHint })}
    ${textField(fields, { ...like, name: 'ssnAgain', label: words.again, hint: words.againHint })}
  `;
}
