import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { consoleRoutes, createConsoleApp } from '../../../src/bridge/console/index.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { hashToken, randomToken } from '../../../src/bridge/domain/keys/keys.js';
import { disableOperator } from '../../../src/bridge/domain/operators/operators.js';
import { csrfTokenOf } from '../../../src/bridge/domain/operators/sign-in.js';
import { createApplication, submitApplication } from '../applications.js';
import { operatorPassword, placeOperator, placeSession } from './operator-rows.js';
import {
  createOperatorVisitor,
  signedIn,
  startConsole,
  placeSubmitted,
  type ConsoleService,
  type OperatorVisitor,
} from './support.js';

let service: ConsoleService;
/** An application with private data, whose state is in review. */
let applicationId: string;
/** An operator of each role that is refused something, and a second one who files. */
let viewer: OperatorVisitor;
let filer: OperatorVisitor;
let colleague: OperatorVisitor;
before(async () => {
  service = await startConsole({ environment: { CONSOLE_TRUSTED_PROXIES: '1' } });
  viewer = await signedIn(service, 'Viewer', 'view');
  filer = await signedIn(service, 'Filer', 'file');
  colleague = await signedIn(service, 'Colleague', 'file');
  applicationId = await placeSubmitted(service, '900-44-0004');
});
after(() => service.stop());

let addresses = 0;
/** A browser with a separate IP address, because the limits count by IP address. */
function visitorElsewhere() {
  const visitor = createOperatorVisitor(service.consoleUrl);
  visitor.headers = { 'x-forwarded-for': `203.0.113.${(addresses += 1)}` };
  return visitor;
}

/** A path of a route, about the application. */
const filled = (path: string) => path.replace(':id', applicationId).replace(':state', 'TX').replace(/:\w+/g, 'x');

/** Data that no page may show before a reveal. */
const privateData = /900-?44-?0004|Rivera|ana\.rivera|Elm Street/;

it('Every route of the console is in the table of roles.', () => {
  const app = createConsoleApp(service.context, {
    assets: { href: () => '', at: () => undefined },
    consoleUrl: service.consoleUrl,
  });
  const open = ['GET /assets/*', 'GET /favicon.ico'];
  const served = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
  const listed = consoleRoutes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...new Set(served)].filter((name) => !open.includes(name)).sort(), listed.toSorted());
});

it('A visitor reaches the sign-in, an operator who only views the lists and pages, and no other route.', () => {
  const routesFor = (role: string) =>
    consoleRoutes.filter(({ access }) => access === role).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(routesFor('anyone').sort(), [
    'GET /sign-in',
    'GET /sign-in/oidc/return',
    'GET /sign-out',
    'POST /sign-in',
    'POST /sign-in/oidc',
  ]);
  assert.deepEqual(routesFor('view').sort(), [
    'GET /',
    'GET /applications',
    'GET /applications/:id',
    'GET /audit',
    'GET /authenticator',
    'GET /filings',
    'GET /filings/:id/:state',
    'GET /password',
    'GET /payments',
    'GET /webhooks',
    'POST /authenticator',
    'POST /password',
    'POST /proof/oidc',
    'POST /search',
    'POST /sign-out',
  ]);
});

for (const { method, path, access } of consoleRoutes.filter((route) => route.access !== 'anyone')) {
  it(`${method} ${path} requires a session.`, async () => {
    const visitor = visitorElsewhere();
    for (const token of ['', randomToken(), 'x'.repeat(5_000), '../..']) {
      if (token === '') visitor.cookies.clear();
      else visitor.cookies.set('console', token);
      const answer = await visitor.send(filled(path), { method, ...(method === 'POST' && { body: 'csrf=x' }) });
      const isRefused = answer.status === 403 || answer.status === 415;
      const isSentAway = answer.status === 303 && answer.headers.get('location')?.startsWith('/sign-in') === true;
      assert.ok(isSentAway || (method === 'POST' && isRefused), `${answer.status} ${token.slice(0, 10)}`);
      assert.doesNotMatch(await answer.text(), privateData);
    }
  });

  if (access === 'file' || access === 'supervise') {
    it(`${method} ${path} refuses every lower role than ${access}.`, async () => {
      for (const visitor of access === 'file' ? [viewer] : [viewer, filer]) {
        const page = method === 'GET' ? await visitor.get(filled(path)) : await readThenPost(visitor, filled(path));
        assert.deepEqual([page.status, page.heading], [403, 'Not allowed']);
        assert.doesNotMatch(page.html, privateData);
      }
    });
  } else if (method === 'GET') {
    it(`${method} ${path} shows the role view nothing private.`, async () => {
      assert.doesNotMatch((await viewer.get(filled(path))).html, privateData);
    });
  }
}

/** Posts with the token of a page that was read. */
async function readThenPost(visitor: OperatorVisitor, path: string) {
  await visitor.get('/');
  const fields = { reason: 'a reason of the test', status: 'approved', application: applicationId };
  return visitor.post(path, fields);
}

const form = 'application/x-www-form-urlencoded';
it('A forged post changes nothing.', async () => {
  const id = await createApplication(service);
  await submitApplication(service, id, '0004');
  const path = `/applications/${id}/states/TX`;
  const tokenOf = async (of: OperatorVisitor) =>
    /name="csrf" value="([^"]+)"/.exec((await of.get(path)).html)?.[1] ?? '';
  const [own, other] = [await tokenOf(filer), await tokenOf(colleague)];
  const forged: [csrf: string, headers: Record<string, string>, status: number, reason?: string][] = [
    ['', { 'content-type': form }, 403],
    [other, { 'content-type': form }, 403],
    [own, { 'content-type': form, origin: 'https://evil.example' }, 403],
    [own, { 'content-type': form, 'sec-fetch-site': 'cross-site' }, 403],
    [own, { 'content-type': 'text/plain' }, 415],
    [own, { 'content-type': form }, 413, 'x'.repeat(1_000_000)],
  ];
  for (const [csrf, headers, status, reason = ''] of forged) {
    const body = new URLSearchParams({ csrf, status: 'approved', reason }).toString();
    const answer = await filer.send(path, { method: 'POST', headers, body });
    assert.equal(answer.status, status, JSON.stringify(headers));
  }
  const { states } = (await service.call('GET', `/v1/applications/${id}`)).body;
  assert.equal(states[0]?.status, 'pending_review');
});

it('A post of another site cannot sign a browser in.', async () => {
  await placeOperator(service.context, 'Login forged');
  const body = new URLSearchParams({ name: 'Login forged', password: operatorPassword });
  const headers = { origin: 'https://evil.example' };
  const answer = await visitorElsewhere().send('/sign-in', { method: 'POST', headers, body });
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [403, []]);
});

it('A session that was planted before the sign-in is never used.', async () => {
  await placeOperator(service.context, 'Fixed');
  const visitor = visitorElsewhere();
  const planted = randomToken();
  visitor.cookies.set('console', planted);
  assert.equal((await visitor.signIn('Fixed')).heading, 'Home');
  assert.notEqual(visitor.cookies.get('console'), planted);
  const thief = visitorElsewhere();
  thief.cookies.set('console', planted);
  assert.equal((await thief.get('/')).heading, 'Sign in');
});

it('A session is stored as a hash only, and is never in a URL or the log.', async () => {
  const visitor = await signedIn(service, 'Hashed', 'file');
  const token = visitor.cookies.get('console') ?? '';
  const rows = await service.context.db.selectFrom('operatorSession').selectAll().execute();
  assert.ok(rows.some((row) => row.tokenHash.equals(hashToken(token))));
  assert.doesNotMatch(JSON.stringify(rows) + service.logged.join(''), new RegExp(token));
});

it('A session ends with the sign-out, which also clears the pages of the browser.', async () => {
  const visitor = await signedIn(service, 'Ending', 'file');
  const thief = visitorElsewhere();
  thief.cookies.set('console', visitor.cookies.get('console') ?? '');
  assert.equal((await thief.get('/')).heading, 'Home');
  const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.get('/')).html)?.[1] ?? '';
  const left = await visitor.send('/sign-out', { method: 'POST', body: new URLSearchParams({ csrf }) });
  assert.deepEqual(
    [left.headers.get('location'), left.headers.get('clear-site-data'), visitor.cookies.size],
    ['/sign-in?done=signedOut', '"cache"', 0],
  );
  assert.equal((await thief.get('/')).heading, 'Sign in');
});

it('An operator who is disabled while a form is still being sent changes nothing with it.', async () => {
  const { id } = await placeOperator(service.context, 'Slow');
  const token = await placeSession(service.context, id);
  const csrf = csrfTokenOf({ token });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        await disableOperator(service.context, 'Slow');
        stream.enqueue(new TextEncoder().encode(String(new URLSearchParams({ csrf, application: applicationId }))));
        stream.close();
      },
    },
    // Nothing is read before the bridge asks for the body.
    { highWaterMark: 0 },
  );
  const app = createConsoleApp(service.context, {
    assets: { href: () => '', at: () => undefined },
    consoleUrl: service.consoleUrl,
  });
  const headers = { cookie: `console=${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const post: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
  const request = new Request(`${service.consoleUrl}/webhooks/replay`, post);
  const answer = await app.fetch(request, { address: '203.0.113.250', requestId: 'req_slow' });
  assert.equal(answer.headers.get('location'), '/sign-in');
});

it('A session is in a cookie that no script and no other site receives.', async () => {
  await placeOperator(service.context, 'Cookie', { role: 'view' });
  const sent = {
    method: 'POST',
    body: new URLSearchParams({ name: 'Cookie', password: 'a sentence for the tests' }),
  };
  const [cookie = ''] = (await visitorElsewhere().send('/sign-in', sent)).headers.getSetCookie();
  assert.match(cookie, /^console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  const secure = createConsoleApp(service.context, {
    assets: { href: () => '', at: () => undefined },
    consoleUrl: 'https://console.example',
  });
  const request = new Request('https://console.example/sign-in', sent);
  const answer = await secure.fetch(request, { requestId: 'req_x', address: '192.0.2.1', logged: {} });
  const [behindTls = ''] = answer.headers.getSetCookie();
  assert.match(behindTls, /^__Host-console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
});

it('The sign-in leads to the page of the console that was opened, and never to another site.', async () => {
  await placeOperator(service.context, 'Next', { role: 'view' });
  for (const [next, location] of [
    ['/applications?status=open', '/applications?status=open'],
    ['//evil.example', '/'],
  ] as const) {
    const path = `/sign-in?next=${encodeURIComponent(next)}`;
    const body = new URLSearchParams({ name: 'Next', password: operatorPassword });
    const answer = await visitorElsewhere().send(path, { method: 'POST', body });
    assert.equal(answer.headers.get('location'), location);
    const action = location === '/' ? 'action="/sign-in"' : `action="${path}"`;
    assert.ok((await visitorElsewhere().get(path)).html.includes(action));
  }
  const asked = await visitorElsewhere().send('/applications?status=open');
  assert.equal(asked.headers.get('location'), '/sign-in?next=%2Fapplications%3Fstatus%3Dopen');
});

it('The sign-in of a browser with a session ends that session.', async () => {
  const visitor = await signedIn(service, 'Again', 'view');
  const before = visitor.cookies.get('console') ?? '';
  assert.equal((await visitor.signIn('Again')).heading, 'Home');
  const thief = visitorElsewhere();
  thief.cookies.set('console', before);
  assert.equal((await thief.get('/')).heading, 'Sign in');
});

it('The sign-in hashes no text that is longer than its fields.', async () => {
  const [name, password] = ['n'.repeat(100), 'p'.repeat(200)];
  await placeOperator(service.context, name, { password });
  await placeOperator(service.context, `${name}n`, { password });
  await placeOperator(service.context, 'Long', { password: `${password}p` });
  const headingOf = async (...typed: [string, string, string?]) => (await visitorElsewhere().signIn(...typed)).heading;
  assert.equal(await headingOf(name, password, '1'.repeat(20)), 'Home');
  const tooLong: [string, string, string?][] = [
    [`${name}n`, password],
    ['Long', `${password}p`],
    [name, password, '1'.repeat(21)],
  ];
  for (const typed of tooLong) assert.equal(await headingOf(...typed), 'Sign in');
});

it('The sign-in answers an unknown name, a wrong password and a missing code alike.', async () => {
  await placeOperator(service.context, 'Known');
  const pages = [];
  for (const [name, password] of [
    ['Known', 'wrong password!'],
    ['Nosuch', 'wrong password!'],
  ] as const) {
    const page = await visitorElsewhere().signIn(name, password);
    pages.push({ status: page.status, html: page.html.replaceAll(name, 'NAME') });
  }
  assert.deepEqual(pages[0], pages[1]);
  assert.equal(pages[0]?.status, 422);
});

it('The sign-in locks out the failing IP address, and not the operator.', async () => {
  await placeOperator(service.context, 'Locked');
  const attacker = visitorElsewhere();
  const address = attacker.headers['x-forwarded-for'] ?? '';
  for (let tried = 0; tried < 9; tried += 1) await service.context.limiter.take('failedSignIns', address);
  assert.equal((await attacker.signIn('Locked', 'a wrong guess')).status, 422);
  const stopped = await attacker.signIn('Locked');
  assert.deepEqual([stopped.status, stopped.heading], [429, 'Please wait']);
  assert.match(stopped.headers.get('retry-after') ?? '', /^\d+$/);
  assert.match(stopped.html, /Try again in a (minute|moment)\./);
  assert.equal((await visitorElsewhere().signIn('Locked')).heading, 'Home');
});

it('The sign-in counts attempts whose text cannot be stored, and records them.', async () => {
  const visitor = visitorElsewhere();
  const countEntries = async () =>
    (await readAudit(service.context, { scope: 'all', action: 'operator.sign_in', limit: 1_000 })).length;
  const before = await countEntries();
  for (let tried = 0; tried < 10; tried += 1) {
    const path = tried % 2 === 0 ? '/sign-in' : '/sign-in?next=%00';
    const { status, heading } = await visitor.post(path, { name: 'a\0', password: operatorPassword });
    assert.deepEqual([status, heading], [400, 'Not accepted']);
  }
  assert.equal((await countEntries()) - before, 10);
  assert.equal((await visitor.post('/sign-in', { name: '\0' })).status, 429);
});

it('A page that refuses guesses for an hour names the minutes until then.', async () => {
  const { id } = await placeOperator(service.context, 'Guessed');
  const visitor = visitorElsewhere();
  visitor.cookies.set('console', await placeSession(service.context, id));
  await visitor.get('/password');
  const typed = { current: 'a wrong guess', replacement: 'another sentence', again: 'another sentence' };
  for (let tried = 0; tried < 5; tried += 1) assert.equal((await visitor.post('/password', typed)).status, 422);
  const { status, html } = await visitor.post('/password', { ...typed, current: operatorPassword });
  assert.equal(status, 429);
  assert.match(html, /Try again in 60 minutes\./);
});

it('Every page of the console leads an operator with a temporary password to the new password.', async () => {
  const { id } = await placeOperator(service.context, 'Newcomer');
  const newcomer = visitorElsewhere();
  newcomer.cookies.set('console', await placeSession(service.context, id));
  await service.context.db.updateTable('operator').set({ isPasswordTemporary: true }).where('id', '=', id).execute();
  assert.doesNotMatch((await newcomer.get('/password')).html, /<nav|href="\/password"/);
  for (const { method, path, access } of consoleRoutes) {
    if (access === 'anyone' || path === '/sign-out') continue;
    const body = new URLSearchParams({ csrf: 'x' });
    const { status, headers } = await newcomer.send(filled(path), method === 'POST' ? { method, body } : {});
    const expected = path !== '/password' ? [303, '/password'] : [method === 'GET' ? 200 : 403, null];
    assert.deepEqual([status, headers.get('location')], expected, `${method} ${path}`);
  }
});

it('The console shows a message of success by its name only, and not after a post.', async () => {
  assert.match((await viewer.get('/?done=password')).html, /role="status"/);
  for (const name of ['', 'toString', 'unknown']) {
    assert.doesNotMatch((await viewer.get(`/?done=${name}`)).html, /role="status"/, name);
  }
  await viewer.get('/password');
  const posted = await viewer.post('/password?done=password', { current: 'x', replacement: 'x', again: 'x' });
  assert.deepEqual([posted.status, posted.html.includes('role="status"')], [422, false]);
});

it('The console refuses the pages of an IP address after its limit, and of no other.', async () => {
  const flood = visitorElsewhere();
  const address = flood.headers['x-forwarded-for'] ?? '';
  for (let count = 0; count < 600; count += 1) await service.context.limiter.take('consolePages', address);
  const { status, heading } = await flood.get('/sign-in');
  assert.deepEqual([status, heading], [429, 'Please wait']);
  assert.equal((await visitorElsewhere().get('/sign-in')).status, 200);
});

it('The console shows the input of others as text everywhere.', async () => {
  const payload = `<img src=x onerror="alert(1)">'"><script>alert(1)</script>`;
  const { tokens } = await service.addAgency(`Agency ${payload}`);
  const id = await createApplication(service, { token: tokens.test, userId: `usr ${payload}` });
  assert.match(id, /^app_/);
  await submitApplication(service, id, '0004');
  const visitor = await signedIn(service, `Operator ${payload}`, 'file');
  await visitor.get(`/applications/${id}/states/TX`);
  const reason = `Because ${payload}`;
  const pages = [
    await visitor.post(`/applications/${id}/states/TX`, { status: 'denied', reason, actionUrl: payload }),
    await visitor.post(`/applications/${id}/states/TX`, { status: 'requires_action', reason }),
    await visitor.post(`/applications/${id}/reveal`, { reason }),
  ];
  for (const path of ['/', '/applications', `/applications/${id}`, `/applications/${id}/reveal`, '/audit', '/webhooks'])
    pages.push(await visitor.get(path));
  const query = `search=${encodeURIComponent(payload)}&subject=${encodeURIComponent(payload)}&done=${encodeURIComponent(payload)}`;
  for (const path of ['/applications', '/audit', '/sign-in', '/nothing'])
    pages.push(await visitor.get(`${path}?${query}`));
  pages.push(await visitorElsewhere().signIn(payload, 'wrong password!'));
  const ownScript = /<script type="module" src="[^"]*"><\/script>\s*<\/head>/;
  for (const { path, html } of pages) assert.doesNotMatch(html.replace(ownScript, ''), /<img|<script|onerror="/, path);
  assert.ok(pages.filter(({ html }) => html.includes('&lt;img src=x')).length >= 5, 'the payload is shown at all');
});

it('The console names no agency by its id, which may be a secret.', async () => {
  for (const path of ['/applications', '/audit', `/applications/${applicationId}`]) {
    assert.doesNotMatch((await filer.get(path)).html, /agc_/, path);
  }
});
