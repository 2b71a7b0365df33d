/**
 * The operator's console: server-rendered pages on a separate origin, which work without script.
 * `licensing-bridge operator create` creates operators. Every route defines its access, see
 * `ConsoleRoute`.
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { BridgeContext } from '../domain/context.js';
import { ApiError } from '../domain/errors/api-error.js';
import type { IdentityProvider } from '../domain/operators/identity-provider.js';
import { isAborted } from '../http/connection.js';
import type { ApplyAssets } from '../pages/assets.js';
import { isCrossOriginPost } from '../pages/cross-origin-post.js';
import { secureHeaders } from '../pages/headers.js';
import { html } from '../pages/html.js';
import { AdapterError } from '../ports/adapter-error.js';
import { describeOutage, findOutage, retryAfterSeconds } from '../store/outages.js';
import { refuse, showMissing, showProblem } from './responses.js';
import type { ConsoleContext, ConsoleEnv, ConsoleMiddleware, ConsoleServices, ConsoleRoute } from './context.js';
import { applicationRoutes } from './pages/application.js';
import { applicationsRoutes } from './pages/applications.js';
import { authenticatorRoutes } from './pages/authenticator.js';
import { auditRoutes } from './pages/audit.js';
import { correctionRoutes } from './pages/correction.js';
import { decisionRoutes } from './pages/decision.js';
import { downloadRoutes } from './pages/downloads.js';
import { filingRoutes } from './pages/filing.js';
import { filingsRoutes } from './pages/filings.js';
import { homeRoutes } from './pages/home.js';
import { oidcReturnPath, oidcRoutes } from './pages/oidc.js';
import { passwordRoutes } from './pages/password.js';
import { paymentRoutes } from './pages/payments.js';
import { revealRoutes } from './pages/reveal.js';
import { searchRoutes } from './pages/search.js';
import { signInRoutes, signOutPath } from './pages/sign-in.js';
import { templateRoutes } from './pages/templates.js';
import { webhookRoutes } from './pages/webhooks.js';
import { admit, findVisitor, formBytes } from './session.js';
import { consoleTexts as texts } from './texts.js';

export { oidcReturnPath, signOutPath };

/** The dependencies of the console besides the context. */
export interface ConsoleOptions {
  assets: ApplyAssets;
  /** The public origin of the console (`CONSOLE_URL`). */
  consoleUrl: string;
  /** The identity provider of `CONSOLE_OIDC_ISSUER`. Default: operators sign in with passwords only. */
  identityProvider?: IdentityProvider | undefined;
}

/** All routes of the console with their access. */
export const consoleRoutes: readonly ConsoleRoute[] = [
  ...signInRoutes,
  ...oidcRoutes,
  ...passwordRoutes,
  ...authenticatorRoutes,
  ...homeRoutes,
  ...searchRoutes,
  ...applicationsRoutes,
  ...applicationRoutes,
  ...revealRoutes,
  ...decisionRoutes,
  ...templateRoutes,
  ...correctionRoutes,
  ...filingsRoutes,
  ...filingRoutes,
  ...downloadRoutes,
  ...paymentRoutes,
  ...webhookRoutes,
  ...auditRoutes,
];

/** Creates the console: a handler of requests, without a server. */
export function createConsoleApp(context: BridgeContext, options: ConsoleOptions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  const { assets, consoleUrl, identityProvider } = options;
  const services: ConsoleServices = { context, assets, consoleUrl, identityProvider };
  app.use(secureHeaders(consoleUrl.startsWith('https:')));
  app.use(keepApart);
  app.get('/assets/*', (c) => {
    const asset = assets.at(c.req.path);
    if (!asset) return c.body(null, 404);
    const cacheControl = 'public, max-age=31536000, immutable';
    return c.body(asset.body, 200, { 'content-type': asset.contentType, 'cache-control': cacheControl });
  });
  app.get('/favicon.ico', (c) => c.body(null, 204));
  app.use(findVisitor(services));
  app.use(refuseCrossOriginPosts(services));
  app.use(bodyLimit({ maxSize: formBytes, onError: (c) => refuse(c as ConsoleContext, services, 413) }));
  for (const route of consoleRoutes) app.on(route.method, route.path, admit(services, route));
  app.notFound((c) => showMissing({ c, services }));
  app.onError((error, c) => {
    if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
      const { title, lead } = texts.problem.wait;
      c.header('retry-after', String(error.retryAfterSeconds));
      return showProblem(c, services, 429, { title, lead: lead(error.retryAfterSeconds) });
    }
    const { requestId } = c.env;
    const reference = html`<p><code class="reference">${requestId}</code></p>`;
    if (isAborted(c.env)) return showProblem(c, services, 400, texts.problem.failed, reference);
    const outage = findOutage(error);
    if (outage !== undefined) {
      context.log.warn({ err: error, requestId }, describeOutage('A page of the console', outage));
      c.header('retry-after', String(retryAfterSeconds));
      return showProblem(c, services, 503, texts.problem.unavailable, reference);
    }
    context.log.error({ err: error, requestId }, 'a page of the console failed');
    if (error instanceof AdapterError) {
      c.header('retry-after', String(retryAfterSeconds));
      return showProblem(c, services, 503, texts.problem.noAnswer, reference);
    }
    return showProblem(c, services, 500, texts.problem.failed, reference);
  });
  return app;
}

/**
 * No window of another site can reference a window of the console, and no page of another site can
 * load its responses.
 */
const keepApart: ConsoleMiddleware = async (c, next) => {
  await next();
  c.res.headers.set('cross-origin-opener-policy', 'same-origin');
  c.res.headers.set('cross-origin-resource-policy', 'same-origin');
};

function refuseCrossOriginPosts(services: ConsoleServices): ConsoleMiddleware {
  return async function refuseForeignPost(c, next) {
    if (c.req.method !== 'POST') return next();
    if (isCrossOriginPost(c.req, services.consoleUrl)) return refuse(c, services, 403);
    const type = c.req.header('content-type') ?? '';
    if (!type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return refuse(c, services, 415);
    return next();
  };
}
