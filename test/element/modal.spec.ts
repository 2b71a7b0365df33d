import { expect, html, waitUntil } from '@open-wc/testing';
import {
  command,
  focused,
  has,
  hosted,
  inState,
  makeDirty,
  nextEvent,
  ofType,
  opened,
  part,
  setup,
  textOf,
} from './stage.js';

describe('the modal', function () {
  // Each frame of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  it('a click on the button opens the modal, and the element goes through its states', async () => {
    const stage = await setup();
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'button').click();
    const { protocolVersion } = await ready;
    expect(protocolVersion).to.equal(1);
    expect(stage.element.state).to.equal('active');
    expect(stage.element.matches(':state(active)')).to.equal(true);
    expect(stage.element.hasAttribute('open')).to.equal(true);
    expect(ofType(stage, 'licensing-statechange').map(({ to }) => to)).to.deep.equal([
      'preparing',
      'connecting',
      'active',
    ]);
    expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
  });

  it('a click on a link in the trigger slot opens the modal and does not follow the link', async () => {
    const stage = await setup({
      template: html`<licensing-apply><a slot="trigger" href="#elsewhere">Apply</a></licensing-apply>`,
    });
    const ready = nextEvent(stage, 'licensing-ready');
    stage.element.querySelector('a')?.click();
    await ready;
    expect(location.hash).to.equal('');
  });

  it('the open property opens and closes the application', async () => {
    const stage = await setup();
    stage.element.open = true;
    await inState(stage, 'active');
    stage.element.open = false;
    await inState(stage, 'closed');
  });

  it('the header of the modal shows the step, the host and a link to a new window', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'update', { step: 'background', index: 3 });
    await waitUntil(() => textOf(part(stage, '.step')) === 'Step 3 of 6 · Background questions');
    expect(textOf(part(stage, '.host'))).to.equal(`127.0.0.1:${location.port}`);
    const link = part<HTMLAnchorElement>(stage, 'a.window');
    expect(link.href).to.equal(part<HTMLIFrameElement>(stage, 'iframe').src);
    expect(link.rel).to.equal('noreferrer');
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

  it('the focus moves into the frame when the page is ready, and back to the button on close', async () => {
    const stage = await setup();
    const button = part(stage, 'button');
    button.focus();
    await opened(stage);
    await waitUntil(() => focused(stage)?.localName === 'iframe');
    await stage.element.close();
    await waitUntil(() => focused(stage) === button);
    expect(stage.element.state).to.equal('closed');
    expect(textOf(button)).to.equal('Continue application');
  });

  it('a closed application opens again with the same session, in a new frame', async () => {
    const stage = await setup();
    await opened(stage);
    const frame = part(stage, 'iframe');
    await stage.element.close();
    await opened(stage);
    expect(stage.requests).to.have.length(1);
    expect(part(stage, 'iframe')).not.to.equal(frame);
  });

  it('the page cannot scroll until the last of two modals is closed, and keeps its own style', async () => {
    const root = document.documentElement;
    const overflow = () => getComputedStyle(root).overflow;
    // The previous test's element ends a microtask after its removal.
    await waitUntil(() => document.adoptedStyleSheets.length === 0);
    root.style.setProperty('overflow', 'clip');
    const [one, other] = [await setup(), await setup()];
    await opened(one);
    expect(overflow()).to.equal('hidden');
    await opened(other);
    await one.element.close();
    expect(overflow()).to.equal('hidden');
    await other.element.close();
    expect([overflow(), root.getAttribute('style')]).to.deep.equal(['clip', 'overflow: clip;']);
    root.removeAttribute('style');
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

  it('an element that is removed from the document closes and lets the page scroll again', async () => {
    const stage = await setup();
    await opened(stage);
    stage.element.remove();
    await waitUntil(() => stage.element.state === 'closed');
    expect(document.adoptedStyleSheets).to.deep.equal([]);
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

  it('the frame has a sandbox without top navigation, and sends only the origin as referrer', async () => {
    const stage = await setup();
    await opened(stage);
    const frame = part<HTMLIFrameElement>(stage, 'iframe');
    expect(frame.referrerPolicy).to.equal('strict-origin');
    expect(frame.getAttribute('sandbox')).to.include('allow-scripts').and.not.include('top-navigation');
    expect(frame.name).to.equal('');
  });

  it('steps are announced inside the modal, because the rest of the page is inert', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'update', { step: 'payment', index: 5 });
    await waitUntil(() => textOf(part(stage, 'dialog [role=status]')) === 'Step 5 of 6 · Payment');
    const regions = [...stage.element.renderRoot.querySelectorAll('[role=status]')].map(textOf);
    expect(regions).to.deep.equal(['Step 5 of 6 · Payment', '']);
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
});
