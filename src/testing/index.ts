/**
 * What a partner tests an integration with. The hosted application is played by a page that does what a scenario says, in real
 * frames, windows and messages; nothing of the real service is needed.
 *
 * With Playwright there is nothing to start. The fixture answers for your backend and for the hosted application:
 *
 * ```ts
 * import { test } from '@playwright/test';
 * import { licensing } from 'licensing-apply/testing';
 *
 * test('shows what the states decide', async ({ page }) => {
 *   const user = await licensing(page, { states: ['TX', 'CA'] });
 *   await page.goto('/apply');
 *   await user.complete();
 *   await user.close();
 *   await user.decide('TX', 'approved');
 *   await user.expectStatus({ TX: 'approved', CA: 'pending_review' });
 * });
 * ```
 *
 * Everywhere else {@link createScriptedPage} is the page as a function from `Request` to `Response`, and
 * {@link startScriptedPage} serves it from Node.
 */
export type { Snapshot } from '../channel/index.js';
export { licensing, type Licensing } from './licensing.js';
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
export { eventNames, type ToldEvent } from './recorded-events.js';
export { attacks, scenarios, type Attack, type Scenario } from './scenarios.js';
export {
  createScriptedPage,
  scriptedPageUrl,
  type ScriptedPageOptions,
  type ScriptedSession,
} from './scripted-page.js';
export type { DecidedStatus } from './simulated-backend.js';
export type { SessionRequestBody } from './simulated-service.js';
