import { expect, html, waitUntil } from '@open-wc/testing';
import { modesOf } from '../../src/element/modes.js';
import { fakeTimers, type FakeTimers } from './clock.js';
import { focused, has, hosted, hostedOrigin, inState, nextEvent, ofType, part, setup, textOf } from './stage.js';
import { watchWindows, type Windows } from './windows.js';

describe('fallback', function () {
  // Each frame of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  let windows: Windows;
  let clock: FakeTimers | undefined;

  beforeEach(() => {
    windows = watchWindows();
  });

  afterEach(() => {
    clock?.restore();
    clock = undefined;
  });

  it('a blocked popup falls back to the next mode, with licensing-modechange and without an error', async () => {
    windows.block(1);
    const stage = await setup({
      template: html`<licensing-apply mode="popup" fallback="inline modal"></licensing-apply>`,
    });
    const ready = nextEvent(stage, 'licensing-ready');
    expect(await stage.element.show()).to.equal(true);
    await ready;
    const changes = ofType(stage, 'licensing-modechange').map(({ from, to, reason }) => ({ from, to, reason }));
    expect(changes).to.deep.equal([{ from: 'popup', to: 'inline', reason: 'popup_blocked' }]);
    expect(has(stage, '.inline iframe')).to.equal(true);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
    expect(stage.requests).to.have.length(1);
  });

  it("a frame that the page's policy blocks falls back to a popup, which the user opens by a click", async () => {
    const stage = await setup({ template: html`<licensing-apply fallback="popup"></licensing-apply>` });
    // The test continues at once, because a page that sent its hello was not refused.
    await stage.element.show();
    windows.block(1);
    window.dispatchEvent(
      new SecurityPolicyViolationEvent('securitypolicyviolation', {
        blockedURI: hosted(),
        effectiveDirective: 'frame-src',
        violatedDirective: 'frame-src',
        originalPolicy: 'frame-src none',
        documentURI: location.href,
        disposition: 'enforce',
        statusCode: 200,
      }),
    );
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    expect(has(stage, 'iframe')).to.equal(false);
    expect(ofType(stage, 'licensing-modechange')[0]?.reason).to.equal('frame_blocked_by_page');
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'slot[name=blocked] button').click();
    await ready;
  });

  it('a frame in which nothing appears falls back to a popup when the user opens a new window', async () => {
    const stage = await setup({
      template: html`<licensing-apply fallback="popup"></licensing-apply>`,
      session: { applicationUrl: hosted('plain.html') },
    });
    clock = fakeTimers();
    await stage.element.show();
    clock.advance(8_000);
    await waitUntil(() => has(stage, 'footer a'));
    part(stage, 'footer a').click();
    expect(windows.opened).to.have.length(1);
    expect(ofType(stage, 'licensing-modechange')[0]?.reason).to.equal('frame_blocked_by_application');
    await stage.element.updateComplete;
    expect(has(stage, 'dialog')).to.equal(false);
    await inState(stage, 'connecting');
    clock.advance(2_000);
    await inState(stage, 'active');
  });

  it('a frame that loads nothing falls back after 20 seconds', async () => {
    windows.block(1);
    const stage = await setup({
      template: html`<licensing-apply fallback="popup"></licensing-apply>`,
      session: { applicationUrl: `${hostedOrigin}/never` },
    });
    clock = fakeTimers();
    await stage.element.show();
    stage.element.renderRoot.addEventListener('load', (event) => event.stopImmediatePropagation(), true);
    clock.advance(20_000);
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    expect(ofType(stage, 'licensing-modechange')[0]?.reason).to.equal('timeout');
    expect(stage.element.state).to.equal('preparing');
  });
});

describe('modesOf', () => {
  const agents: [where: string, userAgent: string, mode: string][] = [
    [
      'a browser',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156 Safari/537.36',
      'modal',
    ],
    [
      'a phone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1',
      'modal',
    ],
    [
      'an app on Android',
      'Mozilla/5.0 (Linux; Android 16; Pixel; wv) AppleWebKit/537.36 Version/4.0 Safari/537.36',
      'redirect',
    ],
    [
      'an app on iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A1',
      'redirect',
    ],
  ];
  for (const [where, userAgent, mode] of agents) {
    it(`mode="auto" means ${mode} in ${where}`, () => {
      Object.defineProperty(navigator, 'userAgent', { value: userAgent, configurable: true });
      try {
        expect(modesOf({ mode: 'auto', fallback: '' })[0]).to.equal(mode);
      } finally {
        Reflect.deleteProperty(navigator, 'userAgent');
      }
    });
  }

  const cases: [mode: string, fallback: unknown, modes: string[]][] = [
    ['popup', '', ['popup']],
    ['sideways', '', ['modal']],
    ['', '', ['modal']],
    ['auto', '', ['modal', 'popup', 'redirect']],
    ['auto', 'redirect', ['modal', 'redirect']],
    ['popup', 'popup, sideways modal', ['popup', 'modal']],
    ['popup', ['inline', 'modal'], ['popup', 'inline', 'modal']],
  ];
  for (const [mode, fallback, modes] of cases) {
    it(`mode="${mode}" with the fallback ${JSON.stringify(fallback)} tries ${modes.join(', then ')}`, () => {
      expect(modesOf({ mode, fallback: fallback as string })).to.deep.equal(modes);
    });
  }
});

describe('the options of show()', function () {
  this.timeout(15_000);

  it('show() opens in the given mode with the given session, and changes no property', async () => {
    const stage = await setup();
    const session = Promise.resolve({ applicationUrl: hosted(), applicationId: 'app_2' });
    const ready = nextEvent(stage, 'licensing-ready');
    expect(await stage.element.show({ mode: 'inline', session })).to.equal(true);
    await ready;
    expect(stage.requests).to.have.length(0);
    expect(stage.element.snapshot.applicationId).to.equal('app_2');
    expect(has(stage, '.inline')).to.equal(true);
    expect(stage.element.mode).to.equal('modal');
  });

  it('a given session that fails leads to an error whose button goes back to the card', async () => {
    const stage = await setup();
    stage.element.sessionProvider = undefined;
    const session = nextEvent(stage, 'licensing-statechange').then(() => {
      throw new Error('out of order');
    });
    expect(await stage.element.show({ session })).to.equal(false);
    await stage.element.updateComplete;
    part(stage, '[part~=error] button').focus();
    part(stage, '[part~=error] button').click();
    await inState(stage, 'idle');
    await waitUntil(() => focused(stage) === part(stage, '.card button'), 'the focus on the card');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
    expect(textOf(part(stage, '.card button'))).to.equal('Start application');
  });
});

describe('redirect mode', () => {
  it('a user who stays on the page because of unsaved work can open the application again', async function () {
    const { navigation } = window as unknown as { navigation?: EventTarget };
    // Safari has it since 26.2; without it a test cannot stay on its page.
    if (!navigation) return this.skip();
    const stage = await setup({ template: html`<licensing-apply mode="redirect"></licensing-apply>` });
    const destinations: string[] = [];
    const stay = (event: Event) => {
      event.preventDefault();
      destinations.push((event as Event & { destination: { url: string } }).destination.url);
    };
    navigation.addEventListener('navigate', stay);
    for (const times of [1, 2]) {
      part(stage, '.card button').click();
      await waitUntil(() => destinations.length === times);
      await inState(stage, 'connecting');
    }
    navigation.removeEventListener('navigate', stay);
    sessionStorage.clear();
    localStorage.clear();
    expect(destinations.map((url) => url.replace(/#.*/, ''))).to.deep.equal([hosted(), hosted()]);
  });
});
