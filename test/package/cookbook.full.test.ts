import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, it, type TestContext } from 'node:test';
import {
  type BridgeClient,
  createLicensingHandler,
  type LicensingHandler,
  type LicensingHandlerOptions,
  type LicensingListeners,
} from 'licensing-apply/server';
import { type RequestHandler, toNodeListener } from 'licensing-apply/server/node';
import { licensing } from 'licensing-apply/testing';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../src/testing/until.js';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { launchChromium } from '../support/chromium.js';
import { type Consumer, createConsumer, developmentTool } from '../support/consumer.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { compile } from './compilers.js';
import { snippet } from './snippets.js';
import { serveSite } from './static-site.js';

const modules = ['common', 'csp', 'licenses', 'statuses', 'agencies', 'prefill', 'tunnel', 'whole-flow.test'];
const scripts = ['own-button.js', 'continue.js', 'brand.js'];
const styles = ['own-button.css'];
const secret = 'a secret of the cookbook, 32 characters';

let consumer: Consumer;
let bridge: TestBridge;
let browser: Browser;
/** The partner's site. Each test mounts its recipe. */
let site: string;
let mounted: RequestHandler | undefined;
/** The client of the recipes. */
let client: BridgeClient;
const stops: (() => unknown)[] = [];
before(async () => {
  [consumer, bridge] = await Promise.all([createConsumer(), startBridge()]);
  stops.push(
    () => consumer.remove(),
    () => bridge.stop(),
  );
  for (const name of modules) await consumer.write(`${name}.mjs`, snippet(`${name}.mjs`));
  for (const name of [...scripts, ...styles]) await consumer.write(name, snippet(name));
  browser = await launchChromium();
  stops.push(() => browser.close());
  const answer: RequestHandler = async (request, context) =>
    (await mounted?.(request, context)) ?? new Response(null, { status: 503 });
  const server = createServer(toNodeListener(answer));
  site = await listen(server);
  stops.push(() => server.close());
  // The recipes read these variables when a test imports them.
  Object.assign(process.env, {
    SITE_URL: site,
    BRIDGE_URL: bridge.bridgeUrl,
    BRIDGE_CLIENT_ID: bridge.credential.clientId,
    BRIDGE_CLIENT_SECRET: bridge.credential.testClientSecret,
    LICENSING_SECRET: secret,
  });
  ({ bridge: client } = await load<{ bridge: BridgeClient }>('common.mjs'));
});
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

it('the recipes have no type error', async () => {
  const compilerOptions = {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    typeRoots: [developmentTool('@types')],
    checkJs: true,
    // As in a JavaScript project.
    strict: false,
    exactOptionalPropertyTypes: false,
  };
  const files = [...modules.map((name) => `${name}.mjs`), ...scripts];
  assert.equal(await compile(consumer, [developmentTool('typescript/bin/tsc'), '-p'], files, { compilerOptions }), '');
});

it('Strict Content Security Policy: the application opens, returns and closes without a violation', async (t) => {
  const { pageHeaders, returnHeaders } = await load<Record<string, Record<string, string>>>('csp.mjs');
  const tag = '<licensing-apply session-url="/licensing/sessions"></licensing-apply>';
  const page = await openPage(t, {
    '/done': { body: documentOf('', ['/licensing-apply/return.js']), headers: returnHeaders ?? {} },
    '/page': { body: documentOf(tag, ['/licensing-apply/licensing-apply.js']), headers: pageHeaders ?? {} },
  });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const user = await licensing(page, { hostedOrigin: 'https://apply.example', returnUrl: '/done' });
  await page.goto('/page');
  await user.complete();
  await user.press('Done');
  await user.expectState('submitted');
  assert.deepEqual(problems, []);
});

it('Open from your own button: the card is hidden, the button opens, and the page has the outcome', async (t) => {
  const page = await openPage(t, {
    '/page': { body: snippet('own-button.html') },
  });
  const user = await licensing(page);
  await page.goto('/page');
  await page.getByRole('button', { name: 'Apply in Texas and California' }).click();
  await user.expectState('active');
  await user.press('Leave');
  await page.locator('#outcome', { hasText: 'unsubmitted' }).waitFor();
  await page.reload();
  await page.waitForFunction(() => customElements.get('licensing-apply'));
  assert.equal(await page.getByRole('button', { name: 'Start application' }).count(), 0);
});

it('Several licenses for one user: each license has its own applications, and a page lists both', async (t) => {
  mount(await load<{ licensing: RequestHandler }>('licenses.mjs'));
  for (const license of ['life_health', 'property_casualty']) {
    const { applicationId } = await createSession(`/licensing/${license}`, 'usr_two');
    await client.testHelpers.completeApplication(applicationId, { outcome: 'approved' });
  }
  const page = await openPage(t, { '/page': { body: snippet('licenses.html') } });
  // The page and the routes have one origin, as behind a proxy.
  await page.route('**/licensing/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${site}${pathname}`, headers: headersOf('usr_two') }) });
  });
  await page.goto('/page');
  await page.getByText('Texas').nth(1).waitFor();
  assert.equal(await page.locator('licensing-applications').count(), 2);
  assert.equal(await page.locator('licensing-applications [part~="status-list"]').count(), 2);
});

it('Expired links and reminder mails: the page continues the application of the mail', async (t) => {
  const page = await openPage(t, { '/page': { body: snippet('continue.html') } });
  const user = await licensing(page);
  await page.goto('/page?application=app_test_1');
  await user.expectState('active');
  assert.deepEqual(
    user.requests.map(({ reason, applicationId }) => [reason, applicationId]),
    [['resume', 'app_test_1']],
  );
});

it('Send statuses to Slack or a CRM: a message that was refused arrives again, with the same id', async (t) => {
  const received: { key: string; text: string }[] = [];
  const slack = createServer((request, response) => {
    void json(request).then((body) => {
      const { text } = body as { text: string };
      received.push({ key: String(request.headers['idempotency-key']), text });
      response.writeHead(received.length === 1 ? 500 : 200).end();
    });
  });
  process.env['SLACK_URL'] = await listen(slack);
  t.after(() => slack.close());
  const { on } = await load<{ on: LicensingListeners }>('statuses.mjs');
  const handler = mountOptions(t, { on });
  const { applicationId } = await createSession('/licensing', 'usr_slack');
  await client.testHelpers.completeApplication(applicationId, { outcome: 'approved' });
  await eventually(async () => {
    // The same as the webhook that the bridge repeats after five seconds, but at once.
    await handler.reconcile();
    return received.filter(({ text }) => text.endsWith('approved')).length === 2;
  });
  const [refused, again] = received;
  assert.deepEqual(again, refused);
});

it('Several agencies in one backend: users of one agency do not exist for another one', async () => {
  const agencyOf = async (name: string) => {
    const { credential } = await bridge.addAgency(name);
    const { clientId, testClientSecret: clientSecret } = credential;
    return { clientId, clientSecret, secret: `${secret} of ${name}`, users: [`usr_${name}`] };
  };
  process.env['AGENCIES'] = JSON.stringify({ acme: await agencyOf('acme'), other: await agencyOf('other') });
  mount(await load<{ licensing: RequestHandler }>('agencies.mjs'));
  const { applicationId } = await createSession('/licensing/acme', 'usr_acme');
  const read = (path: string, userId: string) => fetch(`${site}${path}`, { headers: headersOf(userId) });
  assert.equal((await read(`/licensing/acme/applications/${applicationId}`, 'usr_acme')).status, 200);
  assert.equal((await read(`/licensing/other/applications/${applicationId}`, 'usr_other')).status, 404);
  assert.equal((await read('/licensing/other/applications', 'usr_acme')).status, 401);
  assert.equal((await read('/licensing/unknown/applications', 'usr_acme')).status, 404);
});

it('Prefill from your database: the form shows the profile, and its change', async (t) => {
  const { identify, saveProfile } = await load<{
    identify: (request: Request) => { userId: string } | null;
    saveProfile(userId: string, changes: object): Promise<void>;
  }>('prefill.mjs');
  mountOptions(t, { identify });
  const { applicationUrl } = await createSession('/licensing', 'usr_1');
  const page = await (await browser.newContext()).newPage();
  t.after(() => page.context().close());
  await page.goto(applicationUrl);
  await page.goto(`${applicationUrl}/profile`);
  const lastName = page.locator('[name=lastName]');
  await lastName.waitFor();
  assert.equal(await lastName.inputValue(), 'Sample');
  await saveProfile('usr_1', { lastName: 'Sample-Rivera' });
  await page.reload();
  assert.equal(await lastName.inputValue(), 'Sample-Rivera');
});

it('Texts and colors of a brand at run time: a card that is shown takes both', async (t) => {
  const brand = { accent: 'rgb(122, 31, 92)', accentText: '#fff', theme: 'dark', title: 'Sell more', start: 'Go on' };
  const map = '<script type="importmap">{"imports":{"licensing-apply":"/licensing-apply/licensing-apply.js"}}</script>';
  const tag = '<licensing-apply session-url="/licensing/sessions"></licensing-apply>';
  const page = await openPage(t, {
    '/brand.json': { body: JSON.stringify(brand) },
    '/page': { body: documentOf(tag, ['/brand.js'], map) },
  });
  await page.goto('/page');
  const button = page.getByRole('button', { name: 'Go on' });
  await button.waitFor();
  assert.equal(await button.evaluate((each) => getComputedStyle(each).backgroundColor), brand.accent);
  assert.equal(await page.locator('licensing-apply').getAttribute('theme'), 'dark');
});

it('Local development behind a tunnel: webhooks take the tunnel, and the return does not', async (t) => {
  const tunnel = await startTcpProxy(Number(new URL(site).port));
  t.after(() => tunnel.close());
  process.env['TUNNEL_URL'] = `http://127.0.0.1:${tunnel.port}`;
  const { licensing: handler } = await load<{ licensing: LicensingHandler }>('tunnel.mjs');
  // Webhooks of applications of other recipes may arrive late.
  const received: { host: string; of: string }[] = [];
  mount({
    licensing: async (request, context) => {
      const { incoming } = context;
      if (request.url.includes('/webhooks/') && 'headers' in incoming)
        received.push({ host: String(incoming.headers.host), of: await request.clone().text() });
      return handler(request, context);
    },
  });
  t.after(() => handler.close());
  const { applicationId } = await createSession('/licensing', 'usr_tunnel');
  await client.testHelpers.completeApplication(applicationId, { outcome: 'approved' });
  const hosts = () => new Set(received.filter(({ of }) => of.includes(applicationId)).map(({ host }) => host));
  await eventually(() => hosts().size > 0);
  assert.deepEqual([...hosts()], [`127.0.0.1:${tunnel.port}`]);
  const { returnUrl } = await bridge.context.db
    .selectFrom('application')
    .select('returnUrl')
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow();
  assert.equal(new URL(returnUrl).origin, site);
});

it('End-to-end tests in CI: the test of the recipe passes, and fails while the site is down', async (t) => {
  mountOptions(t, {});
  const run = () => consumer.run('node', ['--test', 'whole-flow.test.mjs'], { NODE_TEST_CONTEXT: undefined });
  const { code, stdout } = await run();
  assert.equal(code, 0, stdout);
  mounted = undefined;
  assert.equal((await run()).code, 1);
});

function mount({ licensing }: { licensing: RequestHandler }): void {
  mounted = licensing;
}

/** Mounts a handler with the options of a recipe. */
function mountOptions(t: TestContext, options: Partial<LicensingHandlerOptions>): LicensingHandler {
  const handler = createLicensingHandler({
    bridge: client,
    secret,
    publicUrl: `${site}/licensing`,
    identify: (request) => ({ userId: /user=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '' }),
    session: () => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      returnUrl: `${site}/done`,
    }),
    log: () => undefined,
    ...options,
  });
  mount({ licensing: handler });
  t.after(() => handler.close());
  return handler;
}

/** Imports a recipe as its reader does. */
async function load<Module>(name: string): Promise<Module> {
  return (await import(join(consumer.folder, name))) as Module;
}

/** Creates a session as the element does. */
async function createSession(mount: string, userId: string) {
  const response = await fetch(`${site}${mount}/sessions`, {
    method: 'POST',
    headers: { ...headersOf(userId), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'open', returnState: randomBytes(16).toString('base64url') }),
  });
  assert.equal(response.status, 200, bridge.logged.slice(-8).join(''));
  return (await response.json()) as { applicationId: string; applicationUrl: string };
}

function headersOf(userId: string): Record<string, string> {
  return { cookie: `user=${userId}` };
}

/** Opens a tab on a site with these pages, the recipes and the scripts of the installed package. */
async function openPage(t: TestContext, places: Parameters<typeof serveSite>[0]): Promise<Page> {
  const cdn = join(consumer.installed, 'dist/cdn');
  const served = await serveSite({ ...places, '/licensing-apply/': cdn, '/': consumer.folder });
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: served.origin });
  t.after(async () => {
    await context.close();
    served.close();
  });
  return context.newPage();
}

function documentOf(body: string, sources: string[], head = ''): string {
  const scripts = sources.map((source) => `<script type="module" src="${source}"></script>`).join('');
  return `<!doctype html><html lang="en"><title>Page</title>${head}${scripts}<body>${body}</body></html>`;
}

function eventually(isDone: () => boolean | Promise<boolean>): Promise<true> {
  const find = async () => ((await isDone()) ? true : undefined);
  return until(find, 20_000, () => 'It did not happen within 20 seconds.');
}

async function listen(server: Server): Promise<string> {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
