import { listApplications } from '../../domain/applications/list-applications.js';
import {
  type ApplicationSearch,
  exactSearches,
  impersonalSearches,
  longestSearch,
  readSearch,
  readSearchToken,
  recordSearch,
  searchTokenOf,
} from '../../domain/applications/search.js';
import type { BridgeContext } from '../../domain/context.js';
import { hasRole, type Operator } from '../../domain/operators/operators.js';
import { queryOf } from '../parts.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';

/** The maximum length of a token: that of the longest search in UTF-8, encrypted. */
const longestToken = 1_000;

/** A search of the masthead, which leads to the list of what it finds. */
export const searchRoutes: readonly ConsoleRoute[] = [
  {
    method: 'POST',
    path: '/search',
    access: 'view',
    async handle({ c, services, session, form }) {
      const { context } = services;
      const { operator } = session;
      const typed = form.text('search').slice(0, longestSearch);
      if (typed === '') return c.redirect('/applications', 303);
      await recordSearch(context, operator, typed);
      const only = await findOnly(context, operator, typed);
      const search = searchTokenOf(context.keys, operator.operatorId, typed);
      return c.redirect(only === undefined ? `/applications${queryOf({ search })}` : `/applications/${only}`, 303);
    },
  },
];

/** The id of the application that a search names; `undefined` when it may find several, or finds none. */
async function findOnly(context: BridgeContext, { scope }: Operator, typed: string): Promise<string | undefined> {
  const search = readSearch(context.keys, typed);
  if (!exactSearches.includes(search.kind)) return undefined;
  const { applications } = await listApplications(context, { scope, search });
  return applications.length === 1 ? applications[0]?.id : undefined;
}

/** The search of a list. */
export interface ShownSearch extends ApplicationSearch {
  /** As it was typed. */
  typed: string;
  /** Whether the role of the operator does not include it. */
  isRefused: boolean;
}

/** Reads the search in the URL of a list; `undefined` without one, or when it is not the operator's. */
export function searchOf({ c, services, session }: OperatorRequest): ShownSearch | undefined {
  const token = c.req.query('search') ?? '';
  if (token === '' || token.length > longestToken) return undefined;
  const { keys } = services.context;
  const typed = readSearchToken(keys, session.operator.operatorId, token);
  if (typed === undefined) return undefined;
  const search = readSearch(keys, typed);
  const isRefused = !impersonalSearches.includes(search.kind) && !hasRole(session.operator, 'file');
  return { ...search, typed, isRefused };
}
