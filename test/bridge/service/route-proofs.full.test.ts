import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { capabilityPaths } from '../../../src/contract/index.js';
import { scrubText } from '../../../src/bridge/config/log.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { createVisitor, typed } from '../apply/support/visitor.js';
import { startConsole, type ConsoleService } from '../console/support.js';
import { until } from '../until.js';
import { nameOf, originOf, type Route, routesOf } from './routes.js';

/** The proof that a caller needs for a route, so that no id of anything is enough. */
type Proof =
  | 'the token of a link'
  | 'the token that belongs to the payment'
  | 'a bearer token'
  | 'a sign-in'
  | 'nothing: the login itself'
  | 'nothing: the same for every caller';

/** The routes that read no token of the path, a header or a cookie. */
const open: Record<string, Proof> = {
  'apply GET /assets/*': 'nothing: the same for every caller',
  'apply GET /favicon.ico': 'nothing: the same for every caller',
  // Its sender is unknown, so it only causes a look-up, and has one answer for every payment.
  'apply POST /payments/notifications': 'nothing: the same for every caller',
  'console GET /assets/*': 'nothing: the same for every caller',
  'console GET /favicon.ico': 'nothing: the same for every caller',
  'console GET /sign-in': 'nothing: the login itself',
  'console POST /sign-in': 'nothing: the login itself',
  'api GET /healthz': 'nothing: the same for every caller',
  'api GET /readyz': 'nothing: the same for every caller',
  'api GET /openapi.json': 'nothing: the same for every caller',
  'api GET /docs': 'nothing: the same for every caller',
  'api GET /docs/:file': 'nothing: the same for every caller',
  'api POST /v1/auth/login': 'nothing: the login itself',
  // The bootstrap: only with the unguessable id of an agency that has no credential yet.
  'api POST /v1/account/account-credential': 'nothing: the login itself',
};

function proofOf(route: Route): Proof | undefined {
  const { app, path } = route;
  const known = open[nameOf(route)];
  if (known !== undefined || app !== 'apply') return known ?? (app === 'api' ? 'a bearer token' : 'a sign-in');
  if (/^\/[sa]\/:token(\/|$)/.test(path)) return 'the token of a link';
  if (/^\/(p|test-processor)\/:paymentId\/:token(\/cancel)?$/.test(path))
    return 'the token that belongs to the payment';
  return undefined;
}

/** A token that is none. */
const guess = 'x'.repeat(43);

/** A path that gives access to whoever has it. */
const capability = new RegExp(`/(${capabilityPaths.join('|')})/[\\w/-]*[\\w-]{43}`);

describe('the routes of the three apps', () => {
  let service: ConsoleService;
  let routes: Route[];
  /** Ids of an application that is paid and one that waits for the bank. */
  let ids: Record<'applicationId' | 'paymentId', string>[];
  before(async () => {
    service = await startConsole();
    routes = routesOf(service);
    ids = [];
    for (const cardNumber of [typed.payment.cardNumber, '4000 0027 6000 3184']) {
      const session = await service.createSession();
      await placeAt(service, session, 'payment');
      await createVisitor().post(`${session.applicationUrl}/payment`, { ...typed.payment, cardNumber });
      const { applicationId } = session;
      const { id: paymentId } = await service.context.db
        .selectFrom('payment')
        .select('id')
        .where('applicationId', '=', applicationId)
        .executeTakeFirstOrThrow();
      ids.push({ applicationId, paymentId });
    }
    // A job captures the payment, which is no change of a call.
    await until(
      async () => (await rowsOf(service)).payments,
      (payments) => payments.every(({ status }) => status === 'captured' || status === 'pending'),
    );
  });
  after(() => service.stop());

  it('Every route is known with what proves the right of its caller, and every known one exists.', () => {
    const names = routes.map(nameOf);
    assert.deepEqual(
      routes.filter((route) => proofOf(route) === undefined),
      [],
    );
    assert.deepEqual(
      Object.keys(open).filter((name) => !names.includes(name)),
      [],
    );
    for (const app of ['apply', 'api', 'console']) assert.ok(names.filter((name) => name.startsWith(app)).length > 10);
  });

  it('Neither the log of the bridge nor that of nginx has the token of any route, and the page about logs names each.', async () => {
    const [nginx, page] = await Promise.all(
      ['deploy/nginx.conf', 'docs/bridge/deploy.md'].map((path) => readFile(path, 'utf8')),
    );
    const [, map = ''] = /map \$uri \$logged_path \{([^}]*)\}/.exec(nginx ?? '') ?? [];
    const hidden = [...map.matchAll(/~(\S+) (\S+);/g)].map(([, pattern = '', shown = '']) => ({
      pattern: new RegExp(pattern),
      shown,
    }));
    const withToken = routes.filter(({ path }) => path.includes(':token'));
    assert.deepEqual(new Set(withToken.map(({ path }) => path.split('/')[1])), new Set(capabilityPaths));
    for (const { path } of withToken) {
      const asked = path.replace(':token', guess).replace(/:\w+(\{[^}]*\})?/g, 'x1');
      assert.ok(!scrubText(asked).includes(guess), asked);
      const logged = hidden.find(({ pattern }) => pattern.test(asked));
      const groups = logged?.pattern.exec(asked)?.groups ?? {};
      const line =
        logged?.shown.replace(/\$(\w+)/g, (_name, group: string) =>
          group in groups ? (groups[group] ?? '') : asked,
        ) ?? asked;
      assert.ok(!line.includes(guess), line);
    }
    for (const kind of capabilityPaths) assert.ok(page?.includes(`\`/${kind}/\``), kind);
  });

  it('No route answers ids without their proof with data, a change or a link.', async () => {
    const before = await rowsOf(service);
    for (const route of routes) {
      if (proofOf(route)?.startsWith('nothing') === true && !route.path.includes('notifications')) continue;
      for (const { applicationId, paymentId } of ids) {
        const path = route.path
          .replace(/[:{]paymentId\}?/, paymentId)
          .replace(/[:{](applicationId|id)\}?/, applicationId)
          .replace(/[:{]state\}?/, 'TX')
          .replace(/[:{]token\}?/, guess)
          .replace(/[:{]\w+\}?/g, applicationId);
        const { status, text, location } = await send(service, route, path, { applicationId, paymentId });
        assert.doesNotMatch(`${location} ${text}`.replaceAll(guess, ''), capability, nameOf(route));
        assert.doesNotMatch(text, /Rivera|Elm Street/, nameOf(route));
        if (location !== '') assert.match(location, /^\/sign-in/, nameOf(route));
        // The renewal of a link answers `null`, and a notification nothing, for every caller.
        else if (text !== 'null' && text !== '') assert.match(String(status), /^4/, nameOf(route));
      }
    }
    assert.deepEqual(await rowsOf(service), before);
  });
});

async function send(service: ConsoleService, { app, method }: Route, path: string, known: Record<string, string>) {
  const origin = originOf(service, app);
  const isForm = app !== 'api';
  const body = isForm ? new URLSearchParams({ answer: 'pass', ...known }) : JSON.stringify(known);
  const headers = isForm ? undefined : { 'content-type': 'application/json' };
  const hasBody = method !== 'GET';
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    ...(hasBody ? { body } : {}),
    ...(hasBody && headers ? { headers } : {}),
  });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, text: await response.text(), location };
}

/** What the calls must not change. */
async function rowsOf({ context: { db } }: ConsoleService) {
  return {
    payments: await db.selectFrom('payment').select(['id', 'status']).orderBy('id').execute(),
    simulated: await db.selectFrom('simulatedPayment').select(['paymentId', 'status']).orderBy('paymentId').execute(),
  };
}
