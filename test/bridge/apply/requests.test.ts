import { equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApplyApp } from '../../../src/bridge/apply/index.js';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import { createTestProcessor } from '../../../src/bridge/adapters/test-processor.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { readOperator } from '../../../src/bridge/pages/operator.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor, noToAll } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

const pageLimit = 300;

describe('the requests and responses of the hosted application', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService({
      environment: { BRIDGE_PAGE_LIMIT: String(pageLimit), BRIDGE_TRUSTED_PROXIES: '1' },
    });
  });
  after(() => service.stop());

  /** The URL of an application that has started. */
  async function arrive(): Promise<string> {
    const { applicationUrl } = await service.createSession();
    await createVisitor().get(applicationUrl);
    return applicationUrl;
  }

  /** The pages with one asset, in another environment. */
  function createApp(change: Partial<BridgeContext>) {
    const asset = { body: 'script', contentType: 'text/javascript' };
    return createApplyApp(
      { ...service.context, ...change },
      {
        assets: { href: () => '', at: (path) => (path === '/assets/1f8b.apply.js' ? asset : undefined) },
        operator: readOperator(readEnvironment({})),
        testProcessor: createTestProcessor(service.context),
      },
    );
  }

  it('The security headers are sent with every page.', async () => {
    const [paying, done] = [await service.createSession(), await service.createSession()];
    await placeAt(service, paying, 'payment');
    await placeAt(service, done, 'receipt');
    const visitor = createVisitor();
    for (const path of ['start', 'profile', 'identity', 'background', 'disclosures', 'review', 'payment'])
      await visitor.get(`${paying.applicationUrl}/${path}`);
    await visitor.get(done.applicationUrl);
    await visitor.get(`${service.applyUrl}/s/unknown`);
    equal(new Set(visitor.seen.map(({ heading }) => heading)).size, 9);
    for (const { headers, url, html } of visitor.seen) {
      const isKnown = !url.endsWith('/unknown');
      const policy = headers.get('content-security-policy') ?? '';
      match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/, url);
      match(policy, /base-uri 'none'/);
      match(policy, /form-action 'self';/);
      match(policy, isKnown ? /frame-ancestors http:\/\/localhost:5999$/ : /frame-ancestors 'none'$/);
      equal(headers.get('referrer-policy'), 'no-referrer');
      equal(headers.get('cache-control'), 'no-store');
      equal(headers.get('x-content-type-options'), 'nosniff');
      ok(headers.get('permissions-policy'));
      ok(!headers.has('set-cookie') && !headers.has('cross-origin-opener-policy'));
      ok(!/<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+="/.test(html), `${url} has something inline`);
    }
  });

  it('Browsers are kept on https where the pages are served over https, and cache the script and the style.', async () => {
    const get = (applyUrl: string, path: string) =>
      createApp({ settings: { ...service.context.settings, applyUrl } }).request(path);
    const transportOf = async (applyUrl: string) =>
      (await get(applyUrl, '/s/unknown')).headers.get('strict-transport-security');
    equal(await transportOf('http://127.0.0.1:5172'), null);
    match((await transportOf('https://apply.example')) ?? '', /^max-age=31536000$/);
    const { status, headers } = await get(service.applyUrl, '/assets/1f8b.apply.js');
    equal(status, 200);
    match(headers.get('cache-control') ?? '', /immutable/);
    equal(headers.get('x-content-type-options'), 'nosniff');
    equal((await get(service.applyUrl, '/assets/0000.apply.js')).status, 404);
  });

  it('Forms of other sites, and bodies that no form sends, are refused with a page that says how to continue.', async () => {
    const applicationUrl = await arrive();
    const names = new URLSearchParams({ firstName: 'Ana', lastName: 'Rivera' });
    const post = (headers: Record<string, string>, body: string | URLSearchParams = names) => {
      const init = { method: 'POST', redirect: 'manual', headers, body } as const;
      return fetch(`${applicationUrl}/profile/names?lang=es`, init);
    };
    const foreign = await post({ origin: 'https://attacker.example' });
    equal(foreign.status, 403);
    const { pathname } = new URL(applicationUrl);
    match(await foreign.text(), new RegExp(`<a class="button" href="${pathname}/profile/names\\?lang=es">`));
    equal((await post({ 'content-type': 'application/json' }, '{}')).status, 415);
    // A form of our page, as browsers send it under our referrer policy.
    equal((await post({ origin: 'null', 'sec-fetch-site': 'same-origin' })).status, 303);
    equal((await post({ origin: service.applyUrl })).status, 303);
    const tooLarge = await createVisitor().post(`${applicationUrl}/profile/home`, { city: 'x'.repeat(300_000) });
    equal(tooLarge.status, 413);
    match(tooLarge.html, new RegExp(`<a class="button" href="${pathname}/profile/home">Open the page again</a>`));
  });

  it('A page says about how many minutes are left, fewer on a later one, and the page of a wrong link does not.', async () => {
    const session = await service.createSession();
    await placeAt(service, session, 'profile');
    const minutesOn = async (url: string) =>
      Number(/About (?:(\d+) minutes|a minute) left/.exec((await createVisitor().get(url)).html)?.[1] ?? 0);
    const first = await minutesOn(`${session.applicationUrl}/profile/names`);
    await placeAt(service, session, 'background');
    const later = await minutesOn(`${session.applicationUrl}/background`);
    ok(later > 0 && later < first, `${first} minutes, then ${later}`);
    equal(await minutesOn(`${service.applyUrl}/s/unknown`), 0);
  });

  it('Every text of a partner or a user is escaped.', async () => {
    const hostile = `"><script>alert(1)</script>`;
    const profile = { lastName: hostile, firstName: "O'Hara & <b>" };
    const { applicationUrl } = await service.createSession({}, { profile });
    const visitor = createVisitor();
    await visitor.get(applicationUrl);
    const page = await visitor.get(`${applicationUrl}/profile`);
    match(page.html, /O&#39;Hara &amp; &lt;b&gt;/);
    const names = { firstName: 'Ana', lastName: hostile, middleName: hostile, otherNames: hostile };
    await visitor.post(page.url, { ...names, firstName: '' });
    await visitor.post(page.url, names);
    await visitor.get(page.url);
    for (const { html } of visitor.seen) ok(!html.includes('<script>'));
  });

  it('A page in a frame looks as one, because the element around it shows name, host and step.', async () => {
    const url = await arrive();
    const rootAt = async (headers: Record<string, string>) =>
      /<html[^>]*>/.exec(await (await fetch(`${url}/profile`, { headers })).text())?.[0] ?? '';
    match(await rootAt({ 'sec-fetch-dest': 'iframe' }), /class="[^"]*\bis-framed\b/);
    ok(!(await rootAt({ 'sec-fetch-dest': 'document' })).includes('is-framed'));
  });

  it('No link is logged.', async () => {
    const applicationUrl = await arrive();
    await createVisitor().get(`${applicationUrl}/identity`);
    const token = applicationUrl.split('/').at(-1) ?? '';
    ok(service.logged.some((line) => line.includes('"app":"apply"') && line.includes('/identity')));
    ok(!service.logged.some((line) => line.includes(token)));
  });

  it('A form is saved without characters that no name has, or are only half within the limit.', async () => {
    const page = `${await arrive()}/profile/names`;
    for (const [firstName, kept] of [
      ['An\u0001a', 'An a'],
      ['Ana\r\nMaria', 'Ana Maria'],
      [`${'x'.repeat(99)}😀`, 'x'.repeat(99)],
    ] as const) {
      const half = await createVisitor().post(page, { firstName, lastName: '' });
      equal(half.status, 422);
      ok(half.html.includes(`value="${kept}"`), kept);
      equal((await createVisitor().post(page, { firstName, lastName: 'Rivera' })).status, 200);
      ok((await createVisitor().get(page)).html.includes(`value="${kept}"`), kept);
    }
  });

  it('A text may be as long as its field allows, with CRLF counted as one character.', async () => {
    const { applicationUrl } = await service.createSession();
    await placeAt(service, { applicationUrl }, 'background');
    const [first] = noToAll({ applicationUrl });
    const story = 'x\r\n'.repeat(999) + 'xx';
    const answers = { ...first?.fields, ...yesTo('misdemeanor', { explanation: story }) };
    const page = await createVisitor().post(`${applicationUrl}/background/criminal`, answers);
    equal(page.status, 200, page.title);
    ok(page.url.endsWith('/background/regulatory'));
    const tooLong = { ...answers, 'misdemeanor.explanation': `${story}\r\nx` };
    equal((await createVisitor().post(`${applicationUrl}/background/criminal`, tooLong)).status, 422);
  });

  it('A path that looks like a URL does not become a link to another site.', async () => {
    const { hostname, port } = new URL(service.applyUrl);
    const sent = request({ hostname, port, path: '//evil.example/x' }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const html = (await answer.setEncoding('utf8').toArray()).join('');
    match(html, /This link doesn’t work/);
    ok(html.includes('href="/evil.example/x?lang=es"'));
  });

  it('An IP address that opens too many pages gets a page in its language that asks to wait; others do not.', async () => {
    const applicationUrl = await arrive();
    for (let count = 0; count < pageLimit; count += 1) await service.context.limiter.take('pages', '203.0.113.5');
    const open = (url: string, address: string, language: string) =>
      fetch(url, { headers: { 'x-forwarded-for': address, 'accept-language': language }, redirect: 'manual' });
    for (const [url, language, text] of [
      [applicationUrl, 'en', /<html lang="en"[\s\S]*Too many pages were opened from your network/],
      [`${service.applyUrl}/s/${'x'.repeat(43)}`, 'es', /<html lang="es"[\s\S]*Se abrieron demasiadas páginas/],
    ] as const) {
      const refused = await open(url, '203.0.113.5', language);
      equal(refused.status, 429);
      const retryAfter = Number(refused.headers.get('retry-after'));
      ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter));
      match(await refused.text(), text);
      // The partner of the link was not read, and the user in the modal must be able to read this page.
      match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors \*$/);
    }
    ok((await open(applicationUrl, '203.0.113.6', 'en')).status < 400);
    // Requests that need no link count too.
    for (const [method, path] of [
      ['POST', '/payments/notifications'],
      ['GET', '/test-processor/pay_1/token'],
    ] as const) {
      const from = async (address: string) =>
        (await fetch(`${service.applyUrl}${path}`, { method, headers: { 'x-forwarded-for': address } })).status;
      equal(await from('203.0.113.5'), 429, path);
      ok((await from('203.0.113.6')) !== 429, path);
    }
  });

  it('A malformed link is answered as missing without a query.', async () => {
    const app = createApp({ db: undefined as never });
    for (const path of ['/s/anything', `/s/${'x'.repeat(42)}/profile`, `/a/${'x'.repeat(44)}`]) {
      const missing = await app.request(path);
      equal(missing.status, 404);
      match(await missing.text(), /This link doesn’t work/);
    }
    const bindings = { requestId: 'req_test', address: '127.0.0.1', logged: {} };
    equal((await app.request(`/s/${'x'.repeat(43)}`, {}, bindings)).status, 500, 'a query fails');
  });

  for (const [what, address, status] of [
    ['too large for any form', (applicationUrl: string) => `${applicationUrl}/profile`, 413],
    ['large, and sent to a link that does not work', () => `${service.applyUrl}/s/unknown/profile`, 404],
  ] as const) {
    it(`The connection stays open after a request that is ${what}.`, async () => {
      const url = address(await arrive());
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = request(url, { agent, method: 'POST', headers });
      sent.end(`city=${'x'.repeat(status === 413 ? 300_000 : 200_000)}`);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      equal(answer.statusCode, status);
      const { socket } = answer;
      await once(answer.resume(), 'end');
      // Twice as long as @hono/node-server waits for the rest of a body before it ends the
      // connection with its current responses.
      const closed = await Promise.race([once(socket, 'close').then(() => true), pause(1_000, false)]);
      agent.destroy();
      equal(closed, false);
    });
  }
});
