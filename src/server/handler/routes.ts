import { HttpError } from '../http/http-errors.js';
import { getApplicationRoute, listApplicationsRoute } from './application-route.js';
import { streamEventsRoute } from './events-route.js';
import type { Route } from './services.js';
import { createSessionRoute } from './session-route.js';
import { receiveWebhookRoute } from './webhook-route.js';

/** A route and where it is. */
export interface RouteRow {
  method: 'GET' | 'POST';
  /** The path below the mount; its group is the parameter. */
  path: RegExp;
  /** Whether browsers call it, with a user's cookies. */
  isForBrowsers: boolean;
  route: Route;
}

const routes: readonly RouteRow[] = [
  { method: 'POST', path: /^\/sessions$/, isForBrowsers: true, route: createSessionRoute },
  { method: 'GET', path: /^\/applications$/, isForBrowsers: true, route: listApplicationsRoute },
  { method: 'GET', path: /^\/applications\/([^/]+)$/, isForBrowsers: true, route: getApplicationRoute },
  { method: 'GET', path: /^\/applications\/([^/]+)\/events$/, isForBrowsers: true, route: streamEventsRoute },
  { method: 'POST', path: /^\/webhooks\/([^/]+)$/, isForBrowsers: false, route: receiveWebhookRoute },
];

/** Finds the route of a request, or of the request that a preflight asks about. @throws {@link HttpError} */
export function findRoute(basePath: string, request: Request): { row: RouteRow; parameter: string } {
  const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
  const path = pathBelow(basePath, new URL(request.url).pathname);
  for (const row of routes) {
    const match = row.path.exec(path);
    if (!match) continue;
    const isAnswered = row.method === request.method || (isPreflight && row.isForBrowsers);
    if (!isAnswered) throw new HttpError('method_not_allowed', { allow: row.method });
    return { row, parameter: decode(match[1] ?? '') };
  }
  throw new HttpError('unknown_route');
}

/**
 * Some mounts remove the base path (Express and Hono with a prefix), some keep it (Next, Fastify),
 * and a proxy may have removed its beginning.
 */
function pathBelow(basePath: string, path: string): string {
  let base = basePath;
  while (base !== '' && !path.startsWith(`${base}/`)) base = base.replace(/^\/[^/]*/, '');
  return path.slice(base.length).replace(/(?<=.)\/$/, '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError('unknown_route');
  }
}
