import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  createLicensingHandler,
  type ApplicationEvent,
  type HttpErrorBody,
  type LicensingHandlerOptions,
  type LogEntry,
  type PartnerSession,
} from '../../../src/server/index.js';
import { manualClock, type ManualClock } from './manual-clock.js';
import { scriptedBridge, type ScriptedBridge } from './scripted-bridge.js';

/** A secret that is long enough. */
export const secret = 'a-secret-of-the-partner-0123456789abcdef';
/** A value like the element's. */
export const returnState = 'abcdefghijklmnopqrstuvwx';
/** The base path of the handler. */
export const publicUrl = 'https://agency.example/licensing';
/** Options of `request`. */
export interface RequestOptions {
  method?: string;
  user?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Options of {@link partner}: those of the handler, with test doubles. */
export type PartnerOptions = Partial<Omit<LicensingHandlerOptions, 'clock' | 'bridge'>> & {
  clock?: ManualClock;
  bridge?: ScriptedBridge;
  /** Whether the handler stays open after the test, because a hanging one cannot be closed. */
  isLeftOpen?: boolean;
};

/** Creates a partner's backend with a scripted bridge and a stopped clock. */
export function partner(test: TestContext, { isLeftOpen = false, ...options }: PartnerOptions = {}) {
  const clock = options.clock ?? manualClock();
  const bridge = options.bridge ?? scriptedBridge(() => clock.now());
  const events: ApplicationEvent[] = [];
  const entries: LogEntry[] = [];
  const record = (event: ApplicationEvent) => void events.push(event);
  const handler = createLicensingHandler({
    secret,
    publicUrl,
    identify: (asked) => {
      const userId = asked.headers.get('x-user');
      return userId === null ? null : { userId, profile: { firstName: 'Ada' } };
    },
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: 'https://agency.example/done?from=apply',
    }),
    on: { progress: record, submitted: record, status: record, requiresAction: record },
    log: (entry) => entries.push(entry),
    reconcileMinutes: 0,
    ...options,
    bridge,
    clock,
  });
  /** Closes the handler. Work with a time limit ends only if the clock moves. */
  async function stop() {
    const closed = handler.close();
    await clock.advance(60_000);
    await closed;
  }
  if (!isLeftOpen) test.after(stop);

  function request(path: string, { method = 'GET', user = 'usr_1', headers = {}, body }: RequestOptions = {}) {
    const identity = user === null ? {} : { 'x-user': user };
    const init = { method, headers: { ...identity, ...headers } };
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return handler(new Request(`${publicUrl}${path}`, text === undefined ? init : { ...init, body: text }));
  }

  function postSession(body: unknown = { reason: 'open', returnState }, more: RequestOptions = {}) {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...more.headers };
    return request('/sessions', { method: 'POST', body, ...more, headers });
  }

  /** Opens an application. Resolves with the element's response, and the URL of its webhooks. */
  async function begin(user = 'usr_1', state = returnState) {
    const answer = await postSession({ reason: 'open', returnState: state }, { user });
    assert.equal(answer.status, 200);
    const session = (await answer.json()) as PartnerSession;
    return { session, webhookUrl: bridge.requests.at(-1)?.webhookUrl ?? '' };
  }

  function postWebhook(url: string, body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return handler(
      new Request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }),
    );
  }

  return { clock, bridge, events, entries, handler, stop, request, postSession, begin, postWebhook };
}

/** The status and the code of an error answer. */
export async function errorOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as HttpErrorBody;
  assert.deepEqual(Object.keys(body), ['code', 'message']);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return `${answer.status} ${body.code}`;
}

/** Creates the body of a webhook as the bridge sends it. */
export function webhook(id: string, type: string, data: Record<string, unknown> = {}) {
  const [applicationId, sessionId, userId] = ['app_1', 'ses_1', 'usr_1'];
  return { id, type, createdAt: '2026-11-20T12:00:00.000Z', data: { applicationId, sessionId, userId, ...data } };
}
