/** A partner's server: the pages of this folder, and the licensing handler under `/licensing`. */
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname } from 'node:path';
import { createBridgeClient, createLicensingHandler, type LicensingUser } from 'licensing-apply/server';
import { toNodeListener, type NodeContext } from 'licensing-apply/server/node';

/** Settings of the server. A real site keeps the last three in its secret store. */
export type Settings = Record<
  'siteUrl' | 'bridgeUrl' | 'applyUrl' | 'consoleUrl' | 'clientId' | 'clientSecret' | 'webhookSecret',
  string
>;

const folders = [new URL('./', import.meta.url), new URL('./cdn/', import.meta.resolve('licensing-apply'))];
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Creates the server. `developerView` is a part of the demo: it answers first, or returns
 * `undefined`.
 */
export function createSite(
  settings: Settings,
  developerView: (request: Request, context: NodeContext) => Promise<Response> | Response | undefined,
): Server {
  const { siteUrl, bridgeUrl, applyUrl, clientId, clientSecret, webhookSecret } = settings;
  const licensing = createLicensingHandler({
    bridge: createBridgeClient({ baseUrl: bridgeUrl, clientId, clientSecret, honorsIdempotencyKey: true }),
    secret: webhookSecret,
    publicUrl: `${siteUrl}/licensing`,
    identify: findUser,
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: `${siteUrl}/return.html`,
    }),
  });
  const headers = {
    'cache-control': 'no-cache',
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; ` +
      // The frame shows the hosted application, then our own return page.
      `frame-src 'self' ${new URL(applyUrl).origin}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; ` +
      `require-trusted-types-for 'script'; trusted-types lit-html`,
  };

  return createServer(
    toNodeListener(async (request, context) => {
      if (new URL(request.url).pathname.startsWith('/licensing/')) return licensing(request, context);
      return (await developerView(request, context)) ?? sendFile(request, headers);
    }),
  );
}

/**
 * Finds the user of a request. Replace it with your own sign-in: this site signs in every browser
 * as a sample producer.
 */
export function findUser(request: Request): LicensingUser | null {
  const session = /\bagency_session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  if (!session) return null;
  // Not the cookie itself, because the bridge receives the user id, and must not receive the secret
  // of a session.
  return { userId: `usr_${createHash('sha256').update(session).digest('hex').slice(0, 16)}`, profile: sampleProfile };
}

const sampleProfile = {
  npn: '9000000001',
  firstName: 'Avery',
  lastName: 'Sample',
  email: 'avery.sample@example.com',
  phone: '503-555-0142',
  dateOfBirth: '1988-04-12',
  residentialAddress: { street: '100 Example Street', city: 'Sampleton', state: 'OR', zip: '97000' },
} as const;

async function sendFile(request: Request, policy: Record<string, string>): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/\/$/, '/index.html');
  const contentType = contentTypes[extname(path)] ?? '';
  for (const folder of contentType ? folders : []) {
    const file = await readFile(new URL(`.${path}`, folder)).catch(() => undefined);
    if (!file) continue;
    const headers = new Headers({ ...policy, 'content-type': contentType });
    if (!findUser(request)) headers.set('set-cookie', `agency_session=${randomUUID()}; Path=/; HttpOnly; SameSite=Lax`);
    return new Response(file, { headers });
  }
  return new Response('Not found', { status: 404 });
}
