import type { UrlPattern } from './playwright.js';
import { assertScenario, assertStates, type Scenario } from './scenarios.js';
import type { DecidedStatus } from './simulated-backend.js';

/** Options of `licensing()`. */
export interface LicensingOptions {
  /** The scenario that the hosted application follows. Default: `complete`. */
  scenario?: Scenario;
  /** The states applied for. Default: `["TX", "CA"]`. */
  states?: readonly string[];
  /** The URLs of your session route. Default: URLs that end in `/licensing/sessions`. */
  sessionUrl?: UrlPattern;
  /**
   * The page of your site to which the user returns, with the return script, such as `/done`.
   * Default: none, the application closes.
   */
  returnUrl?: string;
  /**
   * The origin of the hosted application, such as `https://apply.licensing.test`. Playwright
   * answers its requests. Default: a server on a free port of `127.0.0.1`. The `frame-src` of your
   * page must allow the origin.
   */
  hostedOrigin?: string;
  /**
   * The selector of a `<licensing-apply>`, or of a list. In a list, the steps use the card of the
   * newest session, before it the first card. Default: `licensing-apply`.
   */
  element?: string;
  /**
   * The applications that a list shows beside those of the test, newest first: the status of each
   * state, such as `{ TX: 'approved' }`, or `{}` before submission. Default: none.
   */
  applications?: readonly Readonly<Record<string, DecidedStatus>>[];
  /** The URLs that a list reads. Default: URLs that end in `/licensing/applications`. */
  applicationsUrl?: UrlPattern;
  /** The timeout of each step, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/**
 * Checks the options and adds the defaults.
 *
 * @throws TypeError that names the wrong option.
 */
export function completeOptions(options: LicensingOptions) {
  const {
    scenario = 'complete',
    states = ['TX', 'CA'],
    element = 'licensing-apply',
    timeoutMs = 10_000,
    sessionUrl = /\/licensing\/sessions$/,
    applications = [],
    applicationsUrl = /\/licensing\/applications$/,
    returnUrl,
    hostedOrigin,
  } = options;
  assertScenario(scenario);
  assertStates(states);
  for (const statuses of applications) {
    if (Object.keys(statuses).length > 0) assertStates(Object.keys(statuses), '`applications`');
  }
  // A path is enough. The origin is that of the first session request.
  if (returnUrl !== undefined && !URL.canParse(returnUrl, 'http://localhost')) {
    throw new TypeError('`returnUrl` must be a URL of your site, or a path such as "/done".');
  }
  if (hostedOrigin !== undefined && (!URL.canParse(hostedOrigin) || new URL(hostedOrigin).origin !== hostedOrigin)) {
    throw new TypeError('`hostedOrigin` must be an origin without a path, such as "https://apply.licensing.test".');
  }
  if (!(timeoutMs > 0)) throw new TypeError('`timeoutMs` must be a number of milliseconds above 0.');
  return { scenario, states, element, timeoutMs, sessionUrl, applications, applicationsUrl, returnUrl, hostedOrigin };
}
