import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  createLicensingHandler,
  type Fact,
  type LicensingHandlerOptions,
  type LogEntry,
  type PartnerSession,
  type WebhookVerdict,
} from '../../../src/server/index.js';
import { manualClock, type ManualClock } from './manual-clock.js';
import { clientOf, scriptedBridge, type ScriptedBridge } from './scripted-bridge.js';

/** A secret long enough. */
export const secret = 'a-secret-of-the-partner-0123456789abcdef';
/** A value as the element makes it. */
export const returnState = 'abcdefghijklmnopqrstuvwx';
/** Where the handler is mounted. */
export const publicUrl = 'https://agency.example/licensing';
/** A bridge that nobody may ask. */
export const untouchedBridge: LicensingHandlerOptions['bridge'] = {
  profiles: { sync: () => assert.fail() },
  sessions: { create: () => assert.fail() },
  applications: { get: () => assert.fail() },
};

/** Options of {@link request}. */
export interface RequestOptions {
  method?: string;
  user?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What a test may choose. */
export type PartnerOptions = Partial<Omit<LicensingHandlerOptions, 'clock' | 'bridge'>> & {
  clock?: ManualClock;
  bridge?: ScriptedBridge;
  /** Whether the instance is left as it is when the test ends: one that hangs cannot be closed. */
  isLeftOpen?: boolean;
};

/** A partner's backend on a scripted bridge and a clock that stands still. */
export function partner(test: TestContext, options: PartnerOptions = {}) {
  const clock = options.clock ?? manualClock();
  const bridge = options.bridge ?? scriptedBridge(() => clock.now());
  const facts: Fact[] = [];
  const verdicts: WebhookVerdict[] = [];
  const entries: LogEntry[] = [];
  const handler = createLicensingHandler({
    secret,
    publicUrl,
    clock,
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
    on: {
      progress: (fact) => facts.push({ listener: 'progress', fact }),
      submitted: (fact) => facts.push({ listener: 'submitted', fact }),
      status: (fact) => facts.push({ listener: 'status', fact }),
      requiresAction: (fact) => facts.push({ listener: 'requiresAction', fact }),
      webhook: (verdict) => verdicts.push(verdict),
    },
    log: (entry) => entries.push(entry),
    ...options,
    bridge: clientOf(bridge),
  });
  /** Closes the handler. Work that is pausing goes on only if the clock does. */
  async function stop() {
    const closed = handler.close();
    await clock.advance(1_000);
    await closed;
  }
  if (options.isLeftOpen !== true) test.after(stop);

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

  async function begin(user = 'usr_1') {
    const answer = await postSession(undefined, { user });
    const session = (await answer.json()) as PartnerSession;
    return { session, webhookUrl: bridge.sessions.at(-1)?.webhookUrl ?? '' };
  }

  function postWebhook(url: string, body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return handler(
      new Request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }),
    );
  }

  return { clock, bridge, facts, verdicts, entries, handler, stop, request, postSession, begin, postWebhook };
}

/** The body of a webhook as the bridge sends it. */
export function webhook(id: string, type: string, data: Record<string, unknown> = {}) {
  const [applicationId, sessionId, userId] = ['app_1', 'ses_1', 'usr_1'];
  return { id, type, createdAt: '2026-11-20T12:00:00.000Z', data: { applicationId, sessionId, userId, ...data } };
}
