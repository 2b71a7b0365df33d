import type { UrlPattern } from './playwright.js';
import { assertScenario, assertStates, type Scenario } from './scenarios.js';

/** What `licensing()` can be told. */
export interface LicensingOptions {
  /** What the hosted application does. Default: `complete`. */
  scenario?: Scenario;
  /** The states applied for. Default: `["TX", "CA"]`. */
  states?: readonly string[];
  /** The requests of the element for a session, which are answered here. Default: whatever ends in `/licensing/sessions`. */
  sessionUrl?: UrlPattern;
  /**
   * Where the user comes back to: a page of yours with the return script, such as `/done`. Default: nowhere, the application just
   * closes.
   */
  returnUrl?: string;
  /**
   * Where the hosted application is, such as `https://apply.licensing.test`: Playwright then answers for it. Default: a server on a
   * free port of 127.0.0.1, which only pages on this machine may load. Your page's `frame-src` has to allow either.
   */
  hostedOrigin?: string;
  /** Which element is meant. Default: `licensing-apply`. */
  element?: string;
  /** How long each step waits, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/**
 * The options with what is used where nothing was said.
 *
 * @throws TypeError when one of them could only make a test wait in vain.
 */
export function completeOptions(options: LicensingOptions) {
  const {
    scenario = 'complete',
    states = ['TX', 'CA'],
    element = 'licensing-apply',
    timeoutMs = 10_000,
    sessionUrl = /\/licensing\/sessions$/,
    returnUrl,
    hostedOrigin,
  } = options;
  assertScenario(scenario);
  assertStates(states);
  // A page of the site may be given by its path alone; its first request shows the origin.
  if (returnUrl !== undefined && !URL.canParse(returnUrl, 'http://localhost')) {
    throw new TypeError('The `returnUrl` has to be an address of your site, or a path on it such as "/done".');
  }
  if (hostedOrigin !== undefined && (!URL.canParse(hostedOrigin) || new URL(hostedOrigin).origin !== hostedOrigin)) {
    throw new TypeError('The `hostedOrigin` has to be an exact origin such as "https://apply.licensing.test".');
  }
  if (!(timeoutMs > 0)) throw new TypeError('The `timeoutMs` has to be a number of milliseconds.');
  return { scenario, states, element, timeoutMs, sessionUrl, returnUrl, hostedOrigin };
}
