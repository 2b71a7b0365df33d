import { expect, html } from '@open-wc/testing';
import {
  addCleanup,
  command,
  focused,
  has,
  hosted,
  inState,
  makeDirty,
  nextEvent,
  ofType,
  opened,
  openedWindow,
  part,
  setup,
  textOf,
  waitUntil,
} from './stage.js';

it('a click on a link in the trigger slot opens the modal and does not follow the link', async () => {
  const stage = await setup({
    template: html`<licensing-apply><a slot="trigger" href="#elsewhere">Apply</a></licensing-apply>`,
  });
  const ready = nextEvent(stage, 'licensing-ready');
  stage.element.querySelector('a')?.click();
  await ready;
  expect(location.hash).to.equal('');
});

it('the header of the modal shows the step, the host and a button that opens a new window', async () => {
  const stage = await setup();
  await opened(stage);
  command(stage, 'update', { step: 'background', index: 3 });
  await waitUntil(() => textOf(part(stage, '.step')) === 'Step 3 of 6 · Background questions');
  expect(textOf(part(stage, '.host'))).to.equal(`127.0.0.1:${location.port}`);
  expect(openedWindow(stage)).to.deep.equal([hosted(), '_blank', 'noreferrer']);
  expect(ofType(stage, 'licensing-progress').at(-1)?.snapshot).to.include({ step: 'background', index: 3, count: 6 });
});

it('a lock stands before the host only if the connection is encrypted', async () => {
  for (const [protocol, locks] of [
    ['http:', 0],
    ['https:', 1],
  ] as const) {
    const stage = await setup({ session: { applicationUrl: hosted('refusing.html').replace('http:', protocol) } });
    await stage.element.show();
    await waitUntil(() => has(stage, '.host') && textOf(part(stage, '.host')) !== '');
    expect(part(stage, '.host').querySelectorAll('svg').length, protocol).to.equal(locks);
    await stage.element.close({ force: true });
  }
});

it('a click on the button opens the modal with the focus in its frame, and closing gives the focus back', async () => {
  const stage = await setup();
  const button = part(stage, 'button');
  const ready = nextEvent(stage, 'licensing-ready');
  button.focus();
  button.click();
  expect((await ready).protocolVersion).to.equal(1);
  expect([stage.element.matches(':state(active)'), stage.element.hasAttribute('open')]).to.deep.equal([true, true]);
  const states = ofType(stage, 'licensing-statechange').map(({ to }) => to);
  expect(states).to.deep.equal(['preparing', 'connecting', 'active']);
  expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
  await waitUntil(() => focused(stage)?.localName === 'iframe');
  const frame = part(stage, 'iframe');
  await stage.element.close();
  await waitUntil(() => focused(stage) === button);
  expect([stage.element.state, textOf(button)]).to.deep.equal(['closed', 'Continue application']);
  stage.element.open = true;
  await inState(stage, 'active');
  expect(stage.requests, 'the same session').to.have.length(1);
  expect(part(stage, 'iframe'), 'a new frame').not.to.equal(frame);
});

it('an element that is moved in the document keeps its modal and its application', async () => {
  const stage = await setup();
  await opened(stage);
  const place = document.createElement('div');
  document.body.append(place);
  place.append(stage.element);
  await waitUntil(() => part(stage, 'dialog').matches(':modal'));
  expect(stage.element.state).to.equal('active');
  // The move loads the frame again, so the page is not there at once.
  await waitUntil(() => {
    command(stage, 'update', { step: 'identity', index: 2 });
    return stage.element.snapshot.index === 2;
  });
  await stage.element.close();
  place.remove();
});

it('no attribute and, but in WebKit, no timing of a resource has the link of the application, and the hosted page has no referrer', async () => {
  // Even if the page sends its whole URL to every site.
  const policy = Object.assign(document.createElement('meta'), { name: 'referrer', content: 'unsafe-url' });
  document.head.append(policy);
  addCleanup(() => {
    policy.remove();
  });
  const link = `${hosted()}?word`;
  const stage = await setup({ session: { applicationUrl: link } });
  const before = history.length;
  await opened(stage);
  const attributes = [...stage.element.renderRoot.querySelectorAll('*')].flatMap(({ attributes }) =>
    [...attributes].map(({ value }) => value),
  );
  expect(attributes.filter((value) => value.includes('word'))).to.deep.equal([]);
  const isWebKit = navigator.vendor.startsWith('Apple');
  const timings = performance.getEntriesByType('resource').filter(({ name }) => name.includes('word'));
  // WebKit lists each document of a frame there.
  expect(timings.length).to.equal(isWebKit ? 1 : 0);
  // WebKit counts the step from the empty document, too.
  expect(history.length, 'steps of the Back button').to.equal(isWebKit ? before + 1 : before);
  command(stage, 'reportReferrer');
  await waitUntil(() => stage.element.snapshot.index === 5, 'the referrer');
  expect(stage.element.snapshot.dirty, 'a referrer').to.equal(false);
});

// Firefox reports the empty document of the frame only after the dialog has opened.
const itInTime = navigator.userAgent.includes('Firefox') ? it.skip : it;
itInTime('a known application is on its way when the dialog opens', async () => {
  const stage = await setup();
  const { showModal } = HTMLDialogElement.prototype;
  const isOnItsWay: boolean[] = [];
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    // Set when the frame is sent to the application.
    isOnItsWay.push(this.querySelector('iframe')?.hasAttribute('sandbox') === true);
    showModal.call(this);
  };
  addCleanup(() => (HTMLDialogElement.prototype.showModal = showModal));
  const ready = nextEvent(stage, 'licensing-ready');
  await stage.element.show({ session: { applicationUrl: hosted(), applicationId: 'app_1' } });
  await ready;
  expect(isOnItsWay).to.deep.equal([true]);
});

it('the frame has a sandbox without top navigation', async () => {
  const stage = await setup();
  await opened(stage);
  const frame = part<HTMLIFrameElement>(stage, 'iframe');
  expect(frame.getAttribute('sandbox')).to.include('allow-scripts').and.not.include('top-navigation');
  expect(frame.name).to.equal('');
});

it('the modal and its question before unsaved input is lost are accessible', async () => {
  const stage = await setup();
  await opened(stage);
  await expect(stage.element).to.be.accessible();
  expect(part<HTMLIFrameElement>(stage, 'iframe').title).to.equal('State license application');
  await makeDirty(stage);
  void stage.element.close();
  await waitUntil(() => has(stage, '.question[open]'));
  await expect(stage.element).to.be.accessible();
});

it('a status that was announced in the modal is not announced again after it is closed', async () => {
  const stage = await setup();
  await opened(stage);
  command(stage, 'update', { step: 'identity', index: 2 });
  await waitUntil(() => textOf(part(stage, '.container [role=status]')).startsWith('Step 2'));
  await stage.element.close();
  await stage.element.updateComplete;
  expect(textOf(part(stage, '[role=status]'))).to.equal('');
});

it('an element that is removed from the document closes and lets the page scroll again', async () => {
  const stage = await setup();
  await opened(stage);
  const result = stage.element.whenClosed();
  stage.element.remove();
  expect(await result).to.deep.equal({ outcome: 'unsubmitted', by: 'call' });
  expect([stage.element.state, document.adoptedStyleSheets.length]).to.deep.equal(['closed', 0]);
});

it('show() opens in the given mode with the given session, and changes no property', async () => {
  const stage = await setup();
  const session = Promise.resolve({ applicationUrl: hosted(), applicationId: 'app_2' });
  const ready = nextEvent(stage, 'licensing-ready');
  expect(await stage.element.show({ mode: 'inline', session })).to.equal(true);
  await ready;
  expect(stage.requests).to.have.length(0);
  expect(stage.element.snapshot.applicationId).to.equal('app_2');
  expect([has(stage, '.inline'), stage.element.mode]).to.deep.equal([true, 'modal']);
});

it('a click on the button resumes the application of an earlier visit', async () => {
  const stage = await setup({ template: html`<licensing-apply application-id="app_1"></licensing-apply>` });
  const ready = nextEvent(stage, 'licensing-ready');
  part(stage, 'button').click();
  await ready;
  expect(stage.requests.map(({ reason, applicationId }) => ({ reason, applicationId }))).to.deep.equal([
    { reason: 'resume', applicationId: 'app_1' },
  ]);
});

it('an element that is in no document does not open', async () => {
  const stage = await setup();
  stage.element.remove();
  expect(await stage.element.show()).to.equal(false);
  expect([getComputedStyle(document.documentElement).overflow, stage.element.open, stage.events.length]).to.deep.equal([
    'visible',
    false,
    0,
  ]);
});

for (const state of ['preparing', 'connecting'])
  it(`close() by a listener for the state ${state} leaves nothing behind`, async () => {
    const stage = await setup();
    stage.element.addEventListener('licensing-statechange', ({ to }) => {
      if (to === state) void stage.element.close({ force: true });
    });
    expect(await stage.element.show()).to.equal(false);
    await stage.element.updateComplete;
    expect([
      stage.element.state,
      has(stage, 'dialog'),
      getComputedStyle(document.documentElement).overflow,
    ]).to.deep.equal(['closed', false, 'visible']);
    expect(ofType(stage, 'licensing-close')).to.have.length(1);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
  });

it('an opening that is closed while a slow backend creates the session can be started again', async () => {
  const stage = await setup();
  const { sessionProvider } = stage.element;
  stage.element.sessionProvider = () => new Promise(() => {});
  const showing = stage.element.show();
  await inState(stage, 'preparing');
  await stage.element.close();
  expect(await showing).to.equal(false);
  await stage.element.updateComplete;
  expect(textOf(part(stage, '.card button'))).to.equal('Start application');
  stage.element.sessionProvider = sessionProvider;
  await opened(stage);
});
