import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
import { toNodeListener } from 'licensing-apply/server/node';

const site = 'http://localhost:3000';
const { BRIDGE_CLIENT_ID: clientId = '', BRIDGE_CLIENT_SECRET: clientSecret = '' } = process.env;

/** Replace this with your own sign-in. Here every browser is a new sample user. */
const findUser = (request) => /\buser=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];

const licensing = createLicensingHandler({
  bridge: createBridgeClient({ baseUrl: 'http://127.0.0.1:5171', clientId, clientSecret }),
  secret: process.env.LICENSING_SECRET ?? '',
  publicUrl: `${site}/licensing`,
  identify(request) {
    const userId = findUser(request);
    return userId ? { userId, profile: { firstName: 'Avery', lastName: 'Sample' } } : null;
  },
  session: () => ({
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX', 'CA'],
    returnUrl: `${site}/done`,
  }),
  on: { status: ({ state, status }) => console.log(`${state}: ${status}`) },
});

const scripts = new URL('./cdn/', import.meta.resolve('licensing-apply'));
const pages = { '/': 'index.html', '/done': 'done.html' };

async function handle(request, context) {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/licensing/')) return licensing(request, context);
  const script = /^\/licensing-apply\/(.+\.js)$/.exec(pathname)?.[1];
  const url = script ? new URL(script, scripts) : new URL(pages[pathname] ?? '404', import.meta.url);
  const file = await readFile(url).catch(() => undefined);
  if (!file) return new Response('Not found', { status: 404 });
  const headers = new Headers({ 'content-type': script ? 'text/javascript' : 'text/html; charset=utf-8' });
  if (pathname === '/' && !findUser(request)) {
    headers.set('set-cookie', `user=usr_${randomUUID()}; Path=/; HttpOnly; SameSite=Lax`);
  }
  return new Response(file, { headers });
}

createServer(toNodeListener(handle)).listen(3000, () => console.log(`Open ${site}`));
