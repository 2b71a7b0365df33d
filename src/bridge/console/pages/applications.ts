import { applicationStatuses, stateCodes, statusNames, stepNames } from '../../../contract/index.js';
import { listAgenciesIn } from '../../domain/accounts/agency.js';
import { hashToken } from '../../domain/keys/keys.js';
import {
  ages,
  listApplications,
  type ApplicationFilter,
  type ApplicationPage,
} from '../../domain/applications/list-applications.js';
import type { Scope } from '../../store/scope.js';
import { html, type Html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleContext, ConsoleServices, ConsoleRoute } from '../context.js';
import {
  cursorOf,
  dataTable,
  filterField,
  modePill,
  pager,
  queryOf,
  readCursor,
  selectField,
  stateLabel,
  statusPill,
  time,
} from '../parts.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.list;
const statuses = [...applicationStatuses, 'open', 'submitted'] as const;
const modes = ['live', 'test'] as const;
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
      const { scope } = session.operator;
      const agencies = await agencyChoices(services, scope);
      const query = readQuery(c);
      const { agency, after, ...filter } = query;
      const agencyId = agencies.find(({ key }) => key === agency)?.agencyId;
      const { createdAt, ids = [] } = readCursor(after) ?? {};
      const [id] = ids;
      const place = createdAt && id ? { createdAt, id } : undefined;
      const page = await listApplications(services.context, { ...filter, scope, agencyId }, place);
      const next = page.next && cursorOf(page.next.createdAt, page.next.id);
      return show(request, {
        title: words.title,
        at: '/applications',
        content: html`${filters(query, agencies)}
        ${dataTable({
          caption: words.title,
          columns: [words.application, words.agency, words.kind, words.states, words.began, words.submittedAt],
          rows: page.applications.map(rowOf),
          empty: words.empty,
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

interface ListQuery extends Omit<ApplicationFilter, 'scope' | 'agencyId'> {
  agency?: string | undefined;
  after?: string | undefined;
}

/** Ignores values that are not options. */
function readQuery(c: ConsoleContext): ListQuery {
  const oneOf = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === c.req.query(name));
  const text = (name: string) => c.req.query(name)?.trim().slice(0, 100) || undefined;
  return {
    mode: oneOf(modes, 'mode'),
    status: oneOf(statuses, 'status'),
    state: oneOf(stateCodes, 'state'),
    age: oneOf(ages, 'age'),
    search: text('search'),
    agency: text('agency'),
    after: text('after'),
  };
}

function filters(query: ListQuery, agencies: readonly AgencyChoice[]): Html {
  const statusLabel = (status: (typeof statuses)[number]) =>
    status === 'open' ? words.open : status === 'submitted' ? words.submitted : statusNames.en[status];
  const select = (name: string, label: string, value: string | undefined, options: [string, string][]) =>
    selectField({ name, label, value, options, any: words.any });
  return html`<form method="get" action="/applications" class="filters" role="search" aria-label="${words.filters}">
    ${filterField({ name: 'search', label: words.search, hint: words.searchHint, value: query.search, type: 'search' })}
    ${select(
      'status',
      words.status,
      query.status,
      statuses.map((status) => [status, statusLabel(status)]),
    )}
    ${select(
      'state',
      words.state,
      query.state,
      stateCodes.map((code) => [code, stateLabel(code)]),
    )}
    ${select(
      'mode',
      words.mode,
      query.mode,
      modes.map((mode) => [mode, texts.home.mode[mode]]),
    )}
    ${select(
      'age',
      words.age,
      query.age,
      ages.map((age) => [age, texts.ages[age]]),
    )}
    ${select(
      'agency',
      words.agency,
      query.agency,
      agencies.map(({ key, name }) => [key, name]),
    )}
    <p class="buttons">
      <button class="button small" type="submit">${words.apply}</button>
      <a class="button quiet small" href="/applications">${words.clear}</a>
    </p>
  </form>`;
}

function rowOf(application: ApplicationPage['applications'][number]): (Html | string)[] {
  const { id, agencyName, mode, licenseType, states, step, createdAt, submittedAt } = application;
  const left = states.length - shownStates;
  return [
    html`<a href="/applications/${id}"><code>${id}</code></a> ${modePill(mode)}`,
    agencyName,
    licenseType,
    html`<span class="pills"
      >${states
        .slice(0, shownStates)
        .map(({ state, status }) => html`<span>${state} ${status !== null && statusPill(status)}</span>`)}
      ${left > 0 && html`<span>${words.more(String(left))}</span>`}</span
    >`,
    time(createdAt),
    submittedAt === null ? stepNames.en[step] : time(submittedAt),
  ];
}
