import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { hashToken } from '../../../src/bridge/domain/keys/keys.js';
import { disableOperator, enableOperator, listOperators } from '../../../src/bridge/domain/operators/operators.js';
import { placeOperator } from './operator-rows.js';
import { openBrowser, startOidcConsole, type OidcConsole } from './oidc-support.js';
import { placeSubmitted } from './support.js';

let service: OidcConsole;
before(async () => {
  service = await startOidcConsole({ environment: { CONSOLE_OIDC_AGENCIES_CLAIM: 'agencies' } });
});
after(() => service.stop());

const everything = { roles: ['licensing-file'], agencies: 'all' };
let people = 0;
/** A person at the provider, in a new browser. */
function setup(claims: Record<string, unknown> = everything) {
  const login = `person-${(people += 1)}`;
  const name = `Person ${people}`;
  service.issuer.people.set(login, { name, ...claims });
  const operator = async () =>
    (await listOperators(service.context)).find(({ identity }) => identity !== 'local' && identity.subject === login);
  return {
    login,
    name,
    browser: openBrowser(service),
    claim: (changed: Record<string, unknown>) => service.issuer.people.set(login, { name, ...claims, ...changed }),
    operator,
    /** Its entries, oldest first: actor, action and result. */
    async audit() {
      const subject = `operator:${(await operator())?.operatorId ?? assert.fail('no operator')}`;
      const entries = await readAudit(service.context, { scope: 'all', subject, limit: 100 });
      const short = (actor: string) => (actor === subject ? 'self' : actor);
      return entries.toReversed().map(({ actor, action, result }) => [short(actor), action, result].join(' '));
    },
  };
}

/** Makes the last proof of every session so old that the next grave act asks for another. */
const forgetProofs = () =>
  service.context.db
    .updateTable('operatorSession')
    .set({ provenAt: new Date(0) })
    .execute();

test('A person with a role at the provider signs in, and is led to the page that they opened.', async () => {
  const { browser, login, name, operator, audit } = setup();
  const opened = await browser.visitor.send('/applications?status=open');
  assert.equal(opened.headers.get('location'), '/sign-in?next=%2Fapplications%3Fstatus%3Dopen');
  const step = await browser.signIn(login, '/applications?status=open');
  assert.deepEqual([step.status, step.leadsTo], [200, '/applications?status=open']);
  const page = await browser.visitor.get(step.leadsTo);
  assert.equal(page.heading, 'Applications');
  assert.ok(page.html.includes(name) && page.html.includes('Filing'));
  assert.doesNotMatch(page.html, /href="\/password"/);
  const { identity, role, scope } = (await operator()) ?? assert.fail();
  assert.deepEqual([identity, role, scope], [{ issuer: service.issuer.url, subject: login }, 'file', 'all']);
  assert.deepEqual(await audit(), [
    'bridge operator.created done',
    'bridge operator.role_changed file',
    'self operator.sign_in done',
  ]);
});

test('An operator stays the same in the audit trail when the provider changes the name.', async () => {
  const { browser, login, claim, operator, audit } = setup();
  await browser.signIn(login);
  const before = await operator();
  claim({ name: 'A New Name' });
  await browser.signIn(login);
  const renamed = await operator();
  assert.deepEqual([renamed?.operatorId, renamed?.name], [before?.operatorId, 'A New Name']);
  assert.deepEqual((await audit()).slice(2), [
    'self operator.sign_in done',
    'self operator.sign_in done',
    'self operator.sign_out done',
  ]);
});

test('The claims of each sign-in renew role and agencies, and a smaller scope ends the other sessions.', async () => {
  const { browser, login, claim, operator, audit } = setup();
  await browser.signIn(login);
  const { agencyId } = await service.addAgency('Only Agency');
  claim({ roles: ['other', 'licensing-view', 'licensing-supervise'], agencies: ['agc_unknown', agencyId] });
  const elsewhere = openBrowser(service);
  await elsewhere.signIn(login);
  const { role, scope } = (await operator()) ?? assert.fail();
  assert.deepEqual([role, scope], ['supervise', { agencyIds: [agencyId] }]);
  assert.equal((await browser.visitor.get('/')).heading, 'Sign in');
  assert.match((await elsewhere.visitor.get('/')).html, /Only Only Agency/);
  assert.deepEqual((await audit()).slice(3), [
    'bridge operator.role_changed supervise',
    `bridge operator.agencies_changed ${agencyId}`,
    'self operator.sign_in done',
  ]);
});

for (const [what, claims, heading, result] of [
  ['a role', { agencies: 'all', roles: ['licensing-boss'] }, 'No role in this console', 'no_role'],
  ['the claim of roles', { agencies: 'all' }, 'No role in this console', 'no_role'],
  ['a known agency', { roles: 'licensing-file', agencies: ['agc_x'] }, 'No agency in this console', 'no_agency'],
  ['the claim of agencies', { roles: 'licensing-file' }, 'No agency in this console', 'no_agency'],
] as const) {
  test(`A person without ${what} is told so, and is not signed in.`, async () => {
    const { browser, login, operator } = setup(claims);
    const step = await browser.signIn(login);
    assert.deepEqual([step.status, step.heading, step.leadsTo], [403, heading, '']);
    assert.match(step.html, /You are signed in with Example ID, but you/);
    assert.deepEqual([await operator(), browser.visitor.cookies.size], [undefined, 0]);
    const [entry] = await readAudit(service.context, { scope: 'all', action: 'operator.sign_in', limit: 1 });
    assert.deepEqual([entry?.actor, entry?.subject, entry?.result], ['unknown', '', result]);
  });
}

test('A browser has one session: a new sign-in ends the one before, and one that is refused does not.', async () => {
  const { browser, login, operator } = setup();
  const stranger = setup({ roles: [] });
  const sessions = async () => {
    const { operatorId = '' } = (await operator()) ?? {};
    const rows = service.context.db.selectFrom('operatorSession').select('tokenHash');
    return (await rows.where('operatorId', '=', operatorId).execute()).map(({ tokenHash }) =>
      tokenHash.toString('hex'),
    );
  };
  await browser.signIn(login);
  const [first] = await sessions();
  await openBrowser(service).signIn(login);
  assert.equal((await sessions()).length, 2);
  await browser.signIn(login);
  assert.ok((await sessions()).length === 2 && !(await sessions()).includes(first ?? ''));
  const before = await sessions();
  const refused = await stranger.browser.person.signIn(await browser.begin(), stranger.login);
  assert.equal((await browser.comeBack(refused)).heading, 'No role in this console');
  assert.deepEqual(await sessions(), before);
});

test('A person whose role was taken away loses the open sessions at the next sign-in.', async () => {
  const { browser, login, claim } = setup();
  await browser.signIn(login);
  claim({ roles: [] });
  assert.equal((await openBrowser(service).signIn(login)).heading, 'No role in this console');
  assert.equal((await browser.visitor.get('/')).heading, 'Sign in');
});

test('A disabled operator of the provider is signed out at once and cannot sign in until enabled.', async () => {
  const { browser, login, operator, audit } = setup();
  await browser.signIn(login);
  const { operatorId } = (await operator()) ?? assert.fail();
  await disableOperator(service.context, operatorId);
  assert.equal((await browser.visitor.get('/')).heading, 'Sign in');
  const step = await browser.signIn(login);
  assert.deepEqual([step.status, step.heading], [403, 'Access ended']);
  await enableOperator(service.context, operatorId);
  assert.equal((await browser.signIn(login)).leadsTo, '/');
  assert.deepEqual((await audit()).slice(3), [
    'bridge operator.disabled done',
    'unknown operator.sign_in refused',
    'bridge operator.enabled done',
    'self operator.sign_in done',
  ]);
});

test('The operators of a provider share names with others, and a password signs in none of them.', async () => {
  await placeOperator(service.context, 'Shared Name');
  const { browser, login, claim, operator } = setup();
  claim({ name: 'Shared Name' });
  assert.equal((await browser.signIn(login)).leadsTo, '/');
  assert.equal((await operator())?.name, 'Shared Name');
  const { visitor } = openBrowser(service);
  await visitor.get('/sign-in');
  assert.equal((await visitor.signIn('Shared Name')).heading, 'Home');
  assert.match((await visitor.get('/')).html, /href="\/password"/);
  await disableOperator(service.context, (await operator())?.operatorId ?? '');
  assert.equal((await visitor.get('/')).heading, 'Home', 'the other operator of this name stays');
});

test('A sign-in with a password is an emergency: it is recorded and logged as one.', async () => {
  const { id } = await placeOperator(service.context, 'Break Glass');
  const { visitor } = openBrowser(service);
  const { html } = await visitor.get('/sign-in');
  assert.match(html, /<button[^>]*>Sign in with Example ID<\/button>/);
  assert.match(html, /<details class="emergency"\s*>\s*<summary>Sign in with a password, in an emergency/);
  const wrong = await visitor.signIn('Break Glass', 'wrong password!');
  assert.match(wrong.html, /<details class="emergency" open>/);
  assert.equal((await visitor.signIn('Break Glass')).heading, 'Home');
  const entries = await readAudit(service.context, { scope: 'all', subject: `operator:${id}`, limit: 10 });
  assert.deepEqual(
    entries.toReversed().map(({ actor, action, result }) => [actor, action, result]),
    [
      ['unknown', 'operator.sign_in', 'refused'],
      [`operator:${id}`, 'operator.sign_in', 'done'],
      [`operator:${id}`, 'operator.emergency_sign_in', 'done'],
    ],
  );
  const warned = service.logged.filter((line) => line.includes('past single sign-on') && line.includes(id));
  assert.deepEqual([warned.length, warned[0]?.includes('"level":"warn"')], [1, true]);
});

test('Sessions at the provider prove nothing: a reveal asks to sign in there again, and comes back to the form.', async () => {
  const { browser, login, audit } = setup();
  const applicationId = await placeSubmitted(service, '900-44-0004');
  const page = `/applications/${applicationId}/reveal`;
  await browser.signIn(login);
  assert.match((await browser.visitor.get(page)).html, /name="reason"/, 'just authenticated');
  await forgetProofs();
  const asked = await browser.visitor.get(page);
  assert.match(asked.html, /<button[^>]*>Confirm with Example ID<\/button>/);
  assert.doesNotMatch(asked.html, /name="reason"|name="proof"/);
  const reason = 'The department asked for it';
  const refused = await browser.visitor.post(page, { reason, proof: 'a guess' });
  assert.equal(refused.status, 422);
  assert.match(refused.html, /Confirm again that it is you\. Nothing was done\./);

  const url = new URL(await browser.beginProof(page));
  assert.deepEqual([url.searchParams.get('prompt'), url.searchParams.get('max_age')], ['login', '0']);
  const step = await browser.comeBack(await browser.person.signIn(url.href, login));
  assert.deepEqual([step.status, step.leadsTo], [200, `${page}?done=proven`]);
  const back = await browser.visitor.get(step.leadsTo);
  assert.match(back.html, /Confirmed\. Nothing was done yet/);
  assert.doesNotMatch(back.html, /900-?44-?0004/);
  assert.match((await browser.visitor.post(page, { reason })).html, /900-44-0004/);
  assert.deepEqual((await audit()).slice(3), ['self operator.reauthenticated done']);
  const [shown] = await readAudit(service.context, { scope: 'all', action: 'application.revealed', limit: 1 });
  assert.equal(shown?.subject, applicationId);
});

test('A proof by another person, or without a new sign-in, proves nothing.', async () => {
  const { browser, login, audit } = setup();
  const other = setup();
  await browser.signIn(login);
  await forgetProofs();
  const begin = () => browser.beginProof(`/applications/${applicationId}/reveal`);
  const applicationId = await placeSubmitted(service, '900-44-0004');
  const byOther = await browser.comeBack(await other.browser.person.signIn(await begin(), other.login));
  assert.deepEqual([byOther.status, byOther.heading], [403, 'Not confirmed']);
  assert.match(byOther.html, /Another person than you/);
  assert.equal(await other.operator(), undefined);
  for (const authTime of [Math.floor(Date.now() / 1_000) - 600, undefined]) {
    service.issuer.alter = (claims) => ({ ...claims, auth_time: authTime });
    const stale = await browser.comeBack(await browser.person.signIn(await begin(), login));
    service.issuer.alter = undefined;
    assert.deepEqual([stale.status, stale.heading], [403, 'Not confirmed'], String(authTime));
  }
  const page = await browser.visitor.get(`/applications/${applicationId}/reveal`);
  assert.match(page.html, /Confirm with Example ID/);
  assert.deepEqual(
    (await audit()).slice(3),
    Array.from({ length: 3 }, () => 'unknown operator.reauthenticated refused'),
  );
});

test('A provider whose clock is ahead does not lengthen a proof, at a sign-in or later.', async () => {
  const { browser, login, operator } = setup();
  const provenAt = async () => {
    const { operatorId = '' } = (await operator()) ?? {};
    const query = service.context.db.selectFrom('operatorSession').select('provenAt');
    return (await query.where('operatorId', '=', operatorId).executeTakeFirstOrThrow()).provenAt.getTime();
  };
  const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
  service.issuer.alter = (claims) => ({ ...claims, auth_time: inAnHour });
  try {
    await browser.signIn(login);
    assert.ok((await provenAt()) <= Date.now());
    await forgetProofs();
    const url = await browser.beginProof(`/applications/${await placeSubmitted(service)}/reveal`);
    const step = await browser.comeBack(await browser.person.signIn(url, login));
    assert.match(step.leadsTo, /done=proven/);
    assert.ok((await provenAt()) <= Date.now());
  } finally {
    service.issuer.alter = undefined;
  }
});

test('A proof of a session that has ended meanwhile opens none.', async () => {
  const { browser, login } = setup();
  await browser.signIn(login);
  await forgetProofs();
  const applicationId = await placeSubmitted(service);
  const url = await browser.beginProof(`/applications/${applicationId}/reveal`);
  await browser.visitor.post('/sign-out');
  const step = await browser.comeBack(await browser.person.signIn(url, login));
  assert.match(step.html, /Your session has ended meanwhile/);
  assert.equal((await browser.visitor.get('/')).heading, 'Sign in');
});

test('A sign-out ends the session here, then the one at the provider, and comes back.', async () => {
  const { browser, login } = setup();
  await browser.signIn(login);
  const token = browser.visitor.cookies.get('console') ?? '';
  const { html } = await browser.visitor.get('/');
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
  const answer = await browser.visitor.send('/sign-out', { method: 'POST', body: new URLSearchParams({ csrf }) });
  const [, address = ''] = /content="0; url=([^"]+)"/.exec(await answer.text()) ?? [];
  const url = new URL(address.replaceAll('&amp;', '&'));
  assert.equal(url.origin + url.pathname, `${service.issuer.url}/session/end`);
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${service.consoleUrl}/sign-out`);
  assert.match(url.searchParams.get('id_token_hint') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const rows = await service.context.db.selectFrom('operatorSession').selectAll().execute();
  assert.ok(!rows.some(({ tokenHash }) => tokenHash.equals(hashToken(token))));
  assert.match((await browser.visitor.get('/sign-out')).html, /You are signed out\./);
});

test('While the provider is down, sign-ins there wait, and the console and passwords work.', async () => {
  const waiting = await startOidcConsole({}, false);
  try {
    const browser = openBrowser(waiting);
    const failed = await browser.visitor.post('/sign-in/oidc');
    assert.deepEqual([failed.status, failed.heading], [503, 'Please wait']);
    assert.match(failed.html, /The console cannot reach Example ID\./);
    await placeOperator(waiting.context, 'Night Shift');
    assert.equal((await browser.visitor.signIn('Night Shift')).heading, 'Home');

    waiting.issuer.register(waiting.consoleUrl);
    waiting.issuer.people.set('early', { roles: 'licensing-view' });
    const later = openBrowser(waiting);
    const returned = await later.person.signIn(await later.begin(), 'early');
    waiting.issuer.isDown = true;
    assert.equal((await later.comeBack(returned)).status, 503);
    waiting.issuer.isDown = false;
    assert.equal((await later.signIn('early')).leadsTo, '/');
    waiting.issuer.isDown = true;
    const left = await later.visitor.get('/');
    assert.equal(left.heading, 'Home', 'a session continues while the provider is down');
  } finally {
    await waiting.stop();
  }
});

test('No code, token, claim or secret of a sign-in is in the log, and the ID token is stored encrypted.', async () => {
  const { browser, login } = setup({ ...everything, email: 'canary@example.com' });
  const returned = await browser.person.signIn(await browser.begin(), login);
  await browser.comeBack(returned);
  const { origin, pathname } = returned;
  assert.equal(`${origin}${pathname}`, `${service.consoleUrl}/sign-in/oidc/return`);
  const rows = await service.context.db.selectFrom('operatorSession').select('idTokenEncrypted').execute();
  assert.ok(rows.some(({ idTokenEncrypted }) => idTokenEncrypted?.startsWith('v1.')));
  const token = /eyJ[\w-]+\.eyJ/;
  assert.doesNotMatch(JSON.stringify(rows), token);
  const secrets = [...returned.searchParams.values()].filter((value) => !value.startsWith('http'));
  const canaries = [...secrets, 'canary@', login, service.issuer.environment['CONSOLE_OIDC_CLIENT_SECRET'] ?? ''];
  const logged = service.logged.join('');
  assert.doesNotMatch(logged, token);
  for (const canary of canaries) assert.ok(!logged.includes(canary), canary);
});
