import assert from 'node:assert/strict';
import type { Hono } from 'hono';
import { operations } from '../../../src/contract/index.js';
import { createTestProcessor } from '../../../src/bridge/adapters/test-processor.js';
import { createApplyApp } from '../../../src/bridge/apply/index.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { consoleRoutes, createConsoleApp } from '../../../src/bridge/console/index.js';
import { createApi } from '../../../src/bridge/http/api.js';
import { readOperator } from '../../../src/bridge/pages/operator.js';
import type { ConsoleService } from '../console/support.js';

/** A route of one of the listeners. */
export interface Route {
  app: 'apply' | 'api' | 'console';
  method: string;
  path: string;
}

/** The name of a route in reports. */
export const nameOf = ({ app, method, path }: Route) => `${app} ${method} ${path}`;

/** The origin of an app. */
export function originOf({ applyUrl, bridgeUrl, consoleUrl }: ConsoleService, app: Route['app']): string {
  return { apply: applyUrl, api: bridgeUrl, console: consoleUrl }[app];
}

/** The routes as the apps have them, without what answers wrong methods and unknown paths. */
export function routesOf({ context, consoleUrl }: ConsoleService): Route[] {
  const assets = { href: () => '', at: () => undefined };
  const operator = readOperator(readEnvironment({}));
  const testProcessor = createTestProcessor(context);
  const apps = {
    apply: createApplyApp(context, { assets, operator, testProcessor }),
    api: createApi(context, { isReady: () => Promise.resolve(true) }),
    console: createConsoleApp(context, { assets, consoleUrl }),
  } as unknown as Record<Route['app'], Hono>;
  const paths = new Map(Object.values(operations).map(({ path }) => [path.replace(/\{(\w+)\}/g, ':$1'), path]));
  const found = Object.entries(apps).flatMap(([app, { routes }]) =>
    routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => ({ app: app as Route['app'], method, path: paths.get(path) ?? path })),
  );
  const distinct = [...new Map(found.map((route) => [nameOf(route), route])).values()];
  assert.ok(distinct.filter(({ app }) => app === 'console').length >= consoleRoutes.length);
  return distinct;
}
