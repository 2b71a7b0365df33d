import { attestationsFor } from '../../../catalogue/disclosures.js';
import { type Answers, readableAnswers } from '../../../catalogue/answers.js';
import { questionPagesFor, type QuestionGroup, flattenQuestions } from '../../../catalogue/questions.js';
import { typeName } from '../../../catalogue/type-names.js';
import { mayChooseStates } from '../../../domain/applications/chosen-states.js';
import { fullName, profileRows } from '../../../domain/applications/profile/profile.js';
import type { ProfileRow, ProfileSection } from '../../../domain/applications/profile/rows.js';
import { feesOfSession } from '../../../domain/payments/session-fees.js';
import { choice, describedBy, errorLine, shownInput, textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { changeLink, type Page, stepForm } from '../../layout.js';
import { feeHints } from '../payments/view.js';
import { listed, stateName } from '../../../catalogue/state-names.js';
import { dollars, type PageContext } from '../../page-context.js';

/** One page of the profile step, or what is applied for, of which only the states can be changed. */
type Reviewed = Pick<ProfileSection, 'title' | 'rows'> & Partial<Pick<ProfileSection, 'path'>>;

interface Row {
  name: string;
  value: string | readonly string[];
  /** The page that changes the answer. */
  change?: string;
}

/** The signature of a post with errors, so that an error in the name keeps the ticks. */
export interface PostedSignature {
  signedName: string;
  attested: readonly string[];
}

/** The unsaved parts of the page. */
export interface ReviewShown {
  posted?: PostedSignature;
  /** The token of the form: what the user has read. */
  shown: string;
  errors?: readonly FieldError[];
  /** The user's answers: only in the response to a post with the last four digits of the SSN. */
  answers?: Answers;
}

const notSigned: PostedSignature = { signedName: '', attested: [] };

/**
 * The review before the signature: which answers were given, and the answers themselves after the
 * last four digits of the SSN.
 */
export function reviewPage(
  pageContext: PageContext,
  { posted = notSigned, shown, errors = [], answers }: ReviewShown,
): Page {
  const { texts, session } = pageContext;
  const words = texts.review;
  return {
    title: words.title,
    errors,
    back: pageContext.path('disclosures'),
    reason: { why: words.why, who: words.who },
    lead: words.lead,
    content: html`<div class="reviewed">
        ${profileRows(session, pageContext.language).map((section) => reviewed(pageContext, section))}
        ${reviewed(pageContext, {
          title: words.license,
          rows: licenseRows(pageContext),
          ...(mayChooseStates(session.application) && { path: 'states' }),
        })}
      </div>
      ${feeHints(pageContext)}
      ${
        answers
          ? questionPagesFor(session.pinned, session.application).map((page) =>
              summary(
                groupTitle(pageContext, page.group),
                shownRows(pageContext, page, answers),
                pageContext,
                'answered',
              ),
            )
          : showAnswersForm(pageContext, errors)
      }
      ${summary(texts.review.answersTitle, answerRows(pageContext, answers !== undefined), pageContext, 'provided')}
      ${stepForm(pageContext, {
        action: pageContext.path('review'),
        submit: isPaidNext(pageContext) ? words.submitAndPay : words.submit,
        working: isPaidNext(pageContext) ? texts.layout.working : words.submitting,
        content: html`${shownInput(shown)} ${signature(pageContext, posted, errors)}`,
      })}`,
  };
}

function isPaidNext({ session }: PageContext): boolean {
  return session.application.paymentMethod === 'user_pays';
}

function licenseRows(pageContext: PageContext): ProfileRow[] {
  const { texts, language, session, agencyName } = pageContext;
  const words = texts.review;
  const { application } = session;
  const total = dollars(feesOfSession(session).totalCents, language);
  return [
    { label: words.applicationType, value: [typeName(application.applicationType, language)] },
    { label: words.licenseType, value: [typeName(application.licenseType, language)] },
    {
      label: words.states,
      value: [
        listed(
          application.states.map((state) => stateName(state, language)),
          language,
        ),
      ],
    },
    { label: words.fees, value: [total, isPaidNext(pageContext) ? words.paidNext : words.billed(agencyName)] },
  ];
}

function groupTitle({ session, language }: PageContext, group: string): string {
  return session.pinned.texts[language].groups[group] ?? group;
}

/** The user's answers by question. */
function shownRows(pageContext: PageContext, { group, questions }: QuestionGroup, answers: Answers): Row[] {
  const { texts, session, language } = pageContext;
  const ids = new Set(flattenQuestions(questions).map(({ id }) => id));
  return readableAnswers(session.pinned, session.application, answers, language)
    .filter(({ id }) => ids.has(id))
    .map(({ number, ask, answer, details }) => ({
      name: number === undefined ? ask : `${number}. ${ask}`,
      value: [
        answer === 'yes' ? texts.layout.yes : texts.layout.no,
        ...details.map(({ label, value }) => `${label}: ${value}`),
      ],
      change: pageContext.changePath(`background/${group}`),
    }));
}

function answerRows(pageContext: PageContext, areShown: boolean): Row[] {
  const { texts, session } = pageContext;
  const { application } = session;
  const words = texts.review;
  const provided = questionPagesFor(session.pinned, application).map(({ group }) => ({
    name: groupTitle(pageContext, group),
    value: words.provided,
    change: pageContext.changePath(`background/${group}`),
  }));
  return [
    { name: words.ssn, value: words.provided, change: pageContext.changePath('identity') },
    ...(areShown ? [] : provided),
    { name: texts.disclosures.title, value: words.acknowledged, change: pageContext.changePath('disclosures') },
  ];
}

/** A separate form, because these digits do not belong to the signature. */
function showAnswersForm(pageContext: PageContext, errors: readonly FieldError[]): Html {
  const { texts } = pageContext;
  const words = texts.review;
  return html`<form
    class="inset"
    method="post"
    action="${pageContext.path('review/answers')}"
    novalidate
    autocomplete="off"
    data-working="${texts.layout.working}"
  >
    <h2>${words.showTitle}</h2>
    <p>${words.showLead}</p>
    ${textField(
      { texts, errors },
      {
        name: 'ssnLastFour',
        label: words.showDigits,
        hint: words.showHint,
        width: 'tiny',
        inputmode: 'numeric',
        maxlength: 4,
      },
    )}
    <p class="buttons"><button class="button quiet" type="submit" name="show" value="1">${words.show}</button></p>
  </form>`;
}

/** One page with one link that changes it, so that all pages fit on a few screens. */
function reviewed({ texts, changePath }: PageContext, { title, path, rows }: Reviewed): Html {
  return html`<section>
    <h2>${title}</h2>
    ${path !== undefined && html`<p class="change">${changeLink(texts, changePath(path), title)}</p>`}
    <dl>
      ${rows.map(
        ({ label, value }) =>
          html`<div>
            <dt>${label.endsWith('?') ? label : `${label}:`}</dt>
            <dd>${value.map((line) => html`<span class="line">${line}</span>`)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function summary(title: string, rows: readonly Row[], { texts }: PageContext, look = ''): Html {
  return html`<h2>${title}</h2>
    <dl class="summary ${look}">
      ${rows.map(
        ({ name, value, change }) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${[value].flat().map((line) => html`<span class="line">${line}</span>`)}</dd>
            ${change && html`<dd class="change">${changeLink(texts, change, name)}</dd>`}
          </div>`,
      )}
    </dl>`;
}

function signature(
  { texts, language, session }: PageContext,
  { signedName, attested }: PostedSignature,
  errors: readonly FieldError[],
): Html {
  const words = texts.review;
  const name = fullName(session);
  const error = errors.find(({ field }) => field.startsWith('attest'));
  const field = error?.field ?? 'attest';
  return html`<h2>${words.signTitle}</h2>
    <fieldset class="field signature ${error && 'has-error'}" ${describedBy(field, undefined, error, false)}>
      <legend class="visually-hidden">${words.signTitle}</legend>
      ${errorLine(texts, field, error)}
      ${attestationsFor(session.pinned, session.application).map((id) =>
        choice({
          type: 'checkbox',
          id: `attest-${id}`,
          name: 'attest',
          value: id,
          label: session.pinned.texts[language].attestations[id]?.statement ?? id,
          isChecked: attested.includes(id),
        }),
      )}
    </fieldset>
    ${textField(
      { texts, errors },
      {
        name: 'signedName',
        label: words.signedName,
        hint: words.signedNameHint(name),
        value: signedName,
        autocomplete: 'name',
      },
    )}`;
}
