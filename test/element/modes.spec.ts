import { expect, html, waitUntil } from '@open-wc/testing';
import { modesOf } from '../../src/element/mode.js';
import { command, has, hosted, hostedOrigin, inState, nextEvent, ofType, part, setup, textOf } from './stage.js';
import { hurry, watchWindows, type Windows } from './windows.js';

describe('a mode that does not work', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  let windows: Windows;
  const undo: (() => void)[] = [];

  beforeEach(() => {
    windows = watchWindows();
  });

  afterEach(() => {
    windows.end();
    for (const restore of undo.splice(0)) restore();
  });

  it('falls back to the next, and says why', async () => {
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

  it('is a frame that the policy of the page blocks: the window is offered', async () => {
    const stage = await setup({ template: html`<licensing-apply fallback="popup"></licensing-apply>` });
    // At once after that: a page that said hello was not refused.
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

  it('is a frame in which the user sees nothing: the window opens at their click, and is followed', async () => {
    undo.push(hurry(2_000, 8_000));
    const stage = await setup({
      template: html`<licensing-apply fallback="popup"></licensing-apply>`,
      session: { applicationUrl: hosted('plain.html') },
    });
    await stage.element.show();
    await waitUntil(() => has(stage, 'footer a'));
    part(stage, 'footer a').click();
    expect(windows.opened).to.have.length(1);
    expect(ofType(stage, 'licensing-modechange')[0]?.reason).to.equal('frame_blocked_by_application');
    await stage.element.updateComplete;
    expect(has(stage, 'dialog')).to.equal(false);
    await inState(stage, 'active');
  });

  it('is a frame that loads nothing at all', async () => {
    undo.push(hurry(8_000, 20_000));
    windows.block(1);
    const stage = await setup({
      template: html`<licensing-apply fallback="popup"></licensing-apply>`,
      session: { applicationUrl: `${hostedOrigin}/never` },
    });
    await stage.element.show();
    stage.element.renderRoot.addEventListener('load', (event) => event.stopImmediatePropagation(), true);
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    expect(ofType(stage, 'licensing-modechange')[0]?.reason).to.equal('timeout');
    expect(stage.element.state).to.equal('preparing');
  });

  it('fails for good when nothing is left to try', async () => {
    const stage = await setup({ template: html`<licensing-apply fallback="popup"></licensing-apply>` });
    stage.element.sessionProvider = () => Promise.reject(new Error('out of order'));
    expect(await stage.element.show()).to.equal(false);
    expect(ofType(stage, 'licensing-modechange')).to.have.length(0);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
  });
});

describe('auto', () => {
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
    it(`is ${mode} in ${where}`, () => {
      Object.defineProperty(navigator, 'userAgent', { value: userAgent, configurable: true });
      try {
        expect(modesOf({ mode: 'auto', fallback: '' })[0]).to.equal(mode);
      } finally {
        Reflect.deleteProperty(navigator, 'userAgent');
      }
    });
  }

  it('tries what is left by itself, and what the page says instead', () => {
    expect(modesOf({ mode: 'auto', fallback: '' })).to.deep.equal(['modal', 'popup', 'redirect']);
    expect(modesOf({ mode: 'auto', fallback: 'redirect' })).to.deep.equal(['modal', 'redirect']);
    expect(modesOf({ mode: 'popup', fallback: 'popup, sideways modal' })).to.deep.equal(['popup', 'modal']);
    expect(modesOf({ mode: 'popup', fallback: '' })).to.deep.equal(['popup']);
    const list: unknown = ['inline', 'modal'];
    expect(modesOf({ mode: 'popup', fallback: list as string })).to.deep.equal(['popup', 'inline', 'modal']);
  });
});

describe('the mode', function () {
  this.timeout(15_000);

  const modes: [mode: string, opened: string][] = [
    ['inline', 'inline'],
    ['sideways', 'modal'],
    ['', 'modal'],
    // The tests run in a page of their own, in a browser that opens windows.
    ['auto', 'modal'],
  ];
  for (const [mode, expected] of modes) {
    it(`"${mode}" opens as ${expected}`, async () => {
      const stage = await setup({ template: html`<licensing-apply mode=${mode}></licensing-apply>` });
      await stage.element.show();
      expect(ofType(stage, 'licensing-beforeopen').map((event) => event.mode)).to.deep.equal([expected]);
    });
  }

  it('and the session can be given to one opening alone', async () => {
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

  it('and a given session that fails is told as one', async () => {
    const stage = await setup();
    const session = nextEvent(stage, 'licensing-statechange').then(() => {
      throw new Error('out of order');
    });
    expect(await stage.element.show({ session })).to.equal(false);
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_failed']);
  });
});

describe('a redirect that the user declines, for the sake of what they have not saved', () => {
  it('can be asked for again', async function () {
    const { navigation } = window as unknown as { navigation?: EventTarget };
    // Safari has it since 26.2; without it a test cannot stay on its page.
    if (!navigation) return this.skip();
    const stage = await setup({ template: html`<licensing-apply mode="redirect"></licensing-apply>` });
    const went: string[] = [];
    const stay = (event: Event) => {
      event.preventDefault();
      went.push((event as Event & { destination: { url: string } }).destination.url);
    };
    navigation.addEventListener('navigate', stay);
    for (const times of [1, 2]) {
      part(stage, '.card button').click();
      await waitUntil(() => went.length === times);
      await inState(stage, 'connecting');
    }
    navigation.removeEventListener('navigate', stay);
    sessionStorage.clear();
    localStorage.clear();
    expect(went.map((address) => address.replace(/#.*/, ''))).to.deep.equal([hosted(), hosted()]);
  });
});

describe('a step back', function () {
  this.timeout(15_000);

  it('is the hosted page’s to take', async () => {
    const stage = await setup({ session: { applicationUrl: `${hosted()}?back` } });
    expect(await stage.element.navigateBack()).to.equal(false);
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    expect(await stage.element.navigateBack()).to.equal(true);
    await waitUntil(() => stage.element.snapshot.index === 0);
    expect(await stage.element.navigateBack()).to.equal(false);
  });
});

describe('a session that ends while the user is at work', function () {
  this.timeout(15_000);

  const later = '2099-01-01T00:00:00Z';

  it('is renewed without a word, and the page learns its new end', async () => {
    const stage = await setup({
      session: { applicationUrl: `${hosted()}?session`, expiresAt: '2098-01-01T00:00:00Z' },
    });
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    stage.element.sessionProvider = ({ reason, applicationId = '' }) => {
      expect({ reason, applicationId }).to.deep.equal({ reason: 'expired', applicationId: 'app_1' });
      return { applicationUrl: `${hosted()}?session`, applicationId, expiresAt: later };
    };
    command(stage, 'sessionExpiring', 300);
    await waitUntil(() => stage.element.snapshot.savedAt === '2099-01-01T00:00:00.000Z');
    expect(textOf(part(stage, '.surface [role=status]'))).not.to.contain('session');
    expect(stage.element.state).to.equal('active');
  });

  it('goes on at its new address, in the same frame', async () => {
    const stage = await setup();
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    const frame = part(stage, 'iframe');
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    stage.element.sessionProvider = ({ applicationId = '' }) => ({
      applicationUrl: `${hosted()}?renewed`,
      applicationId,
    });
    command(stage, 'error', { code: 'session_expired', recoverable: false });
    await waitUntil(() => stage.element.snapshot.index === 1);
    expect(part(stage, 'iframe')).to.equal(frame);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
    expect(ofType(stage, 'licensing-ready')).to.have.length(1);
  });

  it('does not take unsaved work away as long as it lasts', async () => {
    const stage = await setup();
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    command(stage, 'update', { dirty: true, index: 3 });
    await waitUntil(() => stage.element.snapshot.dirty);
    stage.element.sessionProvider = ({ applicationId = '' }) => ({
      applicationUrl: `${hosted()}?renewed`,
      applicationId,
    });
    command(stage, 'sessionExpiring', 300);
    await waitUntil(() => textOf(part(stage, '.surface [role=status]')).includes('Minutes left: 5'));
    expect(stage.element.snapshot.index).to.equal(3);
  });

  it('says so when the backend only begins another application, and then opens that one', async () => {
    const stage = await setup();
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    let asked = 0;
    stage.element.sessionProvider = () => {
      asked += 1;
      return { applicationUrl: hosted(), applicationId: 'app_2' };
    };
    command(stage, 'sessionExpiring', 60);
    await waitUntil(() => textOf(part(stage, '.surface [role=status]')).includes('Minutes left: 1'));
    expect(stage.element.snapshot.applicationId).to.equal('app_1');
    command(stage, 'error', { code: 'session_expired', recoverable: false });
    await inState(stage, 'error');
    part(stage, '[part~=error] button').click();
    await nextEvent(stage, 'licensing-ready');
    expect(stage.element.snapshot.applicationId).to.equal('app_2');
    expect(asked).to.equal(1);
  });
});
