/**
 * The server of the developer view. It has its own licensing handler, so that the partner's stays
 * an example.
 */
import {
  createBridgeClient,
  createLicensingHandler,
  testCards,
  testSsns,
  type BridgeClient,
} from 'licensing-apply/server';
import type { NodeContext } from 'licensing-apply/server/node';
import { eventNames } from 'licensing-apply/testing';
import { findUser, type Settings } from '../server.ts';

/** An event that the backend received, as the page shows it. */
interface Entry {
  userId: string;
  at: string;
  name: string;
  facts: object;
}

type DecideState = Parameters<BridgeClient['testHelpers']['decideState']>;
type Decision = { applicationId: string; state: DecideState[1] } & DecideState[2];

/**
 * Creates the function that answers below `/developer/`, and leads to the console. It returns
 * `undefined` for what is a file.
 */
export function createDeveloperView(settings: Settings) {
  const { siteUrl, bridgeUrl, consoleUrl, clientId, clientSecret, webhookSecret } = settings;
  const bridge = createBridgeClient({ baseUrl: bridgeUrl, clientId, clientSecret, honorsIdempotencyKey: true });
  const timeline = createTimeline();
  const licensing = createLicensingHandler({
    bridge,
    secret: webhookSecret,
    publicUrl: `${siteUrl}/developer/licensing`,
    identify: findUser,
    session(request) {
      const { search, searchParams } = new URL(request.url);
      return {
        applicationType: 'new',
        licenseType: 'life_health',
        states: ['TX', 'CA'],
        paymentMethod: searchParams.get('payment') === 'partner_billing' ? 'partner_billing' : 'user_pays',
        // A redirect returns to the page that it left; a frame or a popup ends on a separate page.
        returnUrl: siteUrl + (searchParams.get('mode') === 'redirect' ? `/developer/${search}` : '/return.html'),
      };
    },
    on: {
      progress: ({ userId, progress }) => timeline.add(userId, 'on.progress', { ...progress }),
      submitted: ({ userId, submittedAt }) => timeline.add(userId, 'on.submitted', { submittedAt }),
      status: ({ userId, state, status }) => timeline.add(userId, 'on.status', { state, status }),
      requiresAction: ({ userId, state, reason }) => timeline.add(userId, 'on.requiresAction', { state, reason }),
    },
  });

  /**
   * Passes a webhook to the handler and shows the answer. Webhook URLs and action URLs are
   * capabilities: never show them.
   */
  async function receiveWebhook(request: Request, context: NodeContext): Promise<Response> {
    const webhook = request.clone();
    const response = await licensing(request, context);
    // The URL of a forged webhook is unknown.
    if (response.status === 404) return response;
    const { id, type, data } = (await webhook.json()) as { id: string; type: string; data: { userId: string } };
    timeline.add(data.userId, type, { id, answered: response.status });
    return response;
  }

  /** Decides in place of a simulated department, for the user's own application only. */
  async function decide(request: Request): Promise<Response> {
    const { applicationId, state, ...decision } = (await request.json()) as Decision;
    const { userId } = await bridge.applications.get(applicationId);
    if (userId !== findUser(request)?.userId) return new Response(null, { status: 404 });
    await bridge.testHelpers.decideState(applicationId, state, decision);
    return new Response(null, { status: 204 });
  }

  return (request: Request, context: NodeContext): Promise<Response> | Response | undefined => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/developer/licensing/webhooks/')) return receiveWebhook(request, context);
    if (pathname.startsWith('/developer/licensing/')) return licensing(request, context);
    switch (`${request.method} ${pathname}`) {
      case 'GET /operator/console':
        return new Response(null, { status: 302, headers: { location: `${consoleUrl}/filings` } });
      case 'GET /developer/facts.js':
        return factsModule();
      case 'GET /developer/timeline':
        return timeline.stream(findUser(request)?.userId);
      case 'POST /developer/decisions':
        return decide(request);
      case 'POST /developer/sign-out':
        return new Response(null, { status: 204, headers: { 'set-cookie': 'agency_session=; Path=/; Max-Age=0' } });
      default:
        return undefined;
    }
  };
}

/**
 * The names of events and the test data, as a module: the page then listens before the element
 * dispatches its first event.
 */
function factsModule(): Response {
  const facts = { eventNames, testSsns, testCards };
  return new Response(`export const facts = ${JSON.stringify(facts)};`, {
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  });
}

/** Keeps what the backend received and streams each user their own part as server-sent events. */
function createTimeline() {
  const entries: Entry[] = [];
  const listeners = new Set<(entry: Entry) => void>();
  return {
    add(userId: string, name: string, facts: object): void {
      const entry = { userId, at: new Date().toISOString(), name, facts };
      entries.push(entry);
      for (const listener of listeners) listener(entry);
    },
    stream(userId: string | undefined): Response {
      let send: (entry: Entry) => void;
      const body = new ReadableStream<string>({
        start(controller) {
          send = (entry) => {
            if (entry.userId === userId) controller.enqueue(`data: ${JSON.stringify(entry)}\n\n`);
          };
          controller.enqueue(': open\n\n');
          entries.forEach(send);
          listeners.add(send);
        },
        cancel: () => void listeners.delete(send),
      });
      return new Response(body.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      });
    },
  };
}
