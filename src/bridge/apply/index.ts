/**
 * The hosted application: server-rendered pages on a separate origin, which work without script.
 * The URL gives access; there are no cookies. `/s/{token}` is an application, `/a/{token}` a
 * request of a state after the submission.
 */
import { Hono } from 'hono';
import type { BridgeContext } from '../domain/context.js';
import type { TestProcessor } from '../adapters/test-processor.js';
import { isAborted } from '../http/connection.js';
import { createApplyBudgets } from './body-budgets.js';
import type { ApplyAssets } from '../pages/assets.js';
import { type ApplyEnv, type ApplyRequest, type ApplyServices, describePage, hrefOf } from './page-context.js';
import { answerFailure, limitForms, limitPages, refuseCrossOriginPosts, refuseUnstorableUrls } from './form-guard.js';
import { secureHeaders } from '../pages/headers.js';
import type { Operator } from '../pages/operator.js';
import { addActionRoutes } from './pages/action/route.js';
import { addBackgroundRoutes } from './pages/background/route.js';
import { addCodeRoutes } from './pages/code/route.js';
import { addDisclosureRoutes } from './pages/disclosures/route.js';
import { addDocumentRoutes } from './pages/documents/route.js';
import { addIdentityRoutes } from './pages/identity/route.js';
import { answerNotification } from './pages/payments/notifications.js';
import { addPaymentRoutes } from './pages/payments/route.js';
import { addTestProcessorRoutes } from './pages/payments/test-processor.js';
import { addProfileRoutes } from './pages/profile/route.js';
import { addRenewalRoutes, addStartRoutes } from './pages/start/route.js';
import { addReceiptRoutes } from './pages/receipt/route.js';
import { addReviewRoutes } from './pages/review/route.js';
import { addStatesRoutes } from './pages/states/route.js';
import { AdapterError } from '../ports/adapter-error.js';
import { describeOutage, findOutage, retryAfterSeconds } from '../store/outages.js';
import { renderPage } from './layout.js';
import { missingPage, problemPage } from './pages/plain/view.js';
import { showFailure } from './respond.js';

export type { ApplyAsset, ApplyAssetName, ApplyAssets } from '../pages/assets.js';
export { loadApplyAssets } from '../pages/assets.js';
export { bringsDocument } from './form-guard.js';

/** The dependencies of the hosted application besides the context. */
export interface ApplyOptions {
  assets: ApplyAssets;
  /** The operator named on the pages. */
  operator: Operator;
  /**
   * The processor of the simulated page of 3-D Secure; `undefined` where the operator's processor
   * serves test mode: then there is no such page.
   */
  testProcessor: TestProcessor | undefined;
}

/** Creates the hosted application: a handler of requests, without a server. */
export function createApplyApp(context: BridgeContext, options: ApplyOptions): Hono<ApplyEnv> {
  const app = new Hono<ApplyEnv>();
  const services: ApplyServices = { context, ...options, budgets: createApplyBudgets() };
  app.use(secureHeaders(context.settings.applyUrl.startsWith('https:'), framedBy, (c) => c.get('scriptOrigins') ?? []));
  app.get('/assets/*', (c) => {
    const asset = options.assets.at(c.req.path) ?? options.operator.fileAt(c.req.path);
    if (!asset) return c.body(null, 404);
    // The URL changes with the content, so the response can be cached for ever. These routes need
    // no application.
    const cacheControl = 'public, max-age=31536000, immutable';
    return c.body(asset.body, 200, { 'content-type': asset.contentType, 'cache-control': cacheControl });
  });
  app.get('/favicon.ico', (c) => c.body(null, 204));
  app.use(describePage(services));
  app.use(refuseUnstorableUrls);
  // Before the form guard, because a processor posts from another origin.
  app.post('/payments/notifications', answerNotification(services));
  app.use(refuseCrossOriginPosts(new URL(context.settings.applyUrl).origin));
  app.use('/s/:token/*', limitPages(context.limiter));
  app.use('/a/:token/*', limitPages(context.limiter));
  app.use('/p/:paymentId/:token/*', limitPages(context.limiter));
  app.use(limitForms(services.budgets.forms));
  for (const addRoutes of [
    addStartRoutes,
    addStatesRoutes,
    addProfileRoutes,
    addIdentityRoutes,
    addCodeRoutes,
    // Before the background routes, whose path has the name of a group in place of `documents`.
    addDocumentRoutes,
    addBackgroundRoutes,
    addDisclosureRoutes,
    addReviewRoutes,
    addPaymentRoutes,
    addReceiptRoutes,
    addRenewalRoutes,
    addActionRoutes,
  ]) {
    addRoutes(app, services);
  }
  if (options.testProcessor !== undefined) addTestProcessorRoutes(app, services, options.testProcessor);
  app.notFound((c) => c.html(renderPage(c.get('page'), missingPage(c.get('page'))), 404));
  app.onError((error, c) => {
    const answer = answerFailure(c, error);
    if (answer !== undefined) return answer;
    const { requestId } = c.env;
    const page = problemPage(c.get('page'), requestId, hrefOf(new URL(c.req.url)));
    if (isAborted(c.env)) return showFailure(c, page, 400);
    const outage = findOutage(error);
    if (outage !== undefined) {
      context.log.warn({ err: error, requestId }, describeOutage('A page of the application', outage));
      c.header('retry-after', String(retryAfterSeconds));
      return showFailure(c, page, 503);
    }
    // Never the URL: its token gives access.
    context.log.error({ err: error, requestId }, 'a page of the application failed');
    if (!(error instanceof AdapterError)) return showFailure(c, page, 500);
    c.header('retry-after', String(retryAfterSeconds));
    return showFailure(c, page, 503);
  });
  return app;
}

/**
 * Only the partner of a known application may frame its pages. See {@link showFailure} for earlier
 * failures, which any site may frame.
 */
function framedBy(c: ApplyRequest): string | undefined {
  const returnUrl = c.get('returnUrl');
  if (returnUrl) return new URL(returnUrl).origin;
  return c.get('isFailure') ? '*' : undefined;
}
