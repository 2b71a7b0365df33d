import { stateCodes, type StateCode } from '../../../contract/index.js';
import { listFilings } from '../../domain/filings/filings.js';
import { listOperators, type Operator } from '../../domain/operators/operators.js';
import { html, type Html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleRoute } from '../context.js';
import { cursorOf, dataTable, pager, queryOf, readCursor, selectField, stateLabel, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { actorName } from './audit.js';

const words = texts.filings;
const pageSize = 50;
const openStatuses = ['waiting', 'claimed'] as const;
const statuses = [...openStatuses, 'filed', 'answered'] as const;

/** One filing of a list. */
type Filing = Awaited<ReturnType<typeof listFilings>>[number];

/** The queue of filings, oldest first. */
export const filingsRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/filings',
    access: 'view',
    async handle(request) {
      const { c, services, session } = request;
      const status = statuses.find((known) => known === c.req.query('status'));
      const state = stateCodes.find((code) => code === c.req.query('state'));
      const filings = await listFilings(services.context, {
        scope: session.operator.scope,
        statuses: status === undefined ? openStatuses : [status],
        state,
        after: placeAfter(c.req.query('after')),
        limit: pageSize + 1,
      });
      const operators = await listOperators(services.context);
      const shown = filings.slice(0, pageSize);
      const next = filings.length > pageSize ? cursorOfFiling(shown.at(-1)) : undefined;
      return show(request, {
        title: words.title,
        at: '/filings',
        content: html`<form
            method="get"
            action="/filings"
            class="filters"
            role="search"
            aria-label="${texts.list.filters}"
          >
            ${selectField({
              name: 'status',
              label: words.status,
              value: status,
              options: statuses.map((known) => [known, words.statuses[known]]),
              any: words.open,
            })}
            ${selectField({
              name: 'state',
              label: words.state,
              value: state,
              options: stateCodes.map((code) => [code, stateLabel(code)]),
              any: texts.list.any,
            })}
            <p class="buttons">
              <button class="button small" type="submit">${texts.list.apply}</button>
              <a class="button quiet small" href="/filings">${texts.list.clear}</a>
            </p>
          </form>
          ${dataTable({
            caption: words.title,
            columns: [words.state, words.application, words.agency, words.since, words.status, words.by],
            rows: shown.map((filing) => rowOf(filing, operators)),
            empty: words.empty,
          })}
          ${pager(next && `/filings${queryOf({ status, state, after: next })}`)}`,
      });
    },
  },
];

function rowOf(filing: Filing, operators: readonly Operator[]): (Html | string)[] {
  const { applicationId: id, state, agencyName: agency, createdAt: at, status } = filing;
  return [
    html`<a href="/filings/${id}/${state}">${stateLabel(state)}</a>`,
    html`<a href="/applications/${id}"><code>${id}</code></a>`,
    agency,
    time(at),
    words.statuses[status],
    operatorOf(filing, operators),
  ];
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
  return last && cursorOf(last.createdAt, last.applicationId, last.state);
}

function placeAfter(
  after: string | undefined,
): { createdAt: Date; applicationId: string; state: StateCode } | undefined {
  const { createdAt, ids = [] } = readCursor(after) ?? {};
  const [applicationId, code] = ids;
  const state = stateCodes.find((known) => known === code);
  return createdAt && applicationId && state ? { createdAt, applicationId, state } : undefined;
}
