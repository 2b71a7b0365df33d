import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomToken } from '../../../src/bridge/domain/keys/keys.js';
import { openBrowser, startOidcConsole, type OidcBrowser, type OidcConsole } from './oidc-support.js';
import { placeSubmitted } from './support.js';

const start = new Date();
let passedMs = 0;
let service: OidcConsole;
before(async () => {
  // Stands still, unless a test lets time pass: the provider has the real time.
  service = await startOidcConsole({ clock: () => new Date(start.getTime() + passedMs) });
  for (const login of ['user', 'thief']) service.issuer.people.set(login, { roles: 'licensing-file' });
});
after(() => service.stop());

const flowCookie = 'console-oidc';
const isSignedIn = async ({ visitor }: OidcBrowser) => (await visitor.get('/')).heading !== 'Sign in';

/** A browser that has signed in at the provider, and has not come back yet. */
async function setup(login = 'user') {
  passedMs = 0;
  const browser = openBrowser(service);
  const returned = await browser.person.signIn(await browser.begin(), login);
  return { browser, returned, flow: browser.visitor.cookies.get(flowCookie) ?? assert.fail('no cookie') };
}

/** Fails unless the return is refused and the browser is not signed in. */
async function assertRefused(browser: OidcBrowser, returned: URL, what: string): Promise<void> {
  const { status, heading, leadsTo } = await browser.comeBack(returned);
  assert.deepEqual([status, heading, leadsTo], [403, 'Not signed in', ''], what);
  assert.equal(await isSignedIn(browser), false, what);
  assert.equal(browser.visitor.cookies.has(flowCookie), false, what);
}

test('A code that was stolen on its way back signs in no other browser, begun or not.', async () => {
  const { browser, returned } = await setup();
  const thief = openBrowser(service);
  await assertRefused(thief, returned, 'a browser that began nothing');
  await thief.begin();
  await assertRefused(thief, returned, 'a browser that began its own sign-in');
  // With the thief's own state: the code belongs to another verifier.
  const own = new URL(await thief.begin()).searchParams.get('state') ?? '';
  const mixed = new URL(returned);
  mixed.searchParams.set('state', own);
  await assertRefused(thief, mixed, 'the code with another state');
  assert.equal((await browser.comeBack(returned)).leadsTo, '/', 'the user gets in all the same');
});

test('A link with the code of an attacker signs no user in as the attacker.', async () => {
  const { returned } = await setup('thief');
  const user = openBrowser(service);
  await assertRefused(user, returned, 'without a sign-in');
  await user.begin();
  await assertRefused(user, returned, 'during a sign-in of the user');
});

test('A post of another site begins no sign-in and no proof.', async () => {
  const { visitor } = openBrowser(service);
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await visitor.send('/sign-in/oidc', { method: 'POST', headers, body: new URLSearchParams() });
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [403, []]);
  }
  assert.equal((await visitor.send('/sign-in/oidc')).status, 404, 'a link begins nothing either');
  const signedIn = openBrowser(service);
  await signedIn.signIn('user');
  const forged = await signedIn.visitor.send('/proof/oidc', {
    method: 'POST',
    body: new URLSearchParams({ next: '/' }),
  });
  assert.deepEqual([forged.status, signedIn.visitor.cookies.has(flowCookie)], [403, false]);
});

test('The way back works once, and not after ten minutes, even with a copy of the cookie.', async () => {
  const { browser, returned, flow } = await setup();
  assert.equal((await browser.comeBack(returned)).leadsTo, '/');
  await browser.visitor.get('/');
  await browser.visitor.post('/sign-out');
  await assertRefused(browser, returned, 'without the cookie');
  browser.visitor.cookies.set(flowCookie, flow);
  await assertRefused(browser, returned, 'with a copy: the code was used');
  const late = await setup();
  passedMs = 600_000;
  await assertRefused(late.browser, late.returned, 'too late');
});

for (const [what, forge] of [
  ['changed', (flow: string) => `${flow.slice(0, -4)}AAAA`],
  ['made up', () => randomToken()],
  [
    'that of another purpose',
    () => service.context.keys.of('live').encrypt('{"next":"https://evil.example"}', 'something else'),
  ],
] as const) {
  test(`A cookie of a sign-in that is ${what} is refused.`, async () => {
    const { browser, returned, flow } = await setup();
    browser.visitor.cookies.set(flowCookie, forge(flow));
    await assertRefused(browser, returned, what);
  });
}

const now = () => Math.floor(Date.now() / 1_000);
for (const [what, alter] of [
  ['of another sign-in (nonce)', (claims) => ({ ...claims, nonce: randomToken() })],
  ['without a nonce', ({ nonce: _, ...claims }) => claims],
  ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
  ['for another client (audience)', (claims) => ({ ...claims, aud: 'another client' })],
  ['that has expired', (claims) => ({ ...claims, iat: now() - 3_600, exp: now() - 600 })],
  ['without an expiry', ({ exp: _, ...claims }) => claims],
  ['without a subject', ({ sub: _, ...claims }) => claims],
] as const satisfies readonly [string, NonNullable<OidcConsole['issuer']['alter']>][]) {
  test(`An ID token ${what} is refused.`, async () => {
    const { browser, returned } = await setup();
    service.issuer.alter = alter;
    try {
      await assertRefused(browser, returned, what);
    } finally {
      service.issuer.alter = undefined;
    }
  });
}

test('An ID token that the provider did not sign is refused.', async () => {
  const { browser, returned } = await setup();
  service.issuer.isForging = true;
  try {
    await assertRefused(browser, returned, 'forged');
  } finally {
    service.issuer.isForging = false;
  }
  assert.equal((await (await setup()).browser.signIn('user')).leadsTo, '/');
});

test('A way back that names another issuer is refused, so that a provider cannot pass on the code of another.', async () => {
  const { browser, returned } = await setup();
  assert.equal(returned.searchParams.get('iss'), service.issuer.url);
  returned.searchParams.set('iss', 'https://evil.example');
  await assertRefused(browser, returned, 'another issuer');
});

test('The sign-in leads to pages of the console only, whatever is asked for.', async () => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const browser = openBrowser(service);
    assert.equal((await browser.signIn('user', next)).leadsTo, '/', next);
  }
  const browser = openBrowser(service);
  await browser.signIn('user');
  const { html } = await browser.visitor.get('/');
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
  const body = new URLSearchParams({ csrf, next: '//evil.example' });
  const [, address = ''] =
    /content="0; url=([^"]+)"/.exec(
      await (await browser.visitor.send('/proof/oidc', { method: 'POST', body })).text(),
    ) ?? [];
  const returned = await browser.person.signIn(address.replaceAll('&amp;', '&'), 'user');
  assert.equal((await browser.comeBack(returned)).leadsTo, '/?done=proven');
});

test('A session that was planted before the sign-in is never used, and the previous one ends.', async () => {
  const planted = randomToken();
  const { browser, returned } = await setup();
  browser.visitor.cookies.set('console', planted);
  await browser.comeBack(returned);
  const first = browser.visitor.cookies.get('console') ?? '';
  assert.notEqual(first, planted);
  assert.equal(await isSignedIn(browser), true);
  await browser.signIn('user');
  const thief = openBrowser(service);
  for (const token of [planted, first]) {
    thief.visitor.cookies.set('console', token);
    assert.equal(await isSignedIn(thief), false);
  }
});

test('The cookies of a sign-in are for this host only, and no script reads them.', async () => {
  const { visitor } = openBrowser(service);
  const answer = await visitor.send('/sign-in/oidc', { method: 'POST', body: new URLSearchParams() });
  const [cookie = ''] = answer.headers.getSetCookie();
  assert.match(cookie, /^console-oidc=v1\.[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.match(answer.headers.get('content-security-policy') ?? '', /form-action 'self'/);
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
});

test('A sign-in that the person cancels is told so, and counts like one that is refused.', async () => {
  const browser = openBrowser(service);
  const cancelled = await browser.comeBack(await browser.person.cancel(await browser.begin()));
  assert.deepEqual([cancelled.status, cancelled.heading], [403, 'Not signed in']);
  assert.match(cancelled.html, /The sign-in with Example ID was cancelled\./);
  const guess = new URL('/sign-in/oidc/return?code=x&state=y', service.consoleUrl);
  for (let tried = 1; tried < 10; tried += 1) assert.equal((await browser.comeBack(guess)).status, 403);
  const stopped = await browser.comeBack(guess);
  assert.deepEqual([stopped.status, stopped.heading], [429, 'Please wait']);
});

test('The way back of a proof acts on nothing: it leads to the form, and a second one proves nothing.', async () => {
  const applicationId = await placeSubmitted(service, '900-44-0004');
  const { browser, returned } = await setup();
  await browser.comeBack(returned);
  await service.context.db
    .updateTable('operatorSession')
    .set({ provenAt: new Date(0) })
    .execute();
  const page = `/applications/${applicationId}/reveal`;
  const url = await browser.beginProof(page);
  const back = await browser.person.signIn(url, 'user');
  const step = await browser.comeBack(back);
  assert.equal(step.leadsTo, `${page}?done=proven`);
  assert.doesNotMatch(step.html, /900-?44-?0004/);
  const again = await browser.comeBack(back);
  assert.deepEqual([again.status, again.leadsTo], [403, '']);
});
