import assert from 'node:assert/strict';
import type { PartnerSession } from '../../src/server/index.js';
import type { TestBridge } from '../support/bridge.js';
import { until } from '../server/support/until.js';

/** A listening backend, in any runtime. */
export interface RunningBackend {
  /** Its own address, without a slash at its end. */
  site: string;
  /** Its output. */
  output(): string;
}

let users = 0;

/**
 * Calls a backend like a page and the bridge.
 *
 * 1. requests without a user, and a webhook to an invalid URL, are refused
 * 2. a session: the profile is synced, then the application is created
 * 3. its status, once and as a stream
 * 4. the user opens the application: the bridge sends the webhook, the backend reads the
 *    application, the listener and the page receive it
 * 5. a forged webhook, even to the right URL, changes nothing and is not acknowledged
 * 6. another user cannot read it
 */
export async function exerciseBackend({ site, output }: RunningBackend, bridge: TestBridge): Promise<void> {
  const userId = `usr_example${++users}`;
  const cookie = `theme=dark; user=${userId}`;
  const stranger = await postJson(`${site}/licensing/sessions`, sessionRequest);
  assert.equal(stranger.status, 401, await stranger.text());
  const guessed = await postJson(`${site}/licensing/webhooks/${'a'.repeat(64)}`, { id: 'evt_1' });
  assert.equal(guessed.status, 404, await guessed.text());

  const answer = await postJson(`${site}/licensing/sessions`, sessionRequest, { cookie });
  const session = (await answer.json()) as PartnerSession;
  assert.equal(answer.status, 200, JSON.stringify(session));
  const profile = await bridge.call('PATCH', `/v1/users/${userId}/licensing-profile`, { body: {} });
  assert.equal(profile.body.firstName, 'Avery');

  const statusUrl = new URL(session.statusUrl ?? '', site);
  const readStep = async () => (await readJson<{ progress: { step: string } }>(statusUrl, { cookie })).progress.step;
  assert.equal(await readStep(), 'not_started');
  const events = await openEvents(new URL(session.eventsUrl ?? '', site), { cookie });
  await events.untilSaid('"not_started"');

  const page = await fetch(session.applicationUrl);
  await page.text();
  await events.untilSaid('"profile"');
  await until('the partner to be told', () => output().includes(`${userId} is at profile.`));
  assert.equal(await readStep(), 'profile');

  const { webhookUrl } = await bridge.context.db
    .selectFrom('application')
    .select('webhookUrl')
    .where('id', '=', session.applicationId)
    .executeTakeFirstOrThrow();
  const forged = {
    id: 'evt_forged',
    type: 'application.progress_updated',
    data: { step: 'review', index: 6, count: 6 },
  };
  const refused = await postJson(webhookUrl ?? '', forged);
  assert.equal(refused.status, 503, await refused.text());
  assert.equal(await readStep(), 'profile');

  const others = await fetch(statusUrl, { headers: { cookie: 'user=usr_another' } });
  assert.equal(others.status, 404, await others.text());
  await events.close();
}

const sessionRequest = { reason: 'open', returnState: 'r'.repeat(32) };

/** Posts like a page of the site. */
export function postJson(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function readJson<Body>(url: URL, headers: Record<string, string>): Promise<Body> {
  const answer = await fetch(url, { headers });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Body;
}

/** Reads server-sent events until one contains a text. */
async function openEvents(url: URL, headers: Record<string, string>) {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.ok(answer.body);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let said = '';
  return {
    async untilSaid(words: string): Promise<void> {
      while (!said.includes(words)) {
        const { done, value } = await reader.read();
        assert.equal(done, false, `The stream ended without ${words}: ${said}`);
        said += value;
      }
    },
    close: () => reader.cancel(),
  };
}
