import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations, type OperationId } from '../../../src/contract/index.js';
import type { CallParts } from '../../support/call-operation.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { typed } from '../apply/support/typed.js';
import { createVisitor } from '../apply/support/visitor.js';
import { placeOperator, placeSession } from '../console/operator-rows.js';
import { placeSubmitted, startConsole, type ConsoleService } from '../console/support.js';
import { createScene } from '../http/support/scene.js';
import { nameOf, originOf, type Route, routesOf } from './routes.js';

/** NUL, also behind other text, and half a character, as they are sent in a URL or a form. */
const encoded = ['%00', 'app_x%00', '%ED%A0%80'];
/** The same in JSON. */
const escaped = ['\u0000', 'a\u0000', '\ud800'];

/** The routes that are the same for every caller, and search nothing. */
const files = /^(apply|console) GET \/(assets\/\*|favicon\.ico)$/;

/** The posts that read no field, and one whose page this application does not have. */
const readingNoField = [
  // Only the adapter reads it.
  'apply POST /payments/notifications',
  'apply POST /s/:token',
  'apply POST /s/:token/profile/employment/:entry/remove',
  'apply POST /s/:token/profile/agencies/:entry',
  'apply POST /s/:token/profile/agencies/:entry/remove',
];

let service: ConsoleService;
let routes: Route[];
/** The valid values of parameters in paths, by app. */
let values: Record<Route['app'], readonly Record<string, string>[]>;
let calls: Partial<Record<OperationId, CallParts>>;
let cookie: string;
before(async () => {
  service = await startConsole({ environment: { BRIDGE_RATE_LIMIT: '1000000', CONSOLE_TRUSTED_PROXIES: '1' } });
  const { context } = service;
  routes = routesOf(service);
  const scene = await createScene(service);
  // These two end the tokens of the others.
  const { createAccountCredential: _issue, resetCredential: _reset, ...others } = scene.calls;
  calls = others;
  const { id: operatorId } = await placeOperator(context, 'Storing');
  cookie = `console=${await placeSession(context, operatorId)}`;

  const paying = await service.createSession();
  await placeAt(service, paying, 'payment');
  const cardNumber = '4000 0027 6000 3184';
  await createVisitor().post(`${paying.applicationUrl}/payment`, { ...typed.payment, cardNumber });
  const { id: paymentId } = await context.db
    .selectFrom('payment')
    .select('id')
    .where('applicationId', '=', paying.applicationId)
    .executeTakeFirstOrThrow();
  const open = await service.createSession();
  await placeAt(service, open, 'payment');
  const asked = await placeSubmitted(service);
  const body = { status: 'requires_action', reason: 'A copy of a document.' };
  const decided = await service.call('POST', `/v1/test_helpers/applications/${asked}/states/TX`, { body });
  const tokenOf = (url = '') => url.split('/').at(-1) ?? '';
  const action = tokenOf(decided.body.states[0]?.actionUrl);
  values = {
    api: [{}],
    apply: [
      { token: tokenOf(open.applicationUrl), topic: 'names', group: 'criminal', entry: 'new' },
      { token: tokenOf(open.applicationUrl), topic: 'exam', state: 'TX', entry: 'new' },
      { token: action },
      { paymentId, token: tokenOf(context.links.challengeUrl(paymentId)) },
      { paymentId, token: tokenOf(context.links.paymentReturnUrl('test', paymentId)) },
    ],
    console: [{ id: asked, state: 'TX' }],
  };
});
after(() => service.stop());

const formType = 'application/x-www-form-urlencoded';

let sent = 0;
/** Sends a request as a caller who may do everything, from a separate address. */
async function send({ app, method }: Route, path: string, body?: BodyInit, type?: string, token?: string) {
  const headers = {
    'x-forwarded-for': `10.${(sent += 1) >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
    ...(app === 'console' ? { cookie } : {}),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  const hasBody = method !== 'GET' && body !== undefined;
  const answer = await fetch(`${originOf(service, app)}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(hasBody ? { body } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

const parameter = /[:{](\w+)\}?/g;

/** All texts with the first values of a route, one with the others. */
const textsFor = (index: number) => (index === 0 ? encoded : encoded.slice(0, 1));

/** The path of a route with valid values, except one. */
function fill(path: string, known: Record<string, string>, broken?: string, text = ''): string {
  return path
    .replace('*', ':file')
    .replace(parameter, (_all, name: string) => (name === broken ? text : (known[name] ?? 'x')));
}

describe('text that cannot be stored', () => {
  it('Every route refuses it in its path and in its query.', async () => {
    for (const route of routes) {
      const names = [...route.path.replace('*', ':file').matchAll(parameter)].map(([, name = '']) => name);
      const [operation] = Object.entries(operations).find(
        ([, { method, path }]) => method === route.method && path === route.path,
      ) ?? [undefined];
      const parts = operation === undefined ? undefined : calls[operation as OperationId];
      for (const [index, known] of (route.app === 'api' ? [parts?.params ?? {}] : values[route.app]).entries()) {
        for (const text of textsFor(index)) {
          const paths = [
            ...names.map((name) => fill(route.path, known, name, text)),
            ...['search', 'after', text].map((name) => `${fill(route.path, known)}?${name}=${text}`),
          ];
          for (const path of paths) {
            const answer = await send(route, path, '', formType, parts?.token);
            const isRefused = files.test(nameOf(route)) ? answer.status < 500 : answer.status === 400;
            assert.ok(isRefused, `${nameOf(route)} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
          }
        }
      }
    }
  });

  it('Every operation refuses it in every text and key of its body, with the error of the API.', async () => {
    let count = 0;
    for (const [id, { token, params = {}, body }] of Object.entries(calls)) {
      const { method, path } = operations[id as OperationId];
      const route: Route = { app: 'api', method, path };
      for (const broken of brokenBodies(body)) {
        const answer = await send(route, fill(path, params), broken, 'application/json', token);
        // The login answers a wrong secret, and counts it.
        const isRefused = answer.status === 400 || (id === 'login' && [401, 429].includes(answer.status));
        assert.ok(isRefused, `${id} ${broken}: ${answer.status} ${answer.text}`);
        assert.match(answer.text, /"code":\d{5},"details":"/);
        count += 1;
      }
    }
    assert.ok(count > 100, String(count));
  });

  it('Every form refuses it in the name and the value of every field, and shows a page that says so.', async () => {
    const refused = new Set<string>();
    const posts = routes.filter(({ app, method }) => app !== 'api' && method === 'POST');
    for (const route of posts) {
      for (const [index, known] of values[route.app].entries()) {
        const path = fill(route.path, known);
        const { text: page } = await send({ ...route, method: 'GET' }, path);
        const fields = new Set([...page.matchAll(/name="([\w.-]+)"/g)].map(([, name = '']) => name));
        const named = ['remove', ...fields].map((name) => `${name}=%00`);
        const others = textsFor(index).flatMap((text) => [`a=${text}`, `${text}=a`]);
        for (const body of [...named, ...others, 'a=\0']) {
          const answer = await send(route, path, body, formType);
          assert.ok(answer.status < 500, `${nameOf(route)} ${body}: ${answer.status} ${answer.text}`);
          if (answer.status !== 400) continue;
          assert.match(answer.text, /characters that cannot be stored/);
          refused.add(nameOf(route));
        }
      }
    }
    const accepted = posts.map(nameOf).filter((name) => !refused.has(name));
    assert.deepEqual(accepted, readingNoField);
  });

  it('Every upload refuses it in the names and values of its fields and in the name of its file.', async () => {
    const uploads = routes.filter(
      ({ app, method, path }) => app === 'apply' && method === 'POST' && /documents$/.test(path),
    );
    assert.equal(uploads.length, 2);
    for (const route of uploads) {
      const refused = new Set<string[]>();
      for (const known of values.apply) {
        for (const parts of brokenParts) {
          const body = Buffer.from([...parts, '--b--\r\n'].join(''), 'latin1');
          const answer = await send(route, fill(route.path, known), body, 'multipart/form-data; boundary=b');
          assert.ok(answer.status < 500, `${nameOf(route)}: ${answer.status}`);
          if (answer.status !== 400) continue;
          assert.match(answer.text, /characters that cannot be stored/);
          refused.add(parts);
        }
      }
      assert.equal(refused.size, brokenParts.length, nameOf(route));
    }
  });
});

/** A body with one text or key broken, for each of its texts and objects. */
function brokenBodies(body: unknown): string[] {
  return escaped.flatMap((text) => {
    const found: string[] = [];
    const visit = (value: unknown, replace: (by: unknown) => unknown) => {
      if (typeof value === 'string') found.push(JSON.stringify(replace(text)), JSON.stringify(replace(value + text)));
      if (Array.isArray(value)) {
        for (const [index, part] of value.entries()) visit(part, (by) => replace(value.with(index, by)));
      } else if (typeof value === 'object' && value !== null) {
        found.push(JSON.stringify(replace({ ...value, [text]: 'a' })));
        for (const [key, part] of Object.entries(value)) visit(part, (by) => replace({ ...value, [key]: by }));
      }
    };
    visit(body, (by) => by);
    return found;
  });
}

const field = (name: string, value: string, type = 'text/plain') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`;
const file = (name: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename${name}\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\n%%EOF\n\r\n`;

/** Forms with a file, each with a text that cannot be stored. */
const brokenParts = [
  [field('subject', 'a\0'), file('="a.pdf"')],
  [field('replaces', 'doc_\0'), file('="a.pdf"')],
  [field('upload', '\0'), file('="a.pdf"')],
  [field('subject', 'a'), field('a\0', 'a'), file('="a.pdf"')],
  [field('subject', 'a\0\x00\xd8', 'text/plain; charset=utf-16le'), file('="a.pdf"')],
  [field('subject', 'a'), file(`*=UTF-8''a%00.pdf`)],
  [field('subject', 'a'), file('="a\0.pdf"')],
];
