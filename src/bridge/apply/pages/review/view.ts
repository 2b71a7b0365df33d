import { attestationIds } from '../../../catalogue/disclosures.js';
import { questionPagesFor } from '../../../catalogue/questions.js';
import { fullName, profileRows } from '../../../domain/applications/profile/profile.js';
import { feesOf } from '../../../domain/payments/payment.js';
import { choice, describedBy, errorLine, textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import type { PaymentRow } from '../../../store/applications/payment-store.js';
import { changeLink, type Page, stepForm } from '../../layout.js';
import { dollars, kindName, listed, stateName, type PageContext } from '../../page-context.js';

interface Row {
  name: string;
  value: string | readonly string[];
  /** Where the answer is changed. */
  change?: string;
}

/** What the very post brought that is answered with an error: a slip in the name does not cost the ticks. */
export interface PostedSignature {
  signedName: string;
  attested: readonly string[];
}

const notSigned: PostedSignature = { signedName: '', attested: [] };

/** Everything once more, before the signature: SSN and answers only as provided. */
export function reviewPage(
  pageContext: PageContext,
  payment: PaymentRow | undefined,
  posted = notSigned,
  errors: readonly FieldError[] = [],
): Page {
  const { texts, session } = pageContext;
  const words = texts.review;
  const isUserPaying = session.application.payment_method === 'user_pays';
  return {
    title: words.title,
    errors,
    back: isUserPaying ? pageContext.path('payment') : pageContext.path('disclosures'),
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead}</p>
      ${profileRows(session, pageContext.language).map(({ title, path, rows }) =>
        summary(
          title,
          rows.map(({ label, value }) => ({ name: label, value, change: pageContext.changePath(path) })),
          pageContext,
        ),
      )}
      ${summary(words.license, licenseRows(pageContext, payment), pageContext)}
      ${summary(texts.review.answersTitle, answerRows(pageContext), pageContext)}
      ${stepForm(pageContext, {
        action: pageContext.path('review'),
        submit: words.submit,
        working: words.submitting,
        content: signature(pageContext, posted, errors),
      })}`,
  };
}

function licenseRows({ texts, language, session, agencyName }: PageContext, payment: PaymentRow | undefined): Row[] {
  const words = texts.review;
  const { application } = session;
  const total = dollars(feesOf(application).totalCents, language);
  return [
    { name: words.applicationType, value: kindName(texts, application.application_type) },
    { name: words.licenseType, value: kindName(texts, application.license_type) },
    {
      name: words.states,
      value: listed(
        application.states.map((state) => stateName(state, language)),
        language,
      ),
    },
    {
      name: words.fees,
      value: payment
        ? words.paid(dollars(payment.amount_cents, language), payment.card_last4)
        : [total, words.billed(agencyName)],
    },
  ];
}

function answerRows(pageContext: PageContext): Row[] {
  const { texts, session } = pageContext;
  const { application } = session;
  const words = texts.review;
  return [
    { name: words.ssn, value: words.provided, change: pageContext.changePath('identity') },
    ...questionPagesFor(application).map(({ group }) => ({
      name: texts.background.title[group],
      value: words.provided,
      change: pageContext.changePath(`background/${group}`),
    })),
    ...application.states.map((state) => ({
      name: texts.disclosures.allOf(stateName(state, pageContext.language)),
      value: words.acknowledged,
      change: pageContext.changePath('disclosures'),
    })),
  ];
}

function summary(title: string, rows: readonly Row[], { texts }: PageContext): Html {
  return html`<h2>${title}</h2>
    <dl class="summary">
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
  { texts, session }: PageContext,
  { signedName, attested }: PostedSignature,
  errors: readonly FieldError[],
): Html {
  const words = texts.review;
  const name = fullName(session);
  const error = errors.find(({ field }) => field.startsWith('attest'));
  const field = error?.field ?? 'attest';
  return html`<h2>${words.signTitle}</h2>
    <fieldset class="field ${error && 'has-error'}" ${describedBy(field, undefined, error, false)}>
      <legend class="visually-hidden">${words.signTitle}</legend>
      ${errorLine(texts, field, error)}
      ${attestationIds.map((id) =>
        choice({
          type: 'checkbox',
          id: `attest-${id}`,
          name: 'attest',
          value: id,
          label: texts.attestations[id],
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
