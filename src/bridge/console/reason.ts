import { longestReason, shortestReason } from '../domain/applications/reveal.js';
import type { FieldError, PostedForm } from '../pages/forms.js';
import type { Html } from '../pages/html.js';
import { textArea } from './parts.js';
import { consoleTexts as texts } from './texts.js';

/** The field for the reason of an action, which the audit trail keeps. */
export function reasonField(
  form: PostedForm,
  errors: readonly FieldError[],
  label: string = texts.reveal.reason,
): Html {
  return textArea(
    { texts, errors },
    { name: 'reason', label, hint: texts.reveal.reasonHint, value: form.text('reason'), maxlength: longestReason },
  );
}

/** Reads the reason, and adds an error when it is too short or too long. */
export function readReason(form: PostedForm, check: (isFine: boolean, field: string, message: string) => void): string {
  const reason = form.text('reason');
  check(reason.length >= shortestReason && reason.length <= longestReason, 'reason', texts.reveal.reasonShort);
  return reason;
}
