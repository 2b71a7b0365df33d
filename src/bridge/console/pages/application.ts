import { typeName } from '../../catalogue/type-names.js';
import {
  statusTransitions,
  stepNames,
  type ApplicationStatus,
  type ApplicationStep,
  type StateCode,
} from '../../../contract/index.js';
import { type ListedPerson, listedName, readPeople } from '../../domain/applications/people.js';
import { listDocuments } from '../../domain/documents/documents.js';
import { listFilings } from '../../domain/filings/filings.js';
import {
  readDetail,
  type ApplicationDetail,
  type TimelineEntry,
} from '../../domain/applications/application-detail.js';
import { hasRole, listOperators, type Operator } from '../../domain/operators/operators.js';
import { listPayments } from '../../domain/payments/list-payments.js';
import type { IssuedLicense } from '../../store/tables/filing-tables.js';
import { characters } from '../../domain/limits/limits.js';
import { collectErrors, type FieldError } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { dataTable, facts, lastFailure, modePill, stateLabel, statusPill, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { actorName } from './audit.js';
import { documentTable } from './downloads.js';
import { operatorOf } from './filings.js';
import { noteSection, saveNote } from './notes.js';
import { paymentTable } from './payments.js';

const words = texts.detail;

/** One application, without private data. */
export const applicationRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/applications/:id',
    access: 'view',
    handle: (request) => showApplication(request),
  },
  {
    method: 'POST',
    path: '/applications/:id/notes',
    access: 'file',
    handle(request) {
      const { errors, check } = collectErrors();
      const note = request.form.text('note');
      check(note !== '', 'note', texts.notes.missing);
      check(note.length <= characters.note.max, 'note', texts.notes.long);
      return errors.length > 0 ? showApplication(request, errors) : saveNote(request, idOf(request));
    },
  },
];

function idOf({ c }: OperatorRequest): string {
  return c.req.param('id') ?? '';
}

async function showApplication(request: OperatorRequest, errors: readonly FieldError[] = []): Promise<Response> {
  const { services, session } = request;
  const { scope } = session.operator;
  const detail = await readDetail(services.context, idOf(request));
  if (detail === undefined) return showMissing(request);
  const { application } = detail;
  const applicationId = application.id;
  const [operators, { payments }, filings, documents, people] = await Promise.all([
    listOperators(services.context),
    listPayments(services.context, { scope, applicationId }),
    listFilings(services.context, { scope, applicationId, limit: detail.states.length }),
    listDocuments(services.context, applicationId),
    hasRole(session.operator, 'file') ? readPeople(services.context, [applicationId]) : undefined,
  ]);
  return show(request, {
    title: words.title,
    at: '/applications',
    errors,
    back: { href: '/applications', label: words.back },
    content: html`${factsOf(detail, people?.get(applicationId))} ${revealLink(request, detail)}
      ${statesOf(request, detail)} ${filingsOf(filings, operators)}
      ${await noteSection(request, application, { operators, errors })}
      ${documentTable(request, { applicationId, documents, filings })}
      <h2>${words.payments}</h2>
      ${paymentTable(request, payments, words.payments)} ${webhooksOf(detail)} ${timelineOf(detail, operators)}`,
  });
}

function factsOf({ application, signed, heldAt }: ApplicationDetail, person: ListedPerson | undefined): Html {
  return facts([
    [texts.list.applicant, person && listedName(person)],
    [words.title, html`<code>${application.id}</code> ${modePill(application.mode)}`],
    [words.number, application.receiptNumber ?? ''],
    [words.agency, application.agencyName],
    [words.user, application.userId],
    [words.license, typeName(application.licenseType, 'en')],
    [words.type, typeName(application.applicationType, 'en')],
    [words.payment, words.paymentMethods[application.paymentMethod]],
    [words.step, stepNames.en[application.step]],
    [words.catalogue, application.catalogueVersion],
    [words.began, time(application.createdAt)],
    [words.signed, signed && html`${time(new Date(signed.signedAt))} (${signed.language})`],
    [words.digest, signed && html`<code>${signed.digest}</code>`],
    [words.submitted, application.submittedAt === null ? undefined : time(application.submittedAt)],
    [words.linkEnds, time(application.expiresAt)],
    [words.held, heldAt === null ? undefined : time(heldAt)],
    [words.erased, application.erasedAt === null ? undefined : time(application.erasedAt)],
  ]);
}

function revealLink(
  { session }: OperatorRequest,
  { application, encryptedSteps }: ApplicationDetail,
): Html | undefined {
  if (!hasRole(session.operator, 'file') || encryptedSteps.length === 0) return undefined;
  return html`<p class="buttons">
      <a class="button quiet" href="/applications/${application.id}/reveal">${words.reveal}</a>
    </p>
    <p class="hint after-buttons">${words.revealHint}</p>`;
}

function statesOf({ session }: OperatorRequest, { application, states }: ApplicationDetail): Html {
  const mayDecide = hasRole(session.operator, 'file');
  const rows = states.map(({ state, status, reason, actionUrl, license, updatedAt }) => [
    stateLabel(state),
    status === null ? words.notSubmitted : statusPill(status),
    time(updatedAt),
    html`${reason} ${actionUrl !== '' && html`<span class="line">${words.decisionPage}: ${actionUrl}</span>`}
    ${licenseLines(license)}`,
    mayDecide ? decisionLink(application, state, status) : '',
  ]);
  const columns = [words.state, words.status, words.since, words.reason, words.decision];
  return html`<h2>${words.states}</h2>
    ${dataTable({ caption: words.states, columns, rows, empty: words.empty })}`;
}

/** The link to the decision of a state, or to its correction once a live state has decided. */
function decisionLink(
  { id, mode }: ApplicationDetail['application'],
  state: StateCode,
  status: ApplicationStatus | null,
): Html | string {
  if (status === null) return '';
  const isOpen = statusTransitions[status].length > 0;
  if (!isOpen && mode !== 'live') return '';
  return html`<a href="/applications/${id}/states/${state}${!isOpen && '/correction'}"
    >${isOpen ? words.decide : texts.correction.correct}<span class="visually-hidden"> – ${stateLabel(state)}</span></a
  >`;
}

/** The parts of an issued license that were entered, one a line. */
export function licenseLines({ licenseNumber, issuedOn, expiresOn, lines = [] }: IssuedLicense): Html[] {
  const names = texts.decision;
  return [
    [names.licenseNumber, licenseNumber],
    [names.issuedOn, issuedOn],
    [names.expiresOn, expiresOn],
    [names.lines, lines.join(', ')],
  ].flatMap(([name, value]) => (value ? [html`<span class="line">${name}: ${value}</span>`] : []));
}

/** Only live applications are filed. */
function filingsOf(filings: Awaited<ReturnType<typeof listFilings>>, operators: readonly Operator[]): Html | undefined {
  if (filings.length === 0) return undefined;
  const rows = filings.map((filing) => [
    html`<a href="/filings/${filing.applicationId}/${filing.state}">${stateLabel(filing.state)}</a>`,
    texts.filings.statuses[filing.status],
    operatorOf(filing, operators),
    filing.reference ?? '',
  ]);
  const columns = [words.state, words.status, words.who, texts.filing.reference];
  return html`<h2>${words.filings}</h2>
    ${dataTable({ caption: words.filings, columns, rows, empty: words.empty })}`;
}

function webhooksOf({ events }: ApplicationDetail): Html {
  const rows = events.map((event) => {
    const isDead = event.deadAt !== null;
    const state = isDead ? words.dead : event.deliveredAt === null ? words.waiting : words.delivered;
    const last = event.deliveredAt === null ? (lastFailure(event) ?? '') : '';
    return [
      html`<code>${event.type}</code>`,
      time(event.createdAt),
      html`${isDead ? html`<a href="/webhooks">${state}</a>` : state} ${last}`,
      words.attempts(String(event.attempts)),
    ];
  });
  const columns = [words.event, words.created, words.delivery, ''];
  return html`<h2>${words.webhooks}</h2>
    ${dataTable({ caption: words.webhooks, columns, rows, empty: words.noWebhooks })}`;
}

function timelineOf({ timeline }: ApplicationDetail, operators: readonly Operator[]): Html {
  const rows = timeline.map((entry) => [
    time(entry.at),
    html`${timelineText(entry)} ${entry.state !== '' && stateLabel(entry.state)}`,
    entry.actor === '' ? (isOfUser(entry) ? words.user_ : words.service) : actorName(entry.actor, operators),
    entry.note,
  ]);
  const columns = [words.when, words.what, words.who, words.note];
  return html`<h2>${words.timeline}</h2>
    ${dataTable({ caption: words.timeline, columns, rows, empty: words.empty })}`;
}

function isOfUser({ kind }: TimelineEntry): boolean {
  return kind === 'step' || kind === 'answer';
}

function timelineText({ kind, what }: TimelineEntry): Html | string {
  if (kind === 'step') return words.stepDone(stepNames.en[what as ApplicationStep]);
  if (kind === 'answer') return words.answered;
  return html`<code>${what}</code>`;
}
