import { serve } from './node-server.js';
import type { PlaywrightPage, PlaywrightRoute, UrlPattern } from './playwright.js';
import { belongsToOther, markPrepared } from './prepared-pages.js';
import { assertScenario, type Scenario } from './scenarios.js';
import { createScriptedPage, scriptedPageUrl } from './scripted-page.js';
import { createSimulatedApplication, type DecidedStatus, type SimulatedApplication } from './simulated-backend.js';

/** The body of the element's request for a session. */
export interface SessionRequestBody {
  /** Why the element requests a session. */
  reason: 'open' | 'resume' | 'expired';
  /** The one-time value that the return URL must have as `state`. */
  returnState: string;
  /** The application to continue. */
  applicationId?: string;
}

/** Options of {@link simulateService}. */
export interface SimulatedServiceOptions {
  page: PlaywrightPage;
  sessionUrl: UrlPattern;
  hostedOrigin: string | undefined;
  states: readonly string[];
  /** The applications of the user before the test, newest first. */
  applications: readonly Readonly<Record<string, DecidedStatus>>[];
  applicationsUrl: UrlPattern;
  scenario: Scenario;
  returnUrl: string | undefined;
}

/** The simulated backend and hosted application of a page. */
export interface SimulatedService {
  /** The origin of the hosted application. */
  readonly hostedOrigin: string;
  /** The requests for a session so far. */
  readonly requests: readonly SessionRequestBody[];
  /** How often the hosted application has saved. */
  readonly saves: number;
  /** The application of the last session. Absent before the first one. */
  readonly application: SimulatedApplication | undefined;
  /** Changes the scenario of the next session. */
  play(scenario: Scenario): void;
}

/** Answers the requests of a page and its popups, until the browser context is closed. */
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
  markPrepared(page);
  const hostedOrigin = options.hostedOrigin ?? (await listen());
  for (const statuses of [...options.applications].reverse()) create(statuses);

  await answer(options.sessionUrl, (route) => {
    const request = route.request();
    // The origin of the page: the session route may be on another one.
    const site = request.headers()['origin'] ?? new URL(request.url()).origin;
    const body = JSON.parse(request.postData() ?? '{}') as SessionRequestBody;
    requests.push(body);
    current = continueOrCreate(body.applicationId);
    hosted = createScriptedPage({
      // As on the bridge: the site that created the session may embed the application.
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
  await answer(options.applicationsUrl, (route) => {
    const newestFirst = [...applications.values()].reverse();
    return fulfillJson(route, { applications: newestFirst.map((application) => application.read()) });
  });
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

  /**
   * Answers requests that match, except those of other prepared pages of the same browser context.
   */
  async function answer(pattern: UrlPattern, handle: (route: PlaywrightRoute) => Promise<void>): Promise<void> {
    await context.route(pattern, async (route) => {
      const source = pageOf(route);
      if (source && (await belongsToOther(source, page))) await route.fallback();
      else await handle(route);
    });
  }

  /** Starts a server that runs until the browser context is closed. */
  async function listen(): Promise<string> {
    const server = await serve((request) => hosted(request), {});
    context.on('close', () => void server.close());
    return server.origin;
  }

  function continueOrCreate(id: string | undefined): SimulatedApplication {
    return (id === undefined ? undefined : applications.get(id)) ?? create({}, id);
  }

  function create(
    statuses: Readonly<Record<string, DecidedStatus>>,
    id = `app_test_${applications.size + 1}`,
  ): SimulatedApplication {
    const created = createSimulatedApplication(id, hostedOrigin, statuses);
    applications.set(id, created);
    return created;
  }

  function sessionOf(
    { applicationId }: SimulatedApplication,
    { reason, returnState }: SessionRequestBody,
    site: string,
  ): object {
    const url = returnUrl === undefined ? undefined : new URL(returnUrl, site);
    url?.searchParams.set('state', returnState);
    // Otherwise a renewed session would expire again, without end.
    const sessionScenario = scenario === 'expired' && reason === 'expired' ? 'complete' : scenario;
    const session = { scenario: sessionScenario, applicationId, ...(url && { returnUrl: url.href }) };
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

/** Returns the page that sent a request; undefined for the first request of a popup. */
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
