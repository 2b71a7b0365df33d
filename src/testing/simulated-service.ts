import { serve } from './node-server.js';
import type { PlaywrightPage, PlaywrightRoute, UrlPattern } from './playwright.js';
import { isOfAnother, rememberPage } from './prepared-pages.js';
import { assertScenario, type Scenario } from './scenarios.js';
import { createScriptedPage, scriptedPageUrl } from './scripted-page.js';
import { createSimulatedApplication, type SimulatedApplication } from './simulated-backend.js';

/** What the element asks a partner's backend for a session with. */
export interface SessionRequestBody {
  /** Why a session is wanted. */
  reason: 'open' | 'resume' | 'expired';
  /** The one-time value that the return to your site has to carry. */
  returnState: string;
  /** The application to go on with. */
  applicationId?: string;
}

/** What is simulated. */
export interface SimulatedServiceOptions {
  page: PlaywrightPage;
  sessionUrl: UrlPattern;
  hostedOrigin: string | undefined;
  states: readonly string[];
  scenario: Scenario;
  returnUrl: string | undefined;
}

/** The backend of the partner and the hosted application, answered without a server. */
export interface SimulatedService {
  /** The origin of the hosted application. */
  readonly hostedOrigin: string;
  readonly requests: readonly SessionRequestBody[];
  /** How often the hosted application has saved something. */
  readonly saves: number;
  /** The application of the last session. */
  readonly application: SimulatedApplication | undefined;
  play(scenario: Scenario): void;
}

/** Answers for them, in the tab of the page and in every window but those of other prepared pages, until the context is closed. */
export async function simulateService(options: SimulatedServiceOptions): Promise<SimulatedService> {
  const { page, states, returnUrl } = options;
  const context = page.context();
  const requests: SessionRequestBody[] = [];
  const applications = new Map<string, SimulatedApplication>();
  const statusPath = /\/applications\/(app_test_\d+)$/;
  let { scenario } = options;
  let saves = 0;
  let current: SimulatedApplication | undefined;
  let hosted = createScriptedPage({ allowedOrigins: [], states });
  rememberPage(page);
  const hostedOrigin = options.hostedOrigin ?? (await listen());

  await answer(options.sessionUrl, (route) => {
    const request = route.request();
    // The route may be on another origin than the page, and the page is what shows the application.
    const site = request.headers()['origin'] ?? new URL(request.url()).origin;
    const body = JSON.parse(request.postData() ?? '{}') as SessionRequestBody;
    requests.push(body);
    current = begun(body.applicationId);
    hosted = createScriptedPage({
      // As the service does it: whoever made the session may show it.
      allowedOrigins: [site],
      states,
      onSave(id, snapshot) {
        saves += 1;
        applications.get(id)?.save(snapshot);
      },
    });
    return fulfillJson(route, sessionOf(current, body, site));
  });
  await answer(
    ({ pathname }) => statusPath.test(pathname),
    (route) => {
      const [, id = ''] = statusPath.exec(new URL(route.request().url()).pathname) ?? [];
      return fulfillJson(route, applications.get(id)?.read());
    },
  );
  if (options.hostedOrigin !== undefined) {
    await answer(
      ({ origin }) => origin === hostedOrigin,
      async (route) => {
        const request = route.request();
        const init = { method: request.method(), body: request.postData() };
        await fulfill(route, await hosted(new Request(request.url(), init)));
      },
    );
  }

  /** Of several pages of one context, each has its own service. */
  async function answer(pattern: UrlPattern, handle: (route: PlaywrightRoute) => Promise<void>): Promise<void> {
    await context.route(pattern, async (route) => {
      const asking = pageOf(route);
      if (asking && (await isOfAnother(asking, page))) await route.fallback();
      else await handle(route);
    });
  }

  /** A server for as long as the context is there. */
  async function listen(): Promise<string> {
    const server = await serve((request) => hosted(request), {});
    context.on('close', () => void server.close());
    return server.origin;
  }

  function begun(id: string | undefined): SimulatedApplication {
    const known = id === undefined ? undefined : applications.get(id);
    if (known) return known;
    const made = createSimulatedApplication(id ?? `app_test_${applications.size + 1}`, hostedOrigin);
    applications.set(made.applicationId, made);
    return made;
  }

  function sessionOf(
    { applicationId }: SimulatedApplication,
    { reason, returnState }: SessionRequestBody,
    site: string,
  ): object {
    const address = returnUrl === undefined ? undefined : new URL(returnUrl, site);
    address?.searchParams.set('state', returnState);
    // A session that was renewed would run out again, for ever.
    const played = scenario === 'expired' && reason === 'expired' ? 'complete' : scenario;
    const session = { scenario: played, applicationId, ...(address && { returnUrl: address.href }) };
    return {
      applicationUrl: scriptedPageUrl(hostedOrigin, session),
      applicationId,
      statusUrl: `/licensing/applications/${applicationId}`,
      states,
      returnState,
    };
  }

  return {
    hostedOrigin,
    requests,
    get saves() {
      return saves;
    },
    get application() {
      return current;
    },
    play(next) {
      assertScenario(next);
      scenario = next;
    },
  };
}

/** The page that a request comes from; undefined for the first of a window that is just being opened. */
function pageOf(route: PlaywrightRoute): PlaywrightPage | undefined {
  try {
    return route.request().frame().page();
  } catch {
    return undefined;
  }
}

async function fulfillJson(route: PlaywrightRoute, body: object | undefined): Promise<void> {
  await fulfill(route, body ? Response.json(body) : Response.json({}, { status: 404 }));
}

async function fulfill(route: PlaywrightRoute, response: Response): Promise<void> {
  const { status, headers } = response;
  await route.fulfill({ status, headers: Object.fromEntries(headers), body: await response.text() });
}
