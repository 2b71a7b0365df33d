import type { Snapshot } from '../channel/index.js';
import { documentOf, receiptDocument, silentDocumentOf, styles } from './page-documents.js';
import { parseActionPath, returnAddress, snapshotAt, submittedSnapshot } from './page-script.js';
import { assertScenario, assertStates, isScenario, type Scenario } from './scenarios.js';

/** The bundled script of the page. The build inserts it. */
declare const scriptOfPage: string;

/** Options of {@link createScriptedPage}. */
export interface ScriptedPageOptions {
  /**
   * The origins that may embed the page, such as `["http://localhost:3000"]`. Exact, no wildcard.
   */
  allowedOrigins: readonly string[];
  /** The states applied for, as two letters each. Default: `["TX", "CA"]`. */
  states?: readonly string[];
  /** Receives each snapshot that the page saves. Default: none. */
  onSave?(applicationId: string, snapshot: Snapshot): void;
}

/** A session of the scripted page, for {@link scriptedPageUrl}. */
export interface ScriptedSession {
  /** The scenario that the page follows. */
  scenario: Scenario;
  /** The id of the application. Default: `app_test`. */
  applicationId?: string;
  /**
   * The URL to which the user returns. Its query has the `returnState` of the element's session
   * request as `state`. Default: none, the page closes.
   */
  returnUrl?: string;
}

/**
 * Returns the URL of a session of the scripted page. A backend answers it as `applicationUrl`.
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

/**
 * Whether the scripted page at this URL saves when the user continues. It does not in the scenarios
 * `expired` and `evil`.
 */
export function savesAt({ pathname }: URL): boolean {
  const [, first = ''] = pathname.split('/');
  return first === 'a' || (isScenario(first) && first !== 'expired' && first !== 'evil');
}

/**
 * Creates a hosted application that follows scenarios, as a function from `Request` to `Response`.
 * {@link startScriptedPage}, a server or worker of yours, or `page.route()` can serve it from any
 * origin. {@link scriptedPageUrl} returns its URLs.
 *
 * @throws TypeError when `states` are not states.
 */
export function createScriptedPage(options: ScriptedPageOptions): (request: Request) => Promise<Response> {
  const { allowedOrigins, states = ['TX', 'CA'], onSave } = options;
  assertStates(states);
  const headers = {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors ${allowedOrigins.join(' ')}`,
    'referrer-policy': 'no-referrer',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  };

  function reply(body: string, type: string, status = 200): Response {
    return new Response(body, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
  }

  function play(scenario: Scenario, applicationId: string, more: { returnUrl?: string; asking?: string }): Response {
    const script = { scenario, applicationId, allowedOrigins, states, snapshot: snapshotAt(1), ...more };
    return reply(documentOf(script), 'text/html');
  }

  /** The link "Submit" of a page without the protocol. */
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
      return reply('The origin of returnUrl must be in allowedOrigins.', 'text/plain', 400);
    }
    if (first !== 'silent') return play(first, id, returnUrl === null ? {} : { returnUrl });
    return last === 'submitted' ? stayOrReturn(id, returnUrl) : reply(silentDocumentOf(url), 'text/html');
  };
}
