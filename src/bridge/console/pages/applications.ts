import { applicationStatuses, modes, stateCodes, statusNames, stepNames } from '../../../contract/index.js';
import { typeName } from '../../catalogue/type-names.js';
import { listAgenciesIn } from '../../domain/accounts/agency.js';
import { hashToken } from '../../domain/keys/keys.js';
import {
  ages,
  listApplications,
  type ApplicationFilter,
  type ApplicationPage,
} from '../../domain/applications/list-applications.js';
import { type ListedPerson, readPeople } from '../../domain/applications/people.js';
import { hasRole } from '../../domain/operators/operators.js';
import type { ListOrder } from '../../store/applications/application-list-store.js';
import type { Scope } from '../../store/scope.js';
import { html, type Html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleContext, ConsoleServices, ConsoleRoute } from '../context.js';
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
  statusPill,
} from '../parts.js';
import { filterRow } from '../filters.js';
import { consoleTexts as texts } from '../texts.js';
import { searchOf } from './search.js';

const words = texts.list;
const statuses = [...applicationStatuses, 'open', 'submitted'] as const;
const orders = ['newest', 'oldest'] as const satisfies readonly ListOrder[];
/** The maximum number of states in a row. */
const shownStates = 6;

/** The list of applications. */
export const applicationsRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/applications',
    access: 'view',
    async handle(request) {
      const { c, services, session } = request;
      const { context } = services;
      const { scope } = session.operator;
      const agencies = await agencyChoices(services, scope);
      const query = readQuery(c);
      const search = searchOf(request);
      const { agency, after: cursor, order, search: token, ...filter } = query;
      const agencyId = agencies.find(({ key }) => key === agency)?.agencyId;
      const { createdAt, ids = [] } = readCursor(cursor) ?? {};
      const [id] = ids;
      const after = createdAt && id ? { createdAt, id } : undefined;
      const page =
        search?.isRefused === true
          ? { applications: [], next: undefined }
          : await listApplications(context, { ...filter, search, scope, agencyId }, { after, order });
      const next = page.next && cursorOf(page.next.createdAt, page.next.id);
      const people = hasRole(session.operator, 'file')
        ? await readPeople(
            context,
            page.applications.map((listed) => listed.id),
          )
        : undefined;
      return show(request, {
        title: words.title,
        at: '/applications',
        search: search?.typed,
        content: html`${filters(query, agencies, search && token)}
        ${search && html`<h2 class="found">${texts.search.found(search.typed)}</h2>`}
        ${dataTable({
          caption: words.title,
          columns: [words.applicant, words.kind, words.states, words.began, words.submittedAt, words.agency],
          rows: page.applications.map((listed) => rowOf(listed, people, context.clock())),
          empty: search === undefined ? words.empty : search.isRefused ? texts.search.refused : texts.search.whole,
        })}
        ${pager(next && `/applications${queryOf({ ...query, after: next })}`)}`,
      });
    },
  },
];

/** An agency as an option of a filter. */
export interface AgencyChoice {
  /**
   * Replaces the id in URLs, because an agencyId is a secret until its first credential is issued.
   */
  key: string;
  agencyId: string;
  name: string;
}

/** The agencies of a scope, as options of a filter. */
export async function agencyChoices({ context }: ConsoleServices, scope: Scope): Promise<AgencyChoice[]> {
  const agencies = await listAgenciesIn(context, scope);
  return agencies.map(({ agencyId, name }) => ({
    key: hashToken(agencyId).toString('base64url').slice(0, 16),
    agencyId,
    name,
  }));
}

interface ListQuery extends Omit<ApplicationFilter, 'scope' | 'agencyId' | 'search'> {
  agency?: string | undefined;
  /** The token of a search. */
  search?: string | undefined;
  order?: ListOrder | undefined;
  after?: string | undefined;
}

/** Ignores values that are not options. */
function readQuery(c: ConsoleContext): ListQuery {
  const oneOf = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === c.req.query(name));
  const text = (name: string, maxLength = 100) => c.req.query(name)?.trim().slice(0, maxLength) || undefined;
  return {
    mode: oneOf(modes, 'mode'),
    status: oneOf(statuses, 'status'),
    state: oneOf(stateCodes, 'state'),
    age: oneOf(ages, 'age'),
    order: oneOf(orders, 'order'),
    search: text('search', 1_000),
    agency: text('agency'),
    after: text('after'),
  };
}

function filters(query: ListQuery, agencies: readonly AgencyChoice[], search: string | undefined): Html {
  const { status, state, mode, age, order, agency } = query;
  const statusLabel = (known: (typeof statuses)[number]) =>
    known === 'open' ? words.open : known === 'submitted' ? words.submitted : statusNames.en[known];
  const select = (name: string, label: string, value: string | undefined, options: [string, string][]) =>
    selectField({ name, label, value, options, any: words.any });
  return filterRow({
    action: '/applications',
    used: [status, state, mode, age, agency],
    kept: { search },
    fields: [
      select(
        'status',
        words.status,
        status,
        statuses.map((known) => [known, statusLabel(known)]),
      ),
      select(
        'state',
        words.state,
        state,
        stateCodes.map((code) => [code, stateLabel(code)]),
      ),
      select(
        'mode',
        words.mode,
        mode,
        modes.map((known) => [known, texts.home.mode[known]]),
      ),
      select(
        'age',
        words.age,
        age,
        ages.map((known) => [known, texts.ages[known]]),
      ),
      select(
        'agency',
        words.agency,
        agency,
        agencies.map(({ key, name }) => [key, name]),
      ),
      selectField({
        name: 'order',
        label: words.sort,
        value: order,
        options: orders.map((known) => [known, words.sorts[known]]),
      }),
    ],
  });
}

function rowOf(
  application: ApplicationPage['applications'][number],
  people: ReadonlyMap<string, ListedPerson> | undefined,
  now: Date,
): (Html | string)[] {
  const { id, agencyName, licenseType, applicationType, states, step, createdAt, submittedAt } = application;
  const left = states.length - shownStates;
  const homeState = people?.get(id)?.homeState;
  return [
    applicantCell(application, people, `/applications/${id}`),
    html`${typeName(licenseType, 'en')} <span class="line muted">${typeName(applicationType, 'en')}</span>`,
    html`<span class="pills"
        >${states
          .slice(0, shownStates)
          .map(({ state, status }) => html`<span>${state} ${status !== null && statusPill(status)}</span>`)}
        ${left > 0 && html`<span>${words.more(String(left))}</span>`}</span
      >
      ${homeState && html`<span class="line muted">${words.home(homeState)}</span>`}`,
    age(createdAt, now),
    submittedAt === null ? stepNames.en[step] : age(submittedAt, now),
    agencyName,
  ];
}
