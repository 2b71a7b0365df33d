/**
 * Tests of a partner's own integration, without the licensing service. A scripted page takes the
 * place of the hosted application. It follows a scenario, in real frames and popups, with real
 * messages.
 *
 * With Playwright there is nothing to start. The fixture answers for your session route and for the
 * hosted application:
 *
 * ```ts
 * import { test } from '@playwright/test';
 * import { licensing } from 'licensing-apply/testing';
 *
 * test('the page shows the decision of a state', async ({ page }) => {
 *   const user = await licensing(page, { states: ['TX', 'CA'] });
 *   await page.goto('/apply');
 *   await user.complete();
 *   await user.close();
 *   await user.decide('TX', 'approved');
 *   await user.expectStatus({ TX: 'approved', CA: 'pending_review' });
 * });
 * ```
 *
 * For other test runners, {@link startScriptedPage} serves the page from Node, and
 * {@link createScriptedPage} is the page as a function from `Request` to `Response`.
 */
export type { Snapshot } from '../channel/index.js';
export { licensing, type HostedButton, type Licensing } from './licensing.js';
export type { LicensingOptions } from './licensing-options.js';
export {
  type ListenOptions,
  startScriptedPage,
  type ScriptedPageServer,
  type ScriptedPageServerOptions,
} from './node-server.js';
export type {
  PlaywrightContext,
  PlaywrightFrame,
  PlaywrightLocator,
  PlaywrightPage,
  PlaywrightRequest,
  PlaywrightRoute,
  UrlPattern,
} from './playwright.js';
export { eventNames, type RecordedEvent } from './recorded-events.js';
export { attacks, scenarios, type Attack, type Scenario } from './scenarios.js';
export {
  createScriptedPage,
  scriptedPageUrl,
  type ScriptedPageOptions,
  type ScriptedSession,
} from './scripted-page.js';
export type { DecidedStatus, IssuedLicense } from './simulated-backend.js';
export type { SessionRequestBody } from './simulated-service.js';
