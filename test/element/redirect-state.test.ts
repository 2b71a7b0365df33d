import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import {
  completeRedirectState,
  restoreRedirectState,
  saveRedirectState,
} from '../../src/element/opening/redirect-state.js';
import { mayHaveRedirectState } from '../../src/element/opening/redirect-hint.js';
import { type FakePage, installPage } from './node-page.js';

const host = { id: '', applicationId: '' };
const left = { element: '', returnNonce: 'nonce', applicationId: 'app_1', statusUrl: '/status', eventsUrl: '' };
const dayMs = 24 * 60 * 60 * 1_000;

describe('the stored state of a redirect', () => {
  let page: FakePage;
  beforeEach(() => {
    page = installPage();
  });
  afterEach(() => {
    page.restore();
  });

  const go = (query: string, path = '/apply.html') => (page.location.href = `https://agency.example${path}${query}`);
  const keys = (storage: 'sessionStorage' | 'localStorage') => Object.keys(page.storages[storage]);
  /** Another tab of the site. */
  const openTab = () => keys('sessionStorage').forEach((key) => page.storages.sessionStorage.removeItem(key));
  const restoredStatus = (by = host) => {
    const isHinted = mayHaveRedirectState(by);
    const restored = restoreRedirectState(by);
    assert.ok(isHinted || !restored, 'a redirect is never overlooked');
    return restored ? (restored.status ?? 'no return') : 'nothing';
  };

  it('the state of a redirect is restored on the page that it left, without a status', () => {
    saveRedirectState(left);
    assert.deepEqual(restoreRedirectState(host), {
      state: { ...left, page: '/apply.html', expiresAt: Date.now() + dayMs },
    });
    assert.deepEqual([keys('sessionStorage'), keys('localStorage')], [['licensing-apply#'], ['licensing-apply:nonce']]);
  });

  const returns: [query: string, status: string, url?: string][] = [
    ['?status=submitted&state=nonce', 'submitted', ''],
    ['?status=cancelled&state=nonce', 'cancelled', ''],
    ['?status=expired&state=nonce#top', 'expired', '#top'],
    ['?status=gold&state=TX&tab=1&status=submitted&state=nonce', 'submitted', '?status=gold&state=TX&tab=1'],
    ['?status=approved&state=nonce', 'no return'],
    ['?status=submitted', 'no return'],
    ['?state=nonce', 'no return'],
    ['?status=submitted&state=', 'no return'],
    ['?status=submitted&state=guessed', 'no return'],
    ['?status=submitted&state=nonce&state=xyz', 'no return'],
  ];
  for (const [query, status, url = query] of returns)
    it(`a return with ${query} is restored as "${status}", and changes the URL only if it is one`, () => {
      saveRedirectState(left);
      go(query);
      assert.equal(restoredStatus(), status);
      assert.equal(page.location.href, `https://agency.example/apply.html${url}`);
    });

  it('a return counts on any page of the site, which is then the page to come back to', () => {
    saveRedirectState(left);
    go('', '/other.html');
    assert.equal(restoredStatus(), 'nothing');
    go('?status=cancelled&state=nonce', '/other.html');
    assert.equal(restoredStatus(), 'cancelled');
    assert.equal(restoredStatus(), 'no return');
    assert.equal(restoreRedirectState(host)?.state.page, '/other.html');
  });

  it('a return in another tab counts once for all tabs', () => {
    saveRedirectState(left);
    openTab();
    for (const status of ['submitted', 'nothing']) {
      go('?status=submitted&state=nonce');
      assert.equal(restoredStatus(), status);
      openTab();
    }
  });

  it('a return counts by the state of its tab alone, and never by one that was stored for another value', () => {
    saveRedirectState(left);
    const { localStorage } = page.storages;
    localStorage.removeItem('licensing-apply:nonce');
    localStorage.setItem('licensing-apply:other', String(page.storages.sessionStorage.getItem('licensing-apply#')));
    go('?status=submitted&state=other');
    assert.equal(restoredStatus(), 'no return');
    go('?status=submitted&state=nonce');
    assert.equal(restoredStatus(), 'submitted');
  });

  it('a return does not count after licensing-complete was dispatched, which a reload is told', () => {
    saveRedirectState(left);
    completeRedirectState(host, 'app_2');
    assert.equal(restoreRedirectState(host)?.state.isCompleted, undefined);
    page.storages.localStorage.removeItem('licensing-apply:nonce');
    completeRedirectState(host, 'app_1');
    assert.equal(restoreRedirectState(host)?.state.isCompleted, true);
    go('?status=submitted&state=nonce');
    assert.equal(restoredStatus(), 'no return');
    assert.deepEqual(keys('localStorage'), []);
  });

  for (const [age, status] of [
    [dayMs - 1, 'submitted'],
    [dayMs, 'nothing'],
  ] as const)
    it(`a return ${age} ms after the redirect is restored as "${status}"`, () => {
      saveRedirectState(left);
      mock.timers.tick(age);
      go('?status=submitted&state=nonce');
      assert.equal(restoredStatus(), status);
    });

  const hosts: [what: string, ofState: string, by: typeof host, isRestored: boolean][] = [
    ['the same element, which names no application', 'app_1', host, true],
    ['the same element, which names this application', 'app_1', { id: '', applicationId: 'app_1' }, true],
    ['the same element, if the application was not known', '', { id: '', applicationId: 'app_2' }, true],
    ['the same element, which now names another application', 'app_1', { id: '', applicationId: 'app_2' }, false],
    ['another element', 'app_1', { id: 'second', applicationId: '' }, false],
  ];
  for (const [what, applicationId, by, isRestored] of hosts)
    for (const [query, status] of [
      ['', 'no return'],
      ['?status=submitted&state=nonce', 'submitted'],
    ] as const)
      it(`the state is ${isRestored ? '' : 'not '}restored by ${what}, ${query ? 'on a return' : 'on the page that was left'}`, () => {
        saveRedirectState({ ...left, applicationId });
        go(query);
        assert.equal(restoredStatus(by), isRestored ? status : 'nothing');
      });

  it('two elements of one page keep their own states', () => {
    for (const id of ['one', 'two']) saveRedirectState({ ...left, element: id, applicationId: id, returnNonce: id });
    go('?status=cancelled&state=two');
    assert.equal(restoredStatus({ id: 'one', applicationId: '' }), 'no return');
    assert.equal(restoredStatus({ id: 'two', applicationId: '' }), 'cancelled');
  });

  it('a state without a one-time value stays in its tab, and no return counts', () => {
    saveRedirectState({ ...left, returnNonce: undefined });
    assert.deepEqual(keys('localStorage'), []);
    go('?status=submitted&state=undefined');
    assert.equal(restoredStatus(), 'no return');
  });

  it('expired states of the site are removed with the next redirect, and nothing else', () => {
    saveRedirectState({ ...left, returnNonce: 'old' });
    page.storages.localStorage.setItem('other', 'x');
    mock.timers.tick(dayMs - 1);
    saveRedirectState({ ...left, returnNonce: 'second' });
    assert.deepEqual(keys('localStorage'), ['licensing-apply:old', 'other', 'licensing-apply:second']);
    mock.timers.tick(1);
    saveRedirectState({ ...left, returnNonce: 'third' });
    assert.deepEqual(keys('localStorage'), ['other', 'licensing-apply:second', 'licensing-apply:third']);
  });

  it('a page without storage restores nothing, and throws nothing', () => {
    const forbidden = { get: () => assert.fail('SecurityError') };
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, { ...forbidden, configurable: true });
      Object.defineProperty(globalThis, name, { ...forbidden, configurable: true });
    }
    saveRedirectState(left);
    completeRedirectState(host, 'app_1');
    go('?status=submitted&state=nonce');
    assert.equal(restoreRedirectState(host), undefined);
  });
});
