import type { Snapshot } from '../channel/index.js';
import { documentOf, receiptDocument, silentDocumentOf, styles } from './page-documents.js';
import { parseActionPath, returnAddress, snapshotAt, submittedSnapshot } from './page-script.js';
import { assertScenario, assertStates, isScenario, type Scenario } from './scenarios.js';

/** The bundled script of the page. The build puts it in. */
declare const scriptOfPage: string;

/** What {@link createScriptedPage} needs. */
export interface ScriptedPageOptions {
  /** The origins that may embed the page, such as `["http://localhost:3000"]`. Exact, no wildcard. */
  allowedOrigins: readonly string[];
  /** The states applied for, as two letters each. Default: `["TX", "CA"]`. */
  states?: readonly string[];
  /** Called with each snapshot that the page saves, as the service's own database would learn of it. */
  onSave?(applicationId: string, snapshot: Snapshot): void;
}

/** What {@link scriptedPageUrl} puts into an address. */
export interface ScriptedSession {
  scenario: Scenario;
  /** Default: `app_test`. */
  applicationId?: string;
  /** Where the user goes in the end, with the one-time `state` in its query that the element sent along. Default: nowhere. */
  returnUrl?: string;
}

/**
 * The address that a session of the scripted page has, as a backend would answer it for `applicationUrl`.
 *
 * @throws TypeError when there is no such scenario.
 */
export function scriptedPageUrl(
  origin: string,
  { scenario, applicationId = 'app_test', returnUrl }: ScriptedSession,
): string {
  assertScenario(scenario);
  const url = new URL(`/${scenario}/${applicationId}`, origin);
  if (returnUrl !== undefined) url.searchParams.set('returnUrl', returnUrl);
  return url.href;
}

/** Whether going on at this address of the scripted page saves something. A link that runs out and an attacker save nothing. */
export function savesAt({ pathname }: URL): boolean {
  const [, first = ''] = pathname.split('/');
  return first === 'a' || (isScenario(first) && first !== 'expired' && first !== 'evil');
}

/**
 * Creates a hosted application that does what a scenario says. It is one function from `Request` to `Response` and nothing else,
 * so it can be served from any origin: by {@link startScriptedPage}, by a server or a worker of yours, or by Playwright's
 * `route`. {@link scriptedPageUrl} makes the addresses that it answers.
 *
 * @throws TypeError when `states` are not states.
 */
export function createScriptedPage(options: ScriptedPageOptions): (request: Request) => Promise<Response> {
  const { allowedOrigins, states = ['TX', 'CA'], onSave } = options;
  assertStates(states);
  const headers = {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors ${allowedOrigins.join(' ')}`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };

  function reply(body: string, type: string, status = 200): Response {
    return new Response(body, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
  }

  function play(scenario: Scenario, applicationId: string, more: { returnUrl?: string; asking?: string }): Response {
    const script = { scenario, applicationId, allowedOrigins, states, snapshot: snapshotAt(1), ...more };
    return reply(documentOf(script), 'text/html');
  }

  /** What a host without the protocol does with its own links. */
  function stayOrReturn(applicationId: string, returnUrl: string | null): Response {
    onSave?.(applicationId, submittedSnapshot(states));
    if (returnUrl === null) return reply(receiptDocument, 'text/html');
    return new Response(null, {
      status: 303,
      headers: { ...headers, location: returnAddress(returnUrl, 'submitted') },
    });
  }

  return async function scriptedPage(request) {
    const url = new URL(request.url);
    const [, first = '', id = '', last] = url.pathname.split('/');
    if (url.pathname === '/page.js') return reply(scriptOfPage, 'text/javascript');
    if (url.pathname === '/page.css') return reply(styles, 'text/css');
    if (first === 'a') {
      const { asking, applicationId } = parseActionPath(id);
      return play('blocked', applicationId, { asking });
    }
    if (!isScenario(first) || id === '') return reply('There is no such page.', 'text/plain', 404);
    if (request.method === 'POST') {
      const snapshot = (await request.json()) as Snapshot;
      onSave?.(id, snapshot);
      return new Response(null, { status: 204 });
    }
    const returnUrl = url.searchParams.get('returnUrl');
    if (returnUrl !== null && !allowedOrigins.includes(new URL(returnUrl).origin)) {
      return reply('The returnUrl belongs to one of the allowed origins.', 'text/plain', 400);
    }
    if (first !== 'silent') return play(first, id, returnUrl === null ? {} : { returnUrl });
    return last === 'submitted' ? stayOrReturn(id, returnUrl) : reply(silentDocumentOf(url), 'text/html');
  };
}
