import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Browser, chromium, type Page } from 'playwright-core';
import { loadApplyAssets } from '../../src/bridge/apply/index.js';
import type { Mode, Session, StateCode } from '../../src/contract/index.js';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { lateProcessor } from '../support/late-processor.js';
import { startMailServer } from '../support/mail-server.js';
import { chromiumArguments, programPath } from '../support/programs.js';
import { readMail } from '../support/read-mail.js';
import { startElementSite, type ElementSite } from './element-site.js';

/** The services behind the pictures. */
export interface Studio {
  browser: Browser;
  bridge: TestBridge;
  site: ElementSite;
  /** Takes connections and never answers. */
  hangingOrigin: string;
  /** A page of a new user. */
  openPage(): Promise<Page>;
  /** A session of the bridge, for the site's page. */
  createSession(more?: object, mode?: Mode): Promise<Session>;
  /** Lets the link of a session expire after this number of seconds. */
  expireIn(session: Session, seconds: number): Promise<void>;
  /** Resolves with the code of six digits in the next mail that has one. */
  nextCode(): Promise<string>;
  /** Has a state's department request an action. */
  ask(session: Session, state: StateCode, reason: string): Promise<void>;
  /** Makes every read and write of a step fail while `act` runs. */
  whileBroken(act: () => Promise<void>): Promise<void>;
  /** Delays the processor while `act` runs; `asked` resolves when the processor was called. */
  whilePaying(act: (asked: Promise<void>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Starts the browser, the bridge with its real pages, and the partner's page. */
export async function openStudio(): Promise<Studio> {
  let thinking = Promise.resolve();
  let onCharge: () => void = () => undefined;
  const late = lateProcessor({
    async authorize(request) {
      onCharge();
      await thinking;
      return late.real().authorize(request);
    },
  });
  const mails = await startMailServer();
  const [browser, bridge, site, hanging] = await Promise.all([
    chromium.launch({ executablePath: programPath('chromium'), args: chromiumArguments }),
    startBridge({
      assets: loadApplyAssets(),
      paymentProcessor: late.processor,
      environment: {
        CONSOLE_PORT: '0',
        BRIDGE_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
        BRIDGE_MAIL_FROM: 'Example Licensing <licensing@example.com>',
        BRIDGE_OPERATOR_NAME: 'Example Licensing',
      },
    }),
    startElementSite(),
    hang(),
  ]);
  late.bind(bridge);
  let users = 0;
  let readMails = 0;
  return {
    browser,
    bridge,
    site,
    hangingOrigin: hanging.origin,
    async openPage() {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      return context.newPage();
    },
    async createSession(more = {}, mode = 'test') {
      users += 1;
      const { status, body } = await bridge.call('POST', '/v1/applications/sessions', {
        token: bridge.tokens[mode],
        body: {
          userId: `usr_${users}`,
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
        .set({ expiresAt: new Date(Date.now() + seconds * 1_000) })
        .where('id', '=', applicationId)
        .execute();
    },
    async nextCode() {
      for (;;) {
        for (const { source } of mails.received.slice(readMails)) {
          readMails += 1;
          const code = /^\d{6}$/m.exec(readMail(source).text)?.[0];
          if (code !== undefined) return code;
        }
        await setTimeout(50);
      }
    },
    async ask({ applicationId }, state, reason) {
      const path = `/v1/test_helpers/applications/${applicationId}/states/${state}`;
      const { status, body } = await bridge.call('POST', path, { body: { status: 'requires_action', reason } });
      if (status !== 200) throw new Error(`Not asked: ${JSON.stringify(body)}`);
    },
    async whileBroken(act) {
      const { db } = bridge.context;
      await sql`alter table application_step rename to application_step_away`.execute(db);
      await act().finally(async () => {
        await sql`alter table application_step_away rename to application_step`.execute(db);
      });
    },
    async whilePaying(act) {
      let answer: () => void = () => undefined;
      thinking = new Promise((resolve) => (answer = resolve));
      const asked = new Promise<void>((resolve) => (onCharge = resolve));
      await act(asked).finally(answer);
    },
    async close() {
      await browser.close();
      hanging.server.close();
      await Promise.all([bridge.stop(), site.close()]);
      await mails.stop();
    },
  };
}

async function hang(): Promise<{ server: Server; origin: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, origin: `http://127.0.0.1:${String(typeof address === 'object' && address?.port)}` };
}
