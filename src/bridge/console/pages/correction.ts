import type { ApplicationStatus } from '../../../contract/index.js';
import { longestReason, shortestReason } from '../../domain/applications/reveal.js';
import {
  type DecidableState,
  correctionConfirmationForm,
  correctionForm,
} from '../../domain/filings/committing-forms.js';
import { confirmCorrection, correctDecision, proposeCorrection } from '../../domain/filings/correct-decision.js';
import { isOtherLicense } from '../../domain/filings/issued-license.js';
import { decisionCorrections } from '../../domain/filings/move-state.js';
import { characters } from '../../domain/limits/limits.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { type ListedPayment, listPayments } from '../../domain/payments/list-payments.js';
import { type CorrectionProposal, readProposal } from '../../domain/second-person/proposals.js';
import { needsSecondPerson } from '../../domain/second-person/tasks.js';
import { commitShown, shownToken } from '../../domain/shown/shown.js';
import { shownInput } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { dollars, facts, stateLabel, statusField, statusPill, textArea, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { licenseLines } from './application.js';
import { checkTypedLicense, findState, licenseFields, overrideField, typedLicense } from './decision.js';
import { confirmProposal, proposalSection, withdrawProposal } from './proposal.js';

const words = texts.correction;
const path = '/applications/:id/states/:state/correction';

/** The page for the correction of a decision that was entered by mistake. */
export const correctionRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    access: 'file',
    async handle(request) {
      const shown = await findCorrectable(request);
      return shown ? show(request, await correctionPage(request, shown)) : showMissing(request);
    },
  },
  {
    method: 'POST',
    path,
    access: 'file',
    async handle(request) {
      const { c, services, session, form } = request;
      const correctable = await findCorrectable(request);
      if (correctable === undefined) return showMissing(request);
      const { decidable, choices } = correctable;
      const { state } = decidable;
      const { errors, check } = collectErrors();
      const status = choices.find((allowed) => allowed === form.text('status'));
      const [note, reason, override] = [form.text('note'), form.text('reason'), form.text('override')];
      check(status !== undefined, `status-${choices[0] ?? ''}`, words.statusMissing);
      check(note.length >= shortestReason, 'note', words.noteMissing);
      check(note.length <= longestReason, 'note', words.noteLong);
      check(reason !== '' || status !== 'denied', 'reason', texts.decision.reasonMissing);
      check(reason.length <= characters.reason.max, 'reason', texts.decision.reasonLong);
      const needsOverride = decidable.isUnfiled && status !== undefined && status !== 'pending_review';
      check(override !== '' || !needsOverride, 'override', texts.decision.overrideMissing);
      check(override.length <= characters.reason.max, 'override', texts.decision.reasonLong);
      const given = typedLicense(request, decidable);
      if (status !== undefined) checkTypedLicense(request, decidable, { status, given, check });
      const isSame = status === state.status && !isOtherLicense(given, state.issuedLicense);
      check(!isSame, 'licenseNumber', words.sameLicense);
      const { shown } = form;
      if (errors.length > 0 || status === undefined) {
        return show(request, await correctionPage(request, correctable, errors, shown));
      }
      const { applicationId } = state;
      const actor = actorOf(session.operator);
      const correction = { applicationId, state: state.state, status, reason, note, override, ...given, actor, shown };
      return commitShown(
        async () => {
          const isProposal = needsSecondPerson(services.context, 'corrections');
          await (isProposal ? proposeCorrection : correctDecision)(services.context, correction);
          return c.redirect(`/applications/${applicationId}?done=${isProposal ? 'proposed' : 'corrected'}`, 303);
        },
        () => showAgain(request),
      );
    },
  },
  {
    method: 'POST',
    path: `${path}/confirm`,
    access: 'file',
    async handle(request) {
      const correctable = await findCorrectable(request);
      if (correctable === undefined) return showMissing(request);
      const { applicationId, state } = correctable.decidable.state;
      const confirmation = {
        applicationId,
        state,
        actor: actorOf(request.session.operator),
        shown: request.form.shown,
      };
      return confirmProposal(
        request,
        { applicationId, done: 'corrected' },
        () => confirmCorrection(request.services.context, confirmation),
        () => showAgain(request),
      );
    },
  },
  {
    method: 'POST',
    path: `${path}/withdraw`,
    access: 'file',
    async handle(request) {
      const decidable = await findState(request);
      if (decidable === undefined) return showMissing(request);
      const { applicationId, state } = decidable.state;
      return withdrawProposal(request, { kind: 'correction', applicationId, state });
    },
  },
];

/** Shows the page with what is stored now, after it has changed. */
async function showAgain(request: OperatorRequest): Promise<Response> {
  const current = await findCorrectable(request);
  return current ? show(request, await correctionPage(request, current, texts.changed)) : showMissing(request);
}

/** A decision that can be corrected. */
interface Correctable {
  decidable: DecidableState;
  /** The statuses that can be right. */
  choices: readonly ApplicationStatus[];
  payment: ListedPayment | undefined;
  /** The proposal that waits. */
  proposal: CorrectionProposal | undefined;
}

/** Finds the decision of a path; `undefined` unless it is one of live mode. */
async function findCorrectable(request: OperatorRequest): Promise<Correctable | undefined> {
  const { context } = request.services;
  const decidable = await findState(request);
  if (decidable?.mode !== 'live') return undefined;
  const choices = decisionCorrections[decidable.state.status];
  if (choices === undefined) return undefined;
  const { applicationId, state } = decidable.state;
  const [{ payments }, proposal] = await Promise.all([
    listPayments(context, { scope: request.session.operator.scope, applicationId }),
    readProposal(context, { applicationId, kind: 'correction', state }),
  ]);
  // The newest payment of the fees: earlier ones were declined.
  return { decidable, choices, payment: payments.find((payment) => !payment.state), proposal };
}

async function correctionPage(
  request: OperatorRequest,
  correctable: Correctable,
  errors: NonNullable<ConsolePage['errors']> = [],
  shown = shownToken(request.services.context, correctionForm, correctable.decidable),
): Promise<ConsolePage> {
  const { decidable, payment, proposal } = correctable;
  const { state, filing, isErased } = decidable;
  const base = `/applications/${state.applicationId}`;
  return {
    title: words.title(stateLabel(state.state)),
    at: '/applications',
    errors,
    back: { href: base, label: texts.detail.title },
    content: html`<p class="lead">${words.lead}</p>
      <p class="notice">
        ${words.money} ${payment && payment.refundableCents > 0 && html`<a href="${base}/refund">${words.refund}</a>.`}
        ${isErased && words.erased}
      </p>
      ${facts([
        [words.decided, html`${statusPill(state.status)} ${time(state.updatedAt)}`],
        [texts.detail.reason, state.reason ?? ''],
        [texts.decision.license, state.issuedLicense ? html`${licenseLines(state.issuedLicense)}` : undefined],
        [texts.filing.reference, filing?.reference ?? ''],
        [words.payment, payment && paymentText(payment)],
      ])}
      ${proposal ? await proposedCorrection(request, decidable, proposal) : formOf(request, correctable, errors, shown)}`,
  };
}

function formOf(
  request: OperatorRequest,
  { decidable, choices }: Correctable,
  errors: NonNullable<ConsolePage['errors']>,
  shown: string,
): Html {
  const { session, services } = request;
  const { applicationId, state } = decidable.state;
  const isProposal = needsSecondPerson(services.context, 'corrections');
  return html`<form method="post" action="/applications/${applicationId}/states/${state}/correction" novalidate>
    ${csrfInput(session)} ${shownInput(shown)} ${correctionFields(request, decidable, choices, errors)}
    ${choices.includes('approved') && licenseFields(request, decidable, errors)}
    ${decidable.isUnfiled && overrideField(request, errors)}
    ${isProposal && html`<p class="hint">${texts.proposal.needed}</p>`}
    <p class="buttons"><button class="button" type="submit">${isProposal ? words.propose : words.submit}</button></p>
  </form>`;
}

function proposedCorrection(
  request: OperatorRequest,
  decidable: DecidableState,
  proposal: CorrectionProposal,
): Promise<Html> {
  const { status, note, reason, override, license } = proposal.content;
  const shown = shownToken(request.services.context, correctionConfirmationForm, { ...decidable, proposal });
  return proposalSection(request, proposal, {
    rows: [
      [words.right, statusPill(status)],
      [words.note, note],
      [words.reason, reason],
      [texts.decision.license, Object.keys(license).length > 0 ? html`${licenseLines(license)}` : undefined],
      [texts.decision.override, override],
    ],
    shown,
  });
}

function labelOf(status: ApplicationStatus): string {
  return (words.choices as Partial<Record<ApplicationStatus, string>>)[status] ?? status;
}

function paymentText({ amountCents, status }: ListedPayment): string {
  return `${dollars(amountCents)}, ${texts.payments.statuses[status]}`;
}

function correctionFields(
  { form }: OperatorRequest,
  { state: current }: DecidableState,
  choices: readonly ApplicationStatus[],
  errors: NonNullable<ConsolePage['errors']>,
): Html {
  const area = (name: 'note' | 'reason', label: string, hint: string, maxlength: number) =>
    textArea({ texts, errors }, { name, label, hint, value: form.text(name), maxlength });
  return html`${statusField(
    { texts, errors },
    {
      label: words.status,
      statuses: choices,
      chosen: form.text('status'),
      labelOf: (status) => (status === current.status ? words.otherLicense : labelOf(status)),
    },
  )}
  ${area('note', words.note, words.noteHint, longestReason)}
  ${area('reason', words.reason, words.reasonHint, characters.reason.max)}`;
}
