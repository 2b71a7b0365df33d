import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
import { toNodeListener } from 'licensing-apply/server/node';
import { loadApplyAssets } from '../../../src/bridge/apply/index.js';
import { startBridge } from '../../support/bridge.js';

/** A small site of a partner: the built element with a strict CSP, the helper, and a bridge. */
export interface PartnerSite {
  /** The page whose element has this mode. */
  pageUrl(mode: Mode): string;
  /** The hosted application: another site than the partner's. */
  applyUrl: string;
  stop(): Promise<void>;
}

/** The modes with a complete application. */
export type Mode = 'modal' | 'popup' | 'redirect';

const cdn = fileURLToPath(new URL('../../../dist/cdn/', import.meta.url));
const recorder = fileURLToPath(new URL('record.js', import.meta.url));

/** Starts the partner's site on `localhost` and the bridge on free ports of `127.0.0.1`. */
export async function startPartnerSite(): Promise<PartnerSite> {
  const bridge = await startBridge({ assets: loadApplyAssets() });
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const siteUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const pageUrl = (mode: string) => `${siteUrl}/?mode=${mode}`;

  const { clientId, testClientSecret: clientSecret } = bridge.credential;
  const licensing = createLicensingHandler({
    bridge: createBridgeClient({ baseUrl: bridge.bridgeUrl, clientId, clientSecret, honorsIdempotencyKey: true }),
    secret: randomUUID() + randomUUID(),
    publicUrl: `${siteUrl}/licensing`,
    identify: (request) => {
      const userId = visitorOf(request);
      return userId === undefined ? null : { userId, profile: {} };
    },
    session: (request) => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: modeOf(request) === 'redirect' ? pageUrl('redirect') : `${siteUrl}/return.html`,
    }),
  });

  async function serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/licensing/')) return licensing(request);
    if (pathname === '/record.js') return script(await readFile(recorder, 'utf8'));
    if (pathname.endsWith('.js')) return script(await readFile(`${cdn}${pathname.slice(1)}`, 'utf8'));
    if (pathname === '/return.html') return page('<script type="module" src="/return.js"></script><p>Thank you.</p>');
    const mode = modeOf(request);
    const answer = page(`<script src="/record.js"></script>
      <script type="module" src="/licensing-apply.js"></script>
      <licensing-apply session-url="/licensing/sessions?mode=${mode}" mode="${mode}"></licensing-apply>`);
    if (!visitorOf(request))
      answer.headers.set('set-cookie', `visitor=usr_${randomUUID()}; Path=/; HttpOnly; SameSite=Lax`);
    return answer;
  }

  function page(content: string): Response {
    const policy = [
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
      `frame-src 'self' ${bridge.applyUrl}; frame-ancestors 'self'; base-uri 'none'`,
      "require-trusted-types-for 'script'; trusted-types lit-html",
    ].join('; ');
    const html = `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">${content}</html>`;
    return new Response(html, { headers: { 'content-type': 'text/html', 'content-security-policy': policy } });
  }

  server.on('request', toNodeListener(serve));
  return {
    pageUrl,
    applyUrl: bridge.applyUrl,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await licensing.close();
      await bridge.stop();
    },
  };
}

function script(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/javascript' } });
}

function modeOf(request: Request): Mode {
  const mode = new URL(request.url).searchParams.get('mode');
  return mode === 'popup' || mode === 'redirect' ? mode : 'modal';
}

function visitorOf(request: Request): string | undefined {
  return /(?:^|; )visitor=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
}
