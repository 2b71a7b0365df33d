import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
import { toNodeListener } from 'licensing-apply/server/node';
import { createWebhookSender, type WebhookSender } from '../../src/bridge/outbox/webhook-sender.js';
import type { Language, WebhookEvent } from '../../src/contract/index.js';
import type { TestBridge } from '../support/bridge.js';

/**
 * A partner in live mode. Its address is public; the browser and the webhooks are redirected to
 * this process.
 */
export interface LivePartner {
  /** Redirects the bridge's webhooks to the partner. */
  sender: WebhookSender;
  /** The webhooks that the partner's page lists. */
  events: readonly WebhookEvent[];
  pageUrl: string;
  /** Starts to serve when the bridge runs. */
  begin(bridge: TestBridge, language: Language): Promise<void>;
  /** Serves the partner's pages to a browser's page. */
  serve(page: Page): Promise<void>;
  close(): Promise<void>;
}

const siteUrl = 'https://partner.example';
const cdn = fileURLToPath(new URL('../../dist/cdn/', import.meta.url));

/** Creates the partner. Its page has the element, and the arrived webhooks. */
export function createLivePartner(): LivePartner {
  const network = createWebhookSender(() => new Date(), { isLoopbackAllowed: true });
  const events: WebhookEvent[] = [];
  let licensing: ReturnType<typeof createLicensingHandler> | undefined;
  let shown: Language = 'en';

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/licensing/webhooks/')) events.push((await request.clone().json()) as WebhookEvent);
    if (pathname.startsWith('/licensing/')) return licensing?.(request) ?? new Response(null, { status: 503 });
    if (!pathname.endsWith('.js')) return page();
    const headers = { 'content-type': 'text/javascript' };
    return new Response(await readFile(`${cdn}${pathname.slice(1)}`, 'utf8'), { headers });
  }

  function page(): Response {
    const [applicationId] = events.map(({ data }) => data.applicationId);
    const statusUrl = `/licensing/applications/${applicationId ?? ''}`;
    const earlier = applicationId === undefined ? '' : `application-id="${applicationId}" status-url="${statusUrl}"`;
    const body = pageOf(shown, earlier, events);
    return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  }

  const server = createServer(toNodeListener(answer));
  let localUrl = '';
  return {
    events,
    pageUrl: `${siteUrl}/`,
    sender: {
      send(webhook, signal) {
        const url = webhook.url.replace(siteUrl, localUrl);
        return network.send({ ...webhook, url, mode: 'test' }, signal);
      },
      close: () => network.close(),
    },
    async begin(bridge, language) {
      shown = language;
      await once(server.listen(0, '127.0.0.1'), 'listening');
      localUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
      const { clientId, liveClientSecret: clientSecret } = bridge.credential;
      licensing = createLicensingHandler({
        bridge: createBridgeClient({ baseUrl: bridge.bridgeUrl, clientId, clientSecret }),
        log: () => undefined,
        secret: 'a secret for the pictures of a live application',
        publicUrl: `${siteUrl}/licensing`,
        identify: () => ({ userId: `usr_live_${language}`, profile: {} }),
        session: () => ({
          applicationType: 'new',
          licenseType: 'life_health',
          states: ['TX', 'CA'],
          returnUrl: `${siteUrl}/`,
        }),
      });
    },
    async serve(page) {
      await page.context().route(`${siteUrl}/**`, async (route) => {
        const asked = route.request();
        // A route of the browser answers once, without an event stream, so the element polls.
        if (asked.url().endsWith('/events')) return route.abort();
        const body = asked.postData();
        const request = new Request(asked.url(), {
          method: asked.method(),
          headers: await asked.allHeaders().then(withoutPseudoHeaders),
          ...(body === null ? {} : { body }),
        });
        const response = await answer(request);
        const headers = Object.fromEntries(response.headers);
        await route.fulfill({ status: response.status, headers, body: await response.text() });
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await licensing?.close();
    },
  };
}

function withoutPseudoHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}

const words = {
  en: { title: 'Licenses', webhooks: 'Webhooks' },
  es: { title: 'Licencias', webhooks: 'Webhooks' },
};

function pageOf(language: Language, earlier: string, events: readonly WebhookEvent[]): string {
  const { title, webhooks } = words[language];
  const list = events.map(({ type, data }) => `<li><code>${type}</code> ${describe(data)}</li>`).join('');
  return `<!doctype html>
<html lang="${language}">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>${title}</title>
  <link rel="icon" href="data:," />
  <style>
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #0f1216); }
    main { max-width: 46rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); overflow-wrap: anywhere; }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
  </style>
  <script type="module" src="/licensing-apply.js"></script>
  <main>
    <h1>${title}</h1>
    <licensing-apply mode="redirect" session-url="/licensing/sessions" states="TX,CA" ${earlier}></licensing-apply>
    <h2>${webhooks}</h2>
    <ol>${list}</ol>
  </main>
</html>
`;
}

/** The contents of a webhook, shortened for the partner's page. */
function describe(data: WebhookEvent['data']): string {
  if ('step' in data) return data.step;
  return 'states' in data ? data.states.map(({ state, status }) => `${state} ${status}`).join(', ') : '';
}
