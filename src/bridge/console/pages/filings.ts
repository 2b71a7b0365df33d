import { type Mode, modes, stateCodes, type StateCode } from '../../../contract/index.js';
import { typeName } from '../../catalogue/type-names.js';
import { type ListedPerson, listedName, readPeople } from '../../domain/applications/people.js';
import {
  assignSeveral,
  canBeAssigned,
  type ChosenFiling,
  claimSeveral,
  type ClaimedFilings,
} from '../../domain/filings/claim-several.js';
import { exportFilings } from '../../domain/filings/export-list.js';
import { listFilings } from '../../domain/filings/filings.js';
import { doScopesMeet, hasRole, listOperators, type Operator } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import type { FilingPlace, FilingQuery } from '../../store/filings/filing-store.js';
import { html, type Html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csvType, writeCsv } from '../csv.js';
import { filterRow } from '../filters.js';
import { keepFilters, keptFilters } from '../kept-filters.js';
import { csrfInput } from '../layout.js';
import {
  age,
  applicantCell,
  cursorOf,
  dataTable,
  pager,
  queryOf,
  readCursor,
  selectField,
  stateLabel,
  time,
} from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { agencyChoices, type AgencyChoice } from './applications.js';
import { actorName } from './audit.js';

const words = texts.filings;
const pageSize = 50;
const openStatuses = ['waiting', 'claimed'] as const;
/** `answer`: those of an answer of the user that is to be sent. `held`: those whose state waits for something. */
const statuses = [...openStatuses, 'answer', 'filed', 'held', 'answered'] as const;
const orders = ['oldest', 'newest'] as const;
const dayMs = 24 * 3_600_000;

/** One filing of a list. */
type Filing = Awaited<ReturnType<typeof listFilings>>[number];

/** The queue of filings, the longest waiting first, and what is done with several of them. */
export const filingsRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/filings',
    access: 'view',
    async handle(request) {
      const { c, services, session } = request;
      const { context } = services;
      const [operators, agencies] = await Promise.all([
        listOperators(context),
        agencyChoices(services, session.operator.scope),
      ]);
      const query = readQuery(queryIn(request), operators);
      keepFilters(c, services, queryOf(query));
      const filings = await listFilings(context, {
        ...selectionOf(request, query, agencies),
        after: placeAfter(c.req.query('after')),
        limit: pageSize + 1,
      });
      const shown = filings.slice(0, pageSize);
      const next = filings.length > pageSize ? cursorOfFiling(shown.at(-1)) : undefined;
      const people = hasRole(session.operator, 'file')
        ? await readPeople(
            context,
            shown.map(({ applicationId }) => applicationId),
          )
        : undefined;
      const colleagues = operators.filter(({ scope }) => doScopesMeet(session.operator.scope, scope));
      return show(request, {
        title: words.title,
        at: '/filings',
        content: html`${filters(query, agencies, colleagues)} ${listOf(request, shown, { people, operators, query })}
        ${pager(next && `/filings${queryOf({ ...query, after: next })}`)}`,
      });
    },
  },
  {
    method: 'GET',
    path: '/filings/next',
    access: 'file',
    handle: (request) => showNext(request),
  },
  {
    method: 'POST',
    path: '/filings/claim',
    access: 'file',
    async handle(request) {
      const { services, session } = request;
      return backToList(request, await claimSeveral(services.context, session.operator, chosenIn(request)));
    },
  },
  {
    method: 'POST',
    path: '/filings/assign',
    access: 'supervise',
    async handle(request) {
      const { services, session, form } = request;
      const operators = await listOperators(services.context);
      const colleague = operators.find(({ operatorId }) => operatorId === form.text('colleague'));
      const chosen = chosenIn(request);
      const result =
        colleague === undefined
          ? { claimed: 0, left: chosen.length }
          : await assignSeveral(services.context, session.operator, colleague, chosen);
      return backToList(request, result);
    },
  },
  {
    method: 'POST',
    path: '/filings/list.csv',
    access: 'file',
    async handle(request) {
      const { services, session } = request;
      const { context } = services;
      const [operators, agencies] = await Promise.all([
        listOperators(context),
        agencyChoices(services, session.operator.scope),
      ]);
      const selection = selectionOf(request, readQuery(queryIn(request), operators), agencies);
      const { filings, people } = await exportFilings(context, session.operator, selection);
      const rows = filings.map((filing) => exportedRow(request, filing, { people, operators }));
      return new Response(writeCsv([words.exported, ...rows]), {
        headers: {
          'content-type': csvType,
          'content-disposition': `attachment; filename="filings-${context.clock().toISOString().slice(0, 10)}.csv"`,
          'cache-control': 'no-store',
        },
      });
    },
  },
];

/** Leads to the operator's own filing that waits longest, or else to one of the queue as it was last filtered. */
async function showNext(request: OperatorRequest): Promise<Response> {
  const { c, services, session } = request;
  const { context } = services;
  const kept = keptFilters(c);
  const [operators, agencies] = await Promise.all([
    listOperators(context),
    agencyChoices(services, session.operator.scope),
  ]);
  const { by: _, status: __, ...query } = readQuery(new URLSearchParams(kept), operators);
  for (const by of ['me', 'nobody']) {
    const selection = selectionOf(request, { ...query, by }, agencies);
    const [next] = await listFilings(context, { ...selection, limit: 1 });
    if (next) return c.redirect(`/filings/${next.applicationId}/${next.state}`, 303);
  }
  return c.redirect(`/filings${kept}`, 303);
}

/** The filters of the list, as in its URL. */
interface ListQuery extends Record<string, string | undefined> {
  status?: (typeof statuses)[number] | undefined;
  state?: StateCode | undefined;
  /** `me`, `nobody` or the id of an operator. */
  by?: string | undefined;
  due?: 'overdue' | undefined;
  mode?: Mode | undefined;
  agency?: string | undefined;
  order?: (typeof orders)[number] | undefined;
}

function queryIn({ c }: OperatorRequest): URLSearchParams {
  return new URL(c.req.url).searchParams;
}

/** Ignores values that are not options. */
function readQuery(given: URLSearchParams, operators: readonly Operator[]): ListQuery {
  const by = given.get('by') ?? undefined;
  const isKnown = by === 'me' || by === 'nobody' || operators.some(({ operatorId }) => operatorId === by);
  return {
    status: statuses.find((known) => known === given.get('status')),
    state: stateCodes.find((code) => code === given.get('state')),
    by: isKnown ? by : undefined,
    due: given.get('due') === 'overdue' ? 'overdue' : undefined,
    mode: modes.find((known) => known === given.get('mode')),
    agency: given.get('agency')?.slice(0, 100) || undefined,
    order: orders.find((known) => known === given.get('order')),
  };
}

function selectionOf(
  { services, session }: OperatorRequest,
  { status, state, by, due, mode, agency, order }: ListQuery,
  agencies: readonly AgencyChoice[],
): Omit<FilingQuery, 'limit'> {
  const { clock, settings } = services.context;
  const claimedBy =
    by === undefined
      ? undefined
      : by === 'nobody'
        ? null
        : actorOf(by === 'me' ? session.operator : { operatorId: by });
  return {
    scope: session.operator.scope,
    ...ofStatus(status),
    state,
    mode,
    claimedBy,
    agencyId: agencies.find(({ key }) => key === agency)?.agencyId,
    queuedBy: due === undefined ? undefined : new Date(clock().getTime() - settings.filingDays * dayMs),
    order,
  };
}

function ofStatus(status: ListQuery['status']): Pick<FilingQuery, 'statuses' | 'isHeld' | 'isAnswer'> {
  if (status === 'held') return { isHeld: true };
  if (status === 'answer') return { statuses: openStatuses, isAnswer: true };
  return { statuses: status === undefined ? openStatuses : [status] };
}

function filters(query: ListQuery, agencies: readonly AgencyChoice[], colleagues: readonly Operator[]): Html {
  const { status, state, by, due, mode, agency, order } = query;
  const { any } = texts.list;
  return filterRow({
    action: '/filings',
    used: [status, state, by, due, mode, agency],
    fields: [
      selectField({
        name: 'status',
        label: words.status,
        value: status,
        options: statuses.map((known) => [known, words.statuses[known]]),
        any: words.open,
      }),
      selectField({
        name: 'state',
        label: words.state,
        value: state,
        options: stateCodes.map((code) => [code, stateLabel(code)]),
        any,
      }),
      selectField({
        name: 'by',
        label: words.by,
        value: by,
        options: [
          ['me', words.me],
          ['nobody', words.nobody],
          ...colleagues.map(({ operatorId, name }) => [operatorId, name] as const),
        ],
        any,
      }),
      selectField({ name: 'due', label: words.due, value: due, options: [['overdue', words.overdue]], any }),
      selectField({
        name: 'mode',
        label: texts.list.mode,
        value: mode,
        options: modes.map((known) => [known, texts.home.mode[known]]),
        any,
      }),
      selectField({
        name: 'agency',
        label: words.agency,
        value: agency,
        options: agencies.map(({ key, name }) => [key, name]),
        any,
      }),
      selectField({
        name: 'order',
        label: texts.list.sort,
        value: order,
        options: orders.map((known) => [known, texts.list.sorts[known]]),
      }),
    ],
  });
}

/** The data that the rows need besides the filings. */
interface ShownWith {
  /** `undefined` for an operator who sees no names. */
  people: ReadonlyMap<string, ListedPerson> | undefined;
  operators: readonly Operator[];
}

function listOf(request: OperatorRequest, filings: readonly Filing[], shown: ShownWith & { query: ListQuery }): Html {
  const { session } = request;
  const mayFile = hasRole(session.operator, 'file');
  const table = dataTable({
    caption: words.title,
    columns: [
      ...(mayFile ? [''] : []),
      words.applicant,
      words.state,
      words.lines,
      words.since,
      words.due,
      words.status,
      words.agency,
    ],
    rows: filings.map((filing) => [...(mayFile ? [checkbox(filing, shown)] : []), ...rowOf(request, filing, shown)]),
    empty: words.empty,
  });
  if (!mayFile || filings.length === 0) return table;
  const query = queryOf(shown.query);
  return html`<form method="post" action="/filings/claim" class="wide">
    ${csrfInput(session)}
    <input type="hidden" name="list" value="${query}" />
    <div class="list-actions">
      <button class="button quiet small" type="submit">${words.claimChosen}</button>
      ${hasRole(session.operator, 'supervise') && assignFields(session.operator, shown.operators)}
      <button class="button quiet small" type="submit" formaction="/filings/list.csv${query}">${words.export}</button>
    </div>
    ${table}
  </form>`;
}

function assignFields({ scope }: Operator, operators: readonly Operator[]): Html {
  const colleagues = operators.filter((colleague) => canBeAssigned(colleague) && doScopesMeet(scope, colleague.scope));
  return html`<label class="visually-hidden" for="colleague">${words.colleague}</label>
    <select id="colleague" name="colleague">
      ${colleagues.map(({ operatorId, name }) => html`<option value="${operatorId}">${name}</option>`)}
    </select>
    <button class="button quiet small" type="submit" formaction="/filings/assign">${words.assignChosen}</button>`;
}

function checkbox({ applicationId, state, status }: Filing, { people }: ShownWith): Html | string {
  if (status !== 'waiting' && status !== 'claimed') return '';
  const person = people?.get(applicationId);
  const whom = person === undefined ? applicationId : listedName(person);
  return html`<input
    type="checkbox"
    name="filing"
    value="${applicationId}/${state}"
    aria-label="${words.choose(`${whom}, ${state}`)}"
  />`;
}

function rowOf({ services }: OperatorRequest, filing: Filing, { people, operators }: ShownWith): (Html | string)[] {
  const { applicationId: id, state, agencyName, queuedAt, status, waitsFor } = filing;
  const { clock, settings } = services.context;
  const now = clock();
  const person = people?.get(id);
  const by = operatorOf(filing, operators);
  return [
    applicantCell({ ...filing, id }, people, `/filings/${id}/${state}`),
    html`${stateLabel(state)} ${person && html`<span class="line muted">${residencyOf(person, state)}</span>`}`,
    html`${person?.linesOf(state).join(', ')} <span class="line muted">${typeName(filing.licenseType, 'en')}</span>`,
    age(queuedAt, now),
    isOpen(filing) ? dueCell(dueOf(queuedAt, settings.filingDays), now) : '',
    html`${words.statuses[status]} ${waitsFor !== null && html`<span class="line">${words.waits[waitsFor]}</span>`}
    ${isAnswer(filing) && html`<strong class="line">${words.statuses.answer}</strong>`}
    ${waitsForUser(filing) && html`<span class="line">${words.forUser}</span>`}
    ${by !== '' && html`<span class="line muted">${by}</span>`}`,
    agencyName,
  ];
}

/** Whether what is to be sent is an answer of the user to a request of the state. */
export function isAnswer(filing: Pick<Filing, 'status' | 'serial'>): boolean {
  return isOpen(filing) && filing.serial > 0;
}

/** Whether the state waits for the user. */
export function waitsForUser({ status, decision }: Pick<Filing, 'status' | 'decision'>): boolean {
  return status === 'filed' && decision === 'requires_action';
}

function isOpen({ status }: Pick<Filing, 'status'>): boolean {
  return status === 'waiting' || status === 'claimed';
}

function dueOf(queuedAt: Date, days: number): Date {
  return new Date(queuedAt.getTime() + days * dayMs);
}

function dueCell(due: Date, now: Date): Html {
  return html`${due <= now && html`<strong class="overdue">${words.overdue}</strong>`}
    <span class="line">${time(due)}</span>`;
}

function residencyOf({ homeState, residencyIn }: ListedPerson, state: StateCode): string {
  const residency = residencyIn(state);
  if (homeState === undefined || residency === undefined) return '';
  return residency === 'resident' ? words.resident : words.nonResident(homeState);
}

/** In the order of `texts.filings.exported`. No SSN and no answer. */
function exportedRow({ services }: OperatorRequest, filing: Filing, { people, operators }: ShownWith): string[] {
  const { applicationId, state, mode, receiptNumber, licenseType, applicationType, agencyName, queuedAt } = filing;
  const person = people?.get(applicationId);
  return [
    person?.lastName ?? '',
    person?.firstName ?? '',
    state,
    person === undefined ? '' : residencyOf(person, state),
    person?.linesOf(state).join('; ') ?? '',
    licenseType,
    applicationType,
    words.statuses[filing.status],
    filing.waitsFor === null ? '' : words.waits[filing.waitsFor],
    operatorOf(filing, operators),
    filing.reference ?? '',
    queuedAt.toISOString(),
    isOpen(filing) ? dueOf(queuedAt, services.context.settings.filingDays).toISOString() : '',
    filing.filedAt?.toISOString() ?? '',
    receiptNumber ?? '',
    applicationId,
    agencyName,
    mode,
  ];
}

function chosenIn({ form }: OperatorRequest): ChosenFiling[] {
  const chosen = form.all('filing').slice(0, pageSize);
  return chosen.flatMap((key) => {
    const [applicationId = '', code] = key.split('/');
    const state = stateCodes.find((known) => known === code);
    return state === undefined ? [] : [{ applicationId, state }];
  });
}

function backToList({ c, form }: OperatorRequest, { claimed, left }: ClaimedFilings): Response {
  const query = new URLSearchParams(form.text('list'));
  query.set('done', claimed === 0 ? 'claimedNone' : left > 0 ? 'claimedSome' : 'claimedAll');
  return c.redirect(`/filings?${query.toString()}`, 303);
}

/**
 * The operator who has claimed or filed a filing; "" for a waiting one, also after an earlier
 * filing.
 */
export function operatorOf(
  { status, claimedBy, filedBy }: Pick<Filing, 'status' | 'claimedBy' | 'filedBy'>,
  operators: readonly Operator[],
): string {
  const actor = claimedBy ?? filedBy;
  return status === 'waiting' || actor === null ? '' : actorName(actor, operators);
}

function cursorOfFiling(last: Filing | undefined): string | undefined {
  return last && cursorOf(last.queuedAt, last.applicationId, last.state);
}

function placeAfter(after: string | undefined): FilingPlace | undefined {
  const { createdAt: queuedAt, ids = [] } = readCursor(after) ?? {};
  const [applicationId, code] = ids;
  const state = stateCodes.find((known) => known === code);
  return queuedAt && applicationId && state ? { queuedAt, applicationId, state } : undefined;
}
