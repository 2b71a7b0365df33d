import { getApplicationRoute, listApplicationsRoute } from './application-route.js';
import { streamEventsRoute } from './events-route.js';
import { Refusal } from './refusals.js';
import type { Route } from './scope.js';
import { createSessionRoute } from './session-route.js';
import { receiveWebhookRoute } from './webhook-route.js';

interface RouteRow {
  method: 'GET' | 'POST';
  /** The path below the mount; its group is the parameter. */
  path: RegExp;
  /** Whether it is called with a user's cookies. */
  isForBrowsers: boolean;
  route: Route;
}

/** The most frequent one first. */
const routes: readonly RouteRow[] = [
  { method: 'POST', path: /^\/webhooks\/([^/]+)$/, isForBrowsers: false, route: receiveWebhookRoute },
  { method: 'POST', path: /^\/sessions$/, isForBrowsers: true, route: createSessionRoute },
  { method: 'GET', path: /^\/applications$/, isForBrowsers: true, route: listApplicationsRoute },
  { method: 'GET', path: /^\/applications\/([^/]+)$/, isForBrowsers: true, route: getApplicationRoute },
  { method: 'GET', path: /^\/applications\/([^/]+)\/events$/, isForBrowsers: true, route: streamEventsRoute },
];

/** Finds the route of a request, or of the request that a preflight asks about. @throws Refusal */
export function findRoute(basePath: string, request: Request): { row: RouteRow; parameter: string } {
  const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
  const path = pathBelow(basePath, request.url.replace(/^\w+:\/\/[^/]*|[?#].*$/g, ''));
  for (const row of routes) {
    const match = row.path.exec(path);
    if (!match) continue;
    const isAnswered = row.method === request.method || (isPreflight && row.isForBrowsers);
    if (!isAnswered) throw new Refusal('method_not_allowed', { allow: row.method });
    return { row, parameter: decode(match[1] ?? '') };
  }
  throw new Refusal('unknown_route');
}

/**
 * Some mounts take the base path off (Express and Hono with a prefix), some leave it on (Next, Fastify); a proxy in front of them
 * may have taken off the beginning of it.
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
    throw new Refusal('unknown_route');
  }
}
