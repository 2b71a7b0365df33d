import { readFile } from 'node:fs/promises';
import { isBridgeError, testCards, testSsns, type BridgeClient } from 'licensing-apply/server';
import { eventNames } from 'licensing-apply/testing';
import { createFeed } from './feed.ts';
import { listenForFeed } from './received.ts';
import { newVisitorCookie, visitorOf, type Visitor } from './visitors.ts';

/** What the developer's view states of the demo. */
export interface PageFacts {
  ssns: typeof testSsns;
  cards: typeof testCards;
  /** The lines of the backend that run here. */
  code: string;
}

/** What the visitor lets a simulated department say. */
interface Decision {
  applicationId: string;
  state: string;
  status: 'approved' | 'denied' | 'requires_action' | 'pending_review';
  reason?: string;
}

/** A module and not a fact to be asked for: the page has to listen before the element tells something. */
const eventNamesModule = `export const eventNames = ${JSON.stringify(eventNames)};`;

/** What stands beside the partner's site and belongs to no real one. */
export function createDeveloperView(bridge: BridgeClient) {
  const feed = createFeed();
  return {
    /** What the handler tells goes into the feed. */
    on: listenForFeed(feed, bridge),
    /** Answers everything below `/demo/`. */
    async serve(request: Request): Promise<Response> {
      const visitor = visitorOf(request);
      switch (`${request.method} ${new URL(request.url).pathname}`) {
        case 'GET /demo/facts':
          return Response.json(await pageFacts());
        case 'GET /demo/event-names.js':
          return new Response(eventNamesModule, { headers: { 'content-type': 'text/javascript; charset=utf-8' } });
        case 'GET /demo/feed':
          return feed.watch(visitor?.userId ?? '', Number(request.headers.get('last-event-id') ?? 0));
        case 'POST /demo/visitors':
          return new Response(null, { status: 204, headers: { 'set-cookie': newVisitorCookie() } });
        case 'POST /demo/decisions':
          return decide(bridge, visitor, (await request.json()) as Decision);
        default:
          return new Response('There is nothing at this address.', { status: 404 });
      }
    },
  };
}

async function decide(bridge: BridgeClient, visitor: Visitor | null, decision: Decision): Promise<Response> {
  const { applicationId, state, status, reason } = decision;
  try {
    const application = await bridge.getApplication(applicationId);
    if (application.userId !== visitor?.userId) return new Response('This application is not yours.', { status: 404 });
    await bridge.decideState(applicationId, state, { status, ...(reason ? { reason } : {}) });
    return new Response(null, { status: 204 });
  } catch (problem) {
    if (!isBridgeError(problem)) throw problem;
    return new Response(problem.message, { status: 502 });
  }
}

async function pageFacts(): Promise<PageFacts> {
  const backend = await readFile(new URL('backend.ts', import.meta.url), 'utf8');
  return { ssns: testSsns, cards: testCards, code: handlerIn(backend) };
}

/** The lines of the backend that make the client and the handler. */
function handlerIn(backend: string): string {
  const lines = backend.split('\n');
  const first = lines.findIndex((line) => line.includes('createBridgeClient('));
  const last = lines.findIndex((line, index) => index > first && line === '  });');
  return lines
    .slice(first, last + 1)
    .map((line) => line.slice(2))
    .join('\n');
}
