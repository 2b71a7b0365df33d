import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { consoleRoutes } from '../../../src/bridge/console/index.js';
import { readAudit } from '../../../src/bridge/domain/audit/audit.js';
import { findSignedIn } from '../../../src/bridge/domain/operators/sign-in.js';
import { operatorPassword, placeOperator, placeSession } from './operator-rows.js';
import { createOperatorVisitor, startConsole, type ConsoleService } from './support.js';

const start = new Date('2026-11-25T12:00:00Z');
let now = start;

let service: ConsoleService;
before(async () => {
  const environment = { BRIDGE_REQUIRE_TOTP: 'true', CONSOLE_TRUSTED_PROXIES: '1' };
  service = await startConsole({ clock: () => now, environment });
});
after(() => service.stop());

let count = 0;
function newVisitor() {
  const visitor = createOperatorVisitor(service.consoleUrl);
  visitor.headers = { 'x-forwarded-for': `203.0.113.${(count += 1)}` };
  return visitor;
}

/** An operator who has signed in with a password only, and the page that follows. */
async function setup({ hasTotp = false } = {}) {
  now = start;
  const name = `Operator ${(count += 1)}`;
  const { id, secret } = await placeOperator(service.context, name, { hasTotp });
  const visitor = newVisitor();
  const page = await visitor.signIn(name, operatorPassword, hasTotp ? codeOf(secret) : '');
  return { id, name, visitor, page };
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });

/** The key on a page, and the field of its form. */
function offeredBy(html: string) {
  const [, key = ''] = /<code class="reference">([A-Z2-7 ]+)<\/code>/.exec(html) ?? [];
  const [, offer = ''] = /name="offer" value="([^"]+)"/.exec(html) ?? [];
  return { key: key.replaceAll(' ', ''), offer };
}

test('Where codes are required, an operator without an app can only set one up, and needs its code from then on.', async () => {
  const { id, name, visitor, page } = await setup();
  assert.equal(page.heading, 'Set up an authenticator app');
  assert.doesNotMatch(page.html, /<nav/);
  for (const { method, path, access } of consoleRoutes) {
    if (access === 'anyone' || ['/sign-out', '/password', '/authenticator'].includes(path)) continue;
    const body = new URLSearchParams({ csrf: 'x' });
    const answer = await visitor.send(path.replace(/:\w+/g, 'x'), method === 'POST' ? { method, body } : {});
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/authenticator'], `${method} ${path}`);
  }
  const elsewhere = await placeSession(service.context, id);
  const { key, offer } = offeredBy((await visitor.get('/authenticator')).html);
  const done = await visitor.post('/authenticator', { offer, code: codeOf(key) });
  assert.equal(done.heading, 'Home');
  assert.match(done.html, /Your authenticator app is set up/);
  assert.equal(await findSignedIn(service.context, elsewhere), undefined, 'the session without a code has ended');
  const [entry] = await readAudit(service.context, { scope: 'all', subject: `operator:${id}`, limit: 1 });
  assert.deepEqual([entry?.action, entry?.result, entry?.actor], ['operator.totp_changed', 'set_up', `operator:${id}`]);

  assert.equal((await newVisitor().signIn(name)).status, 422);
  assert.equal((await newVisitor().signIn(name, operatorPassword, codeOf(key))).status, 422, 'a code works once');
  now = new Date(now.getTime() + 30_000);
  assert.equal((await newVisitor().signIn(name, operatorPassword, codeOf(key))).heading, 'Home');
  assert.equal((await visitor.get('/authenticator')).heading, 'Home');
});

test('A wrong code keeps the key on the page, and a forged form or a session without a fresh password sets up nothing.', async () => {
  const { id, visitor, page } = await setup();
  const first = offeredBy(page.html);
  const wrong = await visitor.post('/authenticator', { offer: first.offer, code: '000000' });
  assert.equal(wrong.status, 422);
  assert.equal(offeredBy(wrong.html).key, first.key);
  const other = offeredBy((await setup()).page.html);
  now = start;
  for (const offer of ['', 'x', other.offer])
    assert.equal((await visitor.post('/authenticator', { offer, code: codeOf(other.key) })).status, 422);
  now = new Date(start.getTime() + 5 * 60_000);
  const sent = { offer: first.offer, code: codeOf(first.key) };
  assert.equal((await visitor.post('/authenticator', sent)).status, 422);
  const { totpEncrypted: stored } = await service.context.db
    .selectFrom('operator')
    .select('totpEncrypted')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(stored, null);
  assert.equal((await visitor.post('/authenticator', { ...sent, proof: operatorPassword })).heading, 'Home');
});

test('An operator with an app works as before, and keeps it.', async () => {
  const { visitor, page } = await setup({ hasTotp: true });
  assert.equal(page.heading, 'Home');
  assert.equal((await visitor.get('/authenticator')).heading, 'Home');
  assert.equal((await visitor.post('/authenticator', { offer: 'x', code: '1' })).heading, 'Home');
  assert.doesNotMatch((await visitor.get('/password')).html, /href="\/authenticator"/);
});
