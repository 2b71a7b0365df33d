import { expect, html } from '@open-wc/testing';
import { type LicensingBlockedEvent, registerLocale } from '../../src/element/index.js';
import { arabic } from './arabic.js';
import { fakeTimers, type FakeTimers } from './clock.js';
import { has, hosted, inState, nextEvent, ofType, part, setup, textOf, waitUntil, type Stage } from './stage.js';
import { openWithoutProtocol, popupTemplate, watchWindows, type Windows } from './windows.js';

/** A popup is polled every 500 ms, and counts as closed after 1.5 s. */
const closedAfterMs = 2_000;

let windows: Windows;
let clock: FakeTimers;

beforeEach(() => {
  windows = watchWindows();
  clock = fakeTimers();
});

afterEach(() => clock.restore());

/** The partner's return page, opened like the application does. */
function returnUrl(stage: Stage): string {
  const url = new URL('./fixtures/return.html', import.meta.url);
  url.search = new URLSearchParams({ status: 'submitted', state: stage.requests[0]?.returnState ?? '' }).toString();
  return url.href;
}

async function opened(stage: Stage): Promise<void> {
  const ready = nextEvent(stage, 'licensing-ready');
  part(stage, '.card button').click();
  await ready;
  await stage.element.updateComplete;
}

it('the popup opens in the task of the click, while the session is being created', async () => {
  const stage = await setup({ template: popupTemplate });
  let arrive = (_url: string) => {};
  const session = new Promise<string>((resolve) => (arrive = resolve));
  stage.element.sessionProvider = async () => ({ applicationUrl: await session, applicationId: 'app_1' });
  part(stage, '.card button').click();
  expect(windows.opened).to.have.length(1);
  expect(windows.last().document.body.textContent).to.equal('Preparing your application…');
  await inState(stage, 'preparing');
  const ready = nextEvent(stage, 'licensing-ready');
  arrive(hosted());
  await ready;
  expect(stage.element.state).to.equal('active');
  expect(textOf(part(stage, '.container'))).to.contain('Your application is open in its own window.');
  expect(textOf(part(stage, '.container'))).to.contain(new URL(hosted()).host);
  expect(textOf(part(stage, '.container ~ [role=status]'))).to.equal('Your application is open in its own window.');
  await expect(stage.element).to.be.accessible();
});

it('the popup has the language and the direction of the element while it waits for the session', async () => {
  registerLocale('ar', arabic);
  const stage = await setup({ template: html`<licensing-apply mode="popup" locale="ar-EG"></licensing-apply>` });
  part(stage, '.card button').click();
  const { body, documentElement } = windows.last().document;
  expect(body.textContent).to.equal('جارٍ تجهيز طلبك…');
  expect([documentElement.lang, documentElement.dir]).to.deep.equal(['ar-EG', 'rtl']);
});

it('the page shows the progress of the popup, and its close button closes the popup', async () => {
  const stage = await setup({ template: popupTemplate });
  await opened(stage);
  windows.command('update', { step: 'identity', index: 2 });
  await waitUntil(() => textOf(part(stage, '.step')).startsWith('Step 2 of 6'));
  part(stage, '[part~=close]').click();
  const { by, outcome } = await nextEvent(stage, 'licensing-close');
  expect({ by, outcome }).to.deep.equal({ by: 'button', outcome: 'unsubmitted' });
  expect(windows.last().closed).to.equal(true);
  expect(stage.element.state).to.equal('closed');
});

it('a popup that is closed before its page sent anything leaves a card that continues the application', async () => {
  const stage = await setup({ template: popupTemplate, session: { applicationUrl: hosted('plain.html') } });
  expect(await stage.element.show()).to.equal(true);
  windows.last().close();
  clock.advance(closedAfterMs);
  await inState(stage, 'closed');
  expect(stage.element.open).to.equal(false);
  expect(textOf(part(stage, '.card button'))).to.equal('Continue application');
  part(stage, '.card button').click();
  expect(windows.opened).to.have.length(2);
});

it('a popup that is closed while the session is being created cancels the opening', async () => {
  const stage = await setup({ template: popupTemplate });
  stage.element.sessionProvider = () => new Promise(() => {});
  const closed = nextEvent(stage, 'licensing-close');
  void stage.element.show();
  await inState(stage, 'preparing');
  windows.last().close();
  clock.advance(closedAfterMs);
  expect((await closed).by).to.equal('window');
  expect(stage.element.state).to.equal('closed');
});

it('a popup that comes to the return page is closed, and the application is complete', async () => {
  const stage = await setup({ template: popupTemplate });
  await opened(stage);
  const closed = nextEvent(stage, 'licensing-close');
  windows.command('go', returnUrl(stage));
  const { by, outcome } = await closed;
  expect({ by, outcome }).to.deep.equal({ by: 'return', outcome: 'submitted' });
  expect(windows.last().closed).to.equal(true);
  const [complete] = ofType(stage, 'licensing-complete');
  expect({ source: complete?.source, verified: complete?.verified }).to.deep.equal({
    source: 'return',
    verified: false,
  });
});

it('a popup that the user closes can be opened again by the button beside it', async () => {
  const stage = await openWithoutProtocol(clock);
  windows.last().close();
  part(stage, '[part~=body] button').click();
  expect(windows.opened).to.have.length(2);
  clock.advance(closedAfterMs);
  expect(stage.element.open).to.equal(true);
  expect(await stage.element.close()).to.equal(true);
  expect(ofType(stage, 'licensing-close').map(({ outcome }) => outcome)).to.deep.equal(['unknown']);
});

it('licensing-beforeopen is dispatched within show(), before the popup opens, and prevents the opening', async () => {
  const stage = await setup({ template: popupTemplate });
  const windowCounts: number[] = [];
  stage.element.addEventListener('licensing-beforeopen', (event) => {
    windowCounts.push(windows.opened.length);
    event.preventDefault();
  });
  const showing = stage.element.show();
  expect(windowCounts).to.deep.equal([0]);
  expect(await showing).to.equal(false);
  expect([windows.opened.length, stage.requests.length]).to.deep.equal([0, 0]);
  expect([stage.element.state, stage.element.open]).to.deep.equal(['idle', false]);
});

it('a blocked popup falls back to the next mode, with one licensing-beforeopen and without an error', async () => {
  windows.block(1);
  const stage = await setup({
    template: html`<licensing-apply mode="popup" fallback="inline modal"></licensing-apply>`,
  });
  const ready = nextEvent(stage, 'licensing-ready');
  expect(await stage.element.show()).to.equal(true);
  await ready;
  expect(ofType(stage, 'licensing-beforeopen').map(({ mode }) => mode)).to.deep.equal(['popup']);
  const changes = ofType(stage, 'licensing-modechange').map(({ from, to, reason }) => ({ from, to, reason }));
  expect(changes).to.deep.equal([{ from: 'popup', to: 'inline', reason: 'popup_blocked' }]);
  expect(has(stage, '.inline iframe')).to.equal(true);
  expect([stage.requests.length, ofType(stage, 'licensing-error').length]).to.deep.equal([1, 0]);
});

for (const [what, open] of [
  [
    'throws',
    () => {
      throw new TypeError('refused');
    },
  ],
  ['returns an object that is no window', () => ({ closed: false, close() {}, focus() {} }) as unknown as Window],
] as const)
  it(`a window.open that ${what} is a blocked popup: the next mode opens, and so does the next show()`, async () => {
    window.open = open;
    const stage = await setup({ template: html`<licensing-apply mode="popup" fallback="modal"></licensing-apply>` });
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '.card button').click();
    await ready;
    expect(ofType(stage, 'licensing-modechange').map(({ reason }) => reason)).to.deep.equal(['popup_blocked']);
    await stage.element.close({ force: true });
    expect(await stage.element.show({ mode: 'inline' })).to.equal(true);
    await stage.element.close({ force: true });
  });

it('a blocked popup is offered by a button and is no error', async () => {
  windows.block(1);
  const stage = await setup({ template: popupTemplate });
  part(stage, '.card button').click();
  await nextEvent(stage, 'licensing-blocked');
  await waitUntil(() => stage.element.matches(':state(blocked):state(preparing)'));
  expect(textOf(part(stage, '[part~=body]'))).to.contain('blocked the popup');
  await expect(stage.element).to.be.accessible();
  const ready = nextEvent(stage, 'licensing-ready');
  part(stage, 'slot[name=blocked] button').click();
  expect(windows.opened).to.have.length(1);
  await ready;
  await stage.element.updateComplete;
  expect([has(stage, 'slot[name=blocked]'), stage.element.matches(':state(blocked)')]).to.deep.equal([false, false]);
  expect(ofType(stage, 'licensing-error')).to.have.length(0);
});

it('a popup that is blocked when it is opened again is offered by a button', async () => {
  const stage = await openWithoutProtocol(clock);
  windows.last().close();
  windows.block(1);
  part(stage, '[part~=body] button').click();
  await waitUntil(() => has(stage, 'slot[name=blocked]'));
  part(stage, 'slot[name=blocked] button').click();
  await waitUntil(() => !has(stage, 'slot[name=blocked]'));
  expect([windows.opened.length, stage.element.open]).to.deep.equal([2, true]);
});

it('a page that prevents licensing-blocked offers the popup itself by retry(), and can close the opening', async () => {
  windows.block(1);
  const stage = await setup({ template: html`<licensing-apply mode="popup" fallback="modal"></licensing-apply>` });
  let blocked: LicensingBlockedEvent | undefined;
  stage.element.addEventListener('licensing-blocked', (event) => {
    event.preventDefault();
    blocked = event;
  });
  void stage.element.show();
  await waitUntil(() => blocked);
  expect(has(stage, 'slot[name=blocked]')).to.equal(false);
  expect(ofType(stage, 'licensing-modechange')).to.have.length(0);
  const ready = nextEvent(stage, 'licensing-ready');
  blocked?.retry();
  await ready;
  expect(windows.opened).to.have.length(1);
  await stage.element.close({ force: true });
  windows.block(1);
  const showing = stage.element.show();
  await waitUntil(() => stage.element.matches(':state(blocked)'));
  expect(await stage.element.close({ force: true })).to.equal(true);
  expect(await showing).to.equal(false);
  await stage.element.updateComplete;
  expect(stage.element.matches(':state(blocked)')).to.equal(false);
});
