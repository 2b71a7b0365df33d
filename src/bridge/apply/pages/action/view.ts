import { statusNames } from '../../../../contract/index.js';
import type { RequestedAction } from '../../../domain/applications/action.js';
import type { ListedDocument } from '../../../domain/documents/documents.js';
import { characters } from '../../../domain/limits/limits.js';
import { choice, describedBy, errorLine, shownInput } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';
import { stateName } from '../../../catalogue/state-names.js';
import type { AnyPageContext } from '../../page-context.js';
import { documentsSection } from '../documents/view.js';

/** The form action, the documents that were added to the answer, and the token of both. */
export interface ActionForm {
  shown: string;
  action: string;
  documentsAction: string;
  documents: readonly ListedDocument[];
}

/**
 * A request of a state, which the user answers and confirms. `answer` is only the text of the
 * current post, so that an error does not discard it. No page shows a sent answer.
 */
export function actionPage(
  pageContext: AnyPageContext,
  action: RequestedAction,
  form: ActionForm,
  answer = '',
  errors: readonly FieldError[] = [],
): Page {
  const { texts, language } = pageContext;
  const words = texts.action;
  const name = stateName(action.state.state, language);
  const answerError = errors.find(({ field }) => field === 'answer');
  const confirmError = errors.find(({ field }) => field === 'confirm');
  return {
    title: words.title(name),
    errors,
    reason: { why: words.why, who: words.who(name) },
    lead: words.lead,
    content: html`<div class="inset">
        <h2>${words.reasonTitle}</h2>
        ${reasonOf(action.state.reason, words.noReason)}
      </div>
      ${documentsSection(pageContext, { documents: form.documents, action: form.documentsAction, errors })}
      <noscript><p class="hint">${texts.documents.beforeAnswer}</p></noscript>
      <form method="post" action="${form.action}" novalidate autocomplete="off" data-working="${words.sending}">
        ${shownInput(form.shown)}
        <div class="field ${answerError && 'has-error'}">
          <label for="answer">${words.answer}</label>
          <p class="hint" id="answer-hint">${words.answerHint}</p>
          ${errorLine(texts, 'answer', answerError)}
          <textarea
            id="answer"
            name="answer"
            rows="7"
            maxlength="${characters.followUp.max}"
            autocomplete="off"
            ${describedBy('answer', words.answerHint, answerError)}
          >
${answer}</textarea>
        </div>
        <div class="field ${confirmError && 'has-error'}">
          ${errorLine(texts, 'confirm', confirmError)}
          ${choice({ type: 'checkbox', id: 'confirm', name: 'confirm', value: 'yes', label: words.confirm })}
        </div>
        <div class="buttons"><button class="button" type="submit">${words.send(name)}</button></div>
      </form>`,
  };
}

/**
 * Departments write in English in any language of the page, so the text is marked as English for
 * screen readers.
 */
export function reasonOf(reason: string | null | undefined, noReason: string): Html {
  return reason ? html`<p lang="en">${reason}</p>` : html`<p>${noReason}</p>`;
}

/** The page of a used link. */
export function answeredActionPage(pageContext: AnyPageContext, action: RequestedAction, doneHref: string): Page {
  const { texts, language, agencyName } = pageContext;
  const words = texts.action;
  const name = stateName(action.state.state, language);
  return {
    title: action.wasPaid ? words.feePaidTitle : words.sentTitle,
    tells: 'submitted',
    lead: action.wasPaid ? words.feePaid(name) : words.sent(name),
    content: html`<p>${words.statusNow(statusNames[language][action.state.status])}</p>
      <p class="buttons">
        <a class="button" id="done" href="${doneHref}">${texts.receipt.done(agencyName ?? '')}</a>
      </p>`,
  };
}
