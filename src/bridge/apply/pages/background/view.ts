import { incidentName } from '../../../catalogue/answers.js';
import type { AskedQuestion } from '../../../catalogue/questions.js';
import { choice, describedBy, errorLine } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { actionOf, type Page, stepForm } from '../../layout.js';
import { longDate, type PageContext } from '../../page-context.js';
import { followUpField } from './follow-up-field.js';

/** One page of questions. */
export interface QuestionPage {
  /** Its id; the title is in the catalogue. */
  group: string;
  questions: readonly AskedQuestion[];
  part: { index: number; count: number };
  /** The path before this one. */
  back: string;
  answered: ReadonlySet<string>;
}

/**
 * A small group of questions. It receives no answers: an answered question is marked and empty,
 * also in the response to a post with errors. The valid answers of that post are saved, so the user
 * repeats only those with errors.
 */
export function backgroundPage(pageContext: PageContext, page: QuestionPage, errors: readonly FieldError[] = []): Page {
  const words = pageContext.texts.background;
  return {
    title: pageContext.session.pinned.texts[pageContext.language].groups[page.group] ?? page.group,
    errors,
    back: page.back,
    part: page.part,
    reason: { why: words.why, who: words.who, isOpen: page.part.index === 1 },
    // Once, so that the question is high on the pages after the first.
    ...(page.part.index === 1 && { lead: words.lead }),
    content: html`${stepForm(pageContext, {
      action: actionOf(pageContext, `background/${page.group}`),
      isSecret: true,
      asksForDetails: true,
      content: page.questions.map((question) => questionFields(pageContext, question, page.answered, errors)),
    })}`,
  };
}

/** Offers the answers of an earlier application. */
export function reuseAnswersPage(pageContext: PageContext, answeredAt: Date, errors: readonly FieldError[] = []): Page {
  const { texts, language } = pageContext;
  const words = texts.background;
  const error = errors.find(({ field }) => field === 'reuse');
  return {
    title: words.reuseTitle,
    errors,
    back: pageContext.path('identity'),
    reason: { why: words.why, who: words.who },
    lead: words.reuseLead(longDate(answeredAt, language)),
    content: html`${stepForm(pageContext, {
      action: pageContext.path('background/earlier'),
      isSecret: true,
      content: html`<fieldset class="field ${error && 'has-error'}" ${describedBy('reuse', undefined, error, false)}>
        <legend class="visually-hidden">${words.reuseTitle}</legend>
        ${errorLine(texts, 'reuse', error)}
        ${choice({ type: 'radio', id: 'reuse', name: 'reuse', value: 'yes', label: words.reuse, hint: words.reuseHint })}
        ${choice({ type: 'radio', id: 'reuse-no', name: 'reuse', value: 'no', label: words.answerAll })}
      </fieldset>`,
    })}`,
  };
}

function questionFields(
  pageContext: PageContext,
  question: AskedQuestion,
  answered: ReadonlySet<string>,
  errors: readonly FieldError[],
): Html {
  const { id, number, followUps, below } = question;
  const { texts, language, session } = pageContext;
  const words = texts.background;
  const field = `${id}-yes`;
  const error = errors.find((candidate) => candidate.field === field);
  const kept = answered.has(id) && html`<p class="kept">${words.kept}</p>`;
  const { ask = id, scope, help } = session.pinned.texts[language].questions[id] ?? {};
  const details = [
    ...followUps.map((followUp) => followUpField(pageContext, id, followUp)),
    moreIncidents(pageContext, question, 1),
    ...below.map((each) => questionFields(pageContext, each, new Set(), errors)),
  ].filter((part) => part !== undefined);
  return html`<fieldset
    class="field question reveals ${error && 'has-error'}"
    ${describedBy(field, help, error, false)}
  >
    <legend>
      ${number !== undefined && `${number}. `}${ask}${scope && html` <span class="scope">${scope}</span>`}
    </legend>
    ${help && html`<p class="hint" id="${field}-hint">${help}</p>`} ${kept} ${errorLine(texts, field, error)}
    <div class="yes-no">
      ${choice({ type: 'radio', id: field, name: id, value: 'yes', label: texts.layout.yes })}
      ${choice({ type: 'radio', id: `${id}-no`, name: id, value: 'no', label: texts.layout.no })}
    </div>
    ${
      details.length > 0 &&
      html`<div class="follow-up" role="group" aria-label="${words.ifYes}">
        <p class="if-yes">${words.ifYes}:</p>
        ${details}
      </div>`
    }
  </fieldset>`;
}

/** The next incident, closed, which holds the one after it: without script one at a time opens. */
function moreIncidents(pageContext: PageContext, question: AskedQuestion, index: number): Html | undefined {
  if (index === question.maxIncidents) return undefined;
  const { texts, language } = pageContext;
  const name = incidentName(index, language);
  return html`<details class="more">
    <summary>${texts.background.another}</summary>
    <div class="incident" role="group" aria-label="${name}">
      <p class="incident-name">${name}</p>
      <p class="hint">${texts.background.anotherHint}</p>
      ${question.followUps.map((followUp) => followUpField(pageContext, question.id, followUp, index))}
    </div>
    ${moreIncidents(pageContext, question, index + 1)}
  </details>`;
}
