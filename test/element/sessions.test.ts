import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { PartnerSession } from '../../src/contract/index.js';
import { LicensingApplyError } from '../../src/element/errors.js';
import {
  hasSource,
  requestSession,
  SessionKeeper,
  type SessionRequest,
  type SessionSource,
} from '../../src/element/opening/sessions.js';
import { type FakePage, installPage } from './node-page.js';

const none: SessionSource = { sessionProvider: undefined, sessionUrl: '', applicationUrl: '', applicationId: '' };
const session = { applicationUrl: 'https://apply.example/s/1', applicationId: 'app_1' };
const isHtml = { headers: { 'content-type': 'text/html; charset=utf-8' } };

let page: FakePage;
beforeEach(() => {
  page = installPage();
});
afterEach(() => {
  page.restore();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof LicensingApplyError ? error.code : (error as Error).name),
  );

const { signal } = new AbortController();
const request: SessionRequest = { reason: 'open', returnState: 'nonce', signal };
const fail = () => Promise.reject(new TypeError('Failed to fetch'));
const redirect = () => Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
const text = (body: string, init?: ResponseInit) => () => new Response(body, init);

const answers: [what: string, answers: (() => unknown)[], code: string, isOffline?: boolean][] = [
  ['answers with a session', [text(JSON.stringify(session))], 'no error'],
  ['answers with a session as text/html, the default of PHP', [text(JSON.stringify(session), isHtml)], 'no error'],
  ['answers with status 401', [text('no', { status: 401 })], 'not_signed_in'],
  ['answers with status 403', [text('no', { status: 403 })], 'session_failed'],
  ['answers with status 500', [text(JSON.stringify(session), { status: 500 })], 'session_failed'],
  ['answers with text that is not JSON', [text('<p>Sign in</p>')], 'session_unreadable'],
  ['answers with a page', [text('<p>Sign in</p>', isHtml)], 'not_signed_in'],
  ['answers with null', [text('null')], 'session_unreadable'],
  ['answers without an application URL', [text('{"applicationId":"app_1"}')], 'session_unreadable'],
  ['answers with an application URL that is no text', [text('{"applicationUrl":1}')], 'session_unreadable'],
  ['cannot be reached', [fail], 'session_unreachable'],
  ['cannot be reached without a network connection', [fail], 'offline', true],
  ['redirects to another site', [fail, redirect], 'not_signed_in'],
  ['fails once and then answers the request that follows no redirect', [fail, text('')], 'session_unreachable'],
];
for (const [what, given, code, isOffline] of answers)
  it(`requestSession() ends with "${code}" if the session-url ${what}`, async () => {
    page.setOnline(!isOffline);
    page.answerWith(...given);
    assert.equal(await failure(requestSession({ sessionUrl: '/sessions' }, request)), code);
  });

it('requestSession() sends the request without its signal, and gives up after 20 seconds', async () => {
  const timeouts: number[] = [];
  mock.method(AbortSignal, 'timeout', (ms: number) => (timeouts.push(ms), AbortSignal.abort()));
  page.answerWith(() => Response.json(session));
  await requestSession({ sessionUrl: '/sessions' }, { ...request, applicationId: 'app_1' });
  const [{ url, init } = assert.fail()] = page.requests;
  assert.deepEqual([url, init.method, timeouts, init.signal?.aborted], ['/sessions', 'POST', [20_000], true]);
  assert.deepEqual(JSON.parse(init.body as string), { reason: 'open', returnState: 'nonce', applicationId: 'app_1' });
  assert.equal(new Headers(init.headers).get('content-type'), 'application/json');
});

it('requestSession() asks once more without a body to tell a redirect from an outage', async () => {
  page.answerWith(fail);
  await failure(requestSession({ sessionUrl: '/sessions' }, request));
  assert.deepEqual(
    page.requests.map(({ init }) => [init.method, init.redirect, init.body === undefined]),
    [
      ['POST', undefined, false],
      [undefined, 'manual', true],
    ],
  );
});

const sessionProvider = () => ({ ...session, applicationId: 'of the provider' });
const sources: [source: Partial<SessionSource>, applicationId: string][] = [
  [{ ...none, sessionProvider, sessionUrl: '/sessions', applicationUrl: 'https://a.example/' }, 'of the provider'],
  [{ ...none, sessionUrl: '/sessions', applicationUrl: 'https://a.example/' }, 'of the route'],
  [{ ...none, applicationUrl: 'https://a.example/', applicationId: 'of the attribute' }, 'of the attribute'],
  [{ applicationUrl: 'https://a.example/' }, ''],
];
for (const [source, applicationId] of sources)
  it(`requestSession() uses the first source that is set: ${applicationId || 'no id'}`, async () => {
    page.answerWith(() => Response.json({ ...session, applicationId: 'of the route' }));
    assert.equal((await requestSession(source, request)).applicationId, applicationId);
    assert.equal(hasSource({ ...none, ...source }), true);
  });

it('requestSession() rejects without a source, and for a provider that throws or rejects', async () => {
  const fails = (provider: () => never) => failure(requestSession({ sessionProvider: provider }, request));
  assert.deepEqual([await failure(requestSession(none, request)), hasSource(none)], ['not_configured', false]);
  assert.equal(await fails(() => assert.fail('down')), 'session_failed');
  assert.equal(await fails(() => Promise.reject(new Error('down')) as never), 'session_failed');
  assert.equal(await fails(() => undefined as never), 'session_unreadable');
});

describe('the session keeper', () => {
  /** A keeper, and a source whose provider answers with `answer`. */
  function setup(answer: Partial<PartnerSession> = {}, more: Partial<SessionSource> = {}) {
    const requests: Omit<SessionRequest, 'signal'>[] = [];
    const source: SessionSource = {
      ...none,
      sessionProvider: ({ signal: _signal, ...request }) => {
        requests.push(request);
        return { ...session, ...answer };
      },
      ...more,
    };
    const keeper = new SessionKeeper();
    const { signal } = new AbortController();
    return {
      keeper,
      source,
      requests,
      signal,
      obtain: (reason: 'open' | 'resume' = 'open') => keeper.obtain(source, reason, signal),
    };
  }

  const restored = { ...session, applicationUrl: '' };
  const uses: [what: string, hasEnd: boolean, act: (keeper: SessionKeeper) => void, reasons: string[]][] = [
    ['is used again', false, () => undefined, ['open']],
    ['is used again a millisecond before its end', true, () => undefined, ['open']],
    ['is replaced as "expired" at its end', true, () => mock.timers.tick(1), ['open', 'expired']],
    ['is replaced as "expired" after the page said so', false, (keeper) => keeper.expire(), ['open', 'expired']],
    ['is used again if it was stored since', false, (keeper) => (keeper.expire(), keeper.keep(session)), ['open']],
    ['is replaced as "resume" after a redirect', false, (keeper) => keeper.keep(restored), ['open', 'resume']],
    [
      'is replaced as "expired" after a redirect whose return said so',
      false,
      (keeper) => (keeper.keep(restored), keeper.expire()),
      ['open', 'expired'],
    ],
    [
      'is replaced as "open" for another application',
      false,
      (keeper) => (keeper.expire(), keeper.clear()),
      ['open', 'open'],
    ],
  ];
  for (const [what, hasEnd, act, reasons] of uses)
    it(`a session ${what}`, async () => {
      const { keeper, requests, obtain } = setup(
        hasEnd ? { expiresAt: new Date(Date.now() + 1_000).toISOString() } : {},
      );
      await obtain();
      if (hasEnd) mock.timers.tick(999);
      assert.notEqual(keeper.usable(), undefined);
      act(keeper);
      assert.equal(keeper.usable() === undefined, reasons.length > 1);
      await obtain();
      assert.deepEqual(
        requests.map(({ reason }) => reason),
        reasons,
      );
    });

  it('each request has its own one-time value, which the session of the backend may override', async () => {
    const { keeper, requests, obtain } = setup();
    await obtain();
    const first = keeper.returnNonce;
    keeper.expire();
    await obtain();
    assert.deepEqual(
      [first, keeper.returnNonce],
      requests.map(({ returnState }) => returnState),
    );
    assert.notEqual(first, keeper.returnNonce);
    const own = setup({ returnState: 'own' });
    await own.obtain();
    assert.equal(own.keeper.returnNonce, 'own');
  });

  it('a session that the page created, or that is given as a link, has no one-time value', async () => {
    const { keeper, source, signal, requests } = setup();
    await keeper.obtain(source, 'open', signal, { session: Promise.resolve(session) });
    assert.deepEqual([keeper.returnNonce, keeper.session, requests], [undefined, session, []]);
    const linked = setup({}, { sessionProvider: undefined, applicationUrl: session.applicationUrl });
    await linked.obtain();
    assert.equal(linked.keeper.returnNonce, undefined);
    const routed = setup({}, { sessionProvider: undefined, sessionUrl: '/sessions' });
    page.answerWith(() => Response.json(session));
    await routed.obtain();
    assert.match(routed.keeper.returnNonce ?? '', /^[\da-f-]{36}$/);
  });

  it('a request names the application of the session, else that of the attribute', async () => {
    const { source, obtain, keeper, requests } = setup({}, { applicationId: 'app_0' });
    await obtain('resume');
    keeper.expire();
    await obtain();
    source.applicationId = '';
    keeper.clear();
    await obtain();
    assert.deepEqual(
      requests.map(({ applicationId }) => applicationId),
      ['app_0', 'app_1', undefined],
    );
  });

  it('a request with the states of a new application is sent even if a session still works, and names no application', async () => {
    const { keeper, source, signal, obtain, requests } = setup({}, { applicationId: 'app_0' });
    await obtain();
    await keeper.obtain(source, 'resume', signal, { states: ['NV'] });
    assert.deepEqual(requests.at(-1), { reason: 'open', returnState: keeper.returnNonce, states: ['NV'] });
  });

  it('a renewed session replaces the present one only if it is of the same application', async () => {
    const answer: Partial<PartnerSession> = {};
    const { keeper, source, signal, obtain, requests } = setup(answer);
    await obtain();
    keeper.expire();
    assert.notEqual(await keeper.renew(source, signal), undefined);
    assert.equal(requests.at(-1)?.reason, 'expired');
    assert.notEqual(keeper.usable(), undefined);
    const before = keeper.session;
    const other = setup({ applicationId: 'app_2' });
    assert.equal(await keeper.renew(other.source, signal), undefined);
    assert.equal(keeper.session, before);
  });

  it('a request that is aborted rejects at once, even if the provider never answers or was not asked yet', async () => {
    for (const given of [undefined, new Promise<PartnerSession>(() => undefined)]) {
      const aborted = new AbortController();
      const { keeper, source } = setup({}, { sessionProvider: () => new Promise(() => undefined) });
      const obtained = failure(keeper.obtain(source, 'open', aborted.signal, { session: given }));
      aborted.abort();
      assert.equal(await obtained, 'AbortError');
      const { keeper: late, source: asked, requests } = setup();
      assert.equal(await failure(late.obtain(asked, 'open', aborted.signal)), 'AbortError');
      assert.deepEqual(requests, []);
    }
  });
});
