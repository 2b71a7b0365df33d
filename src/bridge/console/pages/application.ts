import { statusTransitions, stepNames, type ApplicationStep } from '../../../contract/index.js';
import { listDocuments } from '../../domain/documents/documents.js';
import { listFilings } from '../../domain/filings/filings.js';
import {
  readDetail,
  type ApplicationDetail,
  type TimelineEntry,
} from '../../domain/applications/application-detail.js';
import { listOperators, type Operator } from '../../domain/operators/operators.js';
import { listPayments } from '../../domain/payments/list-payments.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../environment.js';
import { dataTable, facts, modePill, stateLabel, statusPill, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { actorName } from './audit.js';
import { documentTable } from './downloads.js';
import { operatorOf } from './filings.js';
import { paymentTable } from './payments.js';

const words = texts.detail;

/** One application, without private data. */
export const applicationRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/applications/:id',
    access: 'view',
    async handle(request) {
      const { c, room } = request;
      const detail = await readDetail(room.context, c.req.param('id') ?? '');
      if (detail === undefined) return showMissing(request);
      const applicationId = detail.application.id;
      const [operators, { payments }, filings, documents] = await Promise.all([
        listOperators(room.context),
        listPayments(room.context, { applicationId }),
        listFilings(room.context, { applicationId, limit: detail.states.length }),
        listDocuments(room.context, applicationId),
      ]);
      return show(request, {
        title: words.title,
        at: '/applications',
        back: { href: '/applications', label: words.back },
        content: html`${factsOf(detail)} ${revealLink(request, detail)} ${statesOf(request, detail)}
          ${filingsOf(filings, operators)} ${documentTable(request, applicationId, documents)}
          <h2>${words.payments}</h2>
          ${paymentTable(request, payments, words.payments)} ${webhooksOf(detail)} ${timelineOf(detail, operators)}`,
      });
    },
  },
];

function factsOf({ application, signed }: ApplicationDetail): Html {
  return facts([
    [words.title, html`<code>${application.id}</code> ${modePill(application.mode)}`],
    [words.number, application.receipt_number ?? ''],
    [words.agency, application.agency_name],
    [words.user, application.user_id],
    [words.license, application.license_type],
    [words.type, application.application_type],
    [words.payment, words.paymentMethods[application.payment_method]],
    [words.step, stepNames.en[application.step]],
    [words.catalogue, application.catalogue_version],
    [words.began, time(application.created_at)],
    [words.signed, signed && html`${time(new Date(signed.signedAt))} (${signed.language})`],
    [words.submitted, application.submitted_at === null ? undefined : time(application.submitted_at)],
    [words.linkEnds, time(application.expires_at)],
    [words.erased, application.erased_at === null ? undefined : time(application.erased_at)],
  ]);
}

function revealLink(
  { session }: OperatorRequest,
  { application, encryptedSteps }: ApplicationDetail,
): Html | undefined {
  if (session.operator.role !== 'file' || encryptedSteps.length === 0) return undefined;
  return html`<p class="buttons">
      <a class="button quiet" href="/applications/${application.id}/reveal">${words.reveal}</a>
    </p>
    <p class="hint after-buttons">${words.revealHint}</p>`;
}

function statesOf({ session }: OperatorRequest, { application, states }: ApplicationDetail): Html {
  const mayDecide = session.operator.role === 'file';
  const rows = states.map(({ state, status, reason, actionUrl, updatedAt }) => [
    stateLabel(state),
    status === null ? words.notSubmitted : statusPill(status),
    time(updatedAt),
    html`${reason} ${actionUrl !== '' && html`<span class="line">${words.decisionPage}: ${actionUrl}</span>`}`,
    status !== null && mayDecide && statusTransitions[status].length > 0
      ? html`<a href="/applications/${application.id}/states/${state}"
          >${words.decide}<span class="visually-hidden"> – ${stateLabel(state)}</span></a
        >`
      : '',
  ]);
  const columns = [words.state, words.status, words.since, words.reason, words.decision];
  return html`<h2>${words.states}</h2>
    ${dataTable({ caption: words.states, columns, rows, empty: words.empty })}`;
}

/** Only live applications are filed. */
function filingsOf(filings: Awaited<ReturnType<typeof listFilings>>, operators: readonly Operator[]): Html | undefined {
  if (filings.length === 0) return undefined;
  const rows = filings.map((filing) => [
    html`<a href="/filings/${filing.application_id}/${filing.state}">${stateLabel(filing.state)}</a>`,
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
    const isDead = event.dead_at !== null;
    const state = isDead ? words.dead : event.delivered_at === null ? words.waiting : words.delivered;
    const last = event.delivered_at === null ? String(event.last_status ?? event.last_error ?? '') : '';
    return [
      html`<code>${event.type}</code>`,
      time(event.created_at),
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
