import { createServer, type Server } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { loadApplyAssets } from '../../src/bridge/apply/index.js';
import type { Session } from '../../src/contract/index.js';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { chromiumArguments, ensure } from '../support/browsers.mjs';
import { startElementSite, type ElementSite } from './element-site.js';

/** What the pictures are taken of. */
export interface Studio {
  browser: Browser;
  bridge: TestBridge;
  site: ElementSite;
  /** Takes connections and never answers. */
  hangingOrigin: string;
  /** A page of a new user. */
  openPage(): Promise<Page>;
  /** A session of the bridge, for the site's page. */
  createSession(more?: object): Promise<Session>;
  /** Lets the link of a session run out after so many seconds. */
  expireIn(session: Session, seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the browser, the bridge with its real pages, and the partner's page. */
export async function openStudio(): Promise<Studio> {
  const [browser, bridge, site, hanging] = await Promise.all([
    chromium.launch({ executablePath: ensure('chromium'), args: chromiumArguments }),
    startBridge({ assets: loadApplyAssets() }),
    startElementSite(),
    hang(),
  ]);
  let users = 0;
  return {
    browser,
    bridge,
    site,
    hangingOrigin: hanging.origin,
    async openPage() {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      return context.newPage();
    },
    async createSession(more = {}) {
      users += 1;
      const { status, body } = await bridge.call('POST', '/v1/applications/sessions', {
        body: {
          userId: `usr_${String(users)}`,
          applicationType: 'new',
          licenseType: 'life_health',
          states: ['TX', 'CA'],
          returnUrl: `${site.origin}/`,
          ...more,
        },
      });
      if (status !== 200) throw new Error(`No session: ${JSON.stringify(body)}`);
      return body;
    },
    async expireIn({ applicationId }, seconds) {
      await bridge.context.db
        .updateTable('application')
        .set({ expires_at: new Date(Date.now() + seconds * 1_000) })
        .where('id', '=', applicationId)
        .execute();
    },
    async close() {
      await browser.close();
      hanging.server.close();
      await Promise.all([bridge.stop(), site.close()]);
    },
  };
}

async function hang(): Promise<{ server: Server; origin: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, origin: `http://127.0.0.1:${String(typeof address === 'object' && address?.port)}` };
}
