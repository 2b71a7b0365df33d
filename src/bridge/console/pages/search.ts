import {
  type ApplicationSearch,
  impersonalSearches,
  longestSearch,
  readSearch,
  readSearchToken,
  recordSearch,
  searchTokenOf,
} from '../../domain/applications/search.js';
import { hasRole } from '../../domain/operators/operators.js';
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
      const search = searchTokenOf(context.keys, operator.operatorId, typed);
      return c.redirect(`/applications${queryOf({ search })}`, 303);
    },
  },
];

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
