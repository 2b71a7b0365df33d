import { expect, html, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  command,
  focused,
  has,
  hosted,
  inState,
  nextEvent,
  ofType,
  opened,
  part,
  setup,
  textOf,
  type Stage,
} from './stage.js';

/** Tells the hosted page that it has unsaved input, and waits until the element knows. */
async function makeDirty(stage: Stage): Promise<void> {
  command(stage, 'update', { dirty: true, savedAt: '2026-11-20T14:02:00Z' });
  await waitUntil(() => stage.element.snapshot.dirty);
}

async function questionOf(stage: Stage): Promise<HTMLDialogElement> {
  await waitUntil(() => has(stage, '.question[open]'), 'the question');
  return part<HTMLDialogElement>(stage, '.question');
}

describe('the modal', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  it('opens by a click on the button and goes through its states', async () => {
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

  it('shows the title, the step, the host and a real link to a new window', async () => {
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

  it('shows a lock before the host only where the connection is encrypted', async () => {
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

  it('moves the focus into the frame when the page is ready and back to the button on close', async () => {
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

  it('closes by Escape while the focus is outside of the frame', async () => {
    const stage = await setup();
    await opened(stage);
    part(stage, '.close').focus();
    await sendKeys({ press: 'Escape' });
    await inState(stage, 'closed');
    expect(ofType(stage, 'licensing-close').map(({ by, outcome }) => ({ by, outcome }))).to.deep.equal([
      { by: 'escape', outcome: 'unknown' },
    ]);
  });

  it('closes by Escape while the focus is inside of the frame', async () => {
    const stage = await setup();
    await opened(stage);
    await waitUntil(() => focused(stage)?.localName === 'iframe');
    await sendKeys({ press: 'Escape' });
    await inState(stage, 'closed');
    expect(ofType(stage, 'licensing-beforeclose').map(({ by }) => by)).to.deep.equal(['escape']);
  });

  it('does not close when the event before it is prevented', async () => {
    const stage = await setup();
    await opened(stage);
    stage.element.addEventListener('licensing-beforeclose', (event) => event.preventDefault(), { once: true });
    expect(await stage.element.close()).to.equal(false);
    expect(stage.element.state).to.equal('active');
    expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
    expect(await stage.element.close()).to.equal(true);
  });

  it('does not open when the event before it is prevented', async () => {
    const stage = await setup();
    stage.element.addEventListener('licensing-beforeopen', (event) => event.preventDefault());
    expect(await stage.element.show()).to.equal(false);
    expect(stage.element.state).to.equal('idle');
    expect(stage.requests).to.have.length(0);
  });

  it('asks before it throws unsaved work away, and stays when the user wants to', async () => {
    const stage = await setup();
    await opened(stage);
    await makeDirty(stage);
    const closed = stage.element.close();
    const question = await questionOf(stage);
    expect(question.matches(':modal')).to.equal(true);
    expect(textOf(question)).to.match(/^Leave without saving this page\? .* saved at \d/);
    expect(ofType(stage, 'licensing-beforeclose').map(({ dirty }) => dirty)).to.deep.equal([true]);
    part(stage, '.question button').click();
    expect(await closed).to.equal(false);
    await stage.element.updateComplete;
    expect(has(stage, '.question')).to.equal(false);
    expect(stage.element.state).to.equal('active');
  });

  it('takes Escape at the question for staying, and asks again the next time', async () => {
    const stage = await setup();
    await opened(stage);
    await makeDirty(stage);
    for (const round of [1, 2, 3]) {
      const closed = stage.element.close();
      await questionOf(stage);
      await sendKeys({ press: 'Escape' });
      expect(await closed, `round ${String(round)}`).to.equal(false);
    }
    expect(part(stage, 'dialog').matches(':modal')).to.equal(true);
  });

  it('gives the focus back to the frame that the user had gone into when they stay', async () => {
    const stage = await setup();
    await opened(stage);
    await makeDirty(stage);
    // The first key may still go to the process of the frame, which had the focus.
    const goIntoFrame = async () => {
      part(stage, '.close').focus();
      await sendKeys({ press: 'Tab' });
      return focused(stage)?.localName === 'iframe';
    };
    await waitUntil(goIntoFrame, 'the frame');
    const closed = stage.element.close();
    await questionOf(stage);
    await sendKeys({ press: 'Escape' });
    expect(await closed).to.equal(false);
    await waitUntil(() => !has(stage, '.question'));
    expect(focused(stage)?.localName).to.equal('iframe');
  });

  it('leaves when the user says so', async () => {
    const stage = await setup();
    await opened(stage);
    await makeDirty(stage);
    part(stage, '.close').click();
    await questionOf(stage);
    part(stage, '.question button:last-child').click();
    await inState(stage, 'closed');
    expect(ofType(stage, 'licensing-close').map(({ by }) => by)).to.deep.equal(['button']);
    expect(stage.element.snapshot.dirty, 'nothing is unsaved any more').to.equal(false);
  });

  it('closes without a question when it is forced to, also while one is open', async () => {
    const stage = await setup();
    await opened(stage);
    await makeDirty(stage);
    const asked = stage.element.close();
    await questionOf(stage);
    expect(await stage.element.close({ force: true })).to.equal(true);
    expect(await asked).to.equal(true);
    expect(stage.element.state).to.equal('closed');
    expect(ofType(stage, 'licensing-close')).to.have.length(1);
  });

  it('opens and closes by its attribute', async () => {
    const stage = await setup();
    stage.element.open = true;
    await inState(stage, 'active');
    stage.element.open = false;
    await inState(stage, 'closed');
  });

  it('uses the session again after closing', async () => {
    const stage = await setup();
    await opened(stage);
    const [first] = [part<HTMLIFrameElement>(stage, 'iframe')];
    await stage.element.close();
    await opened(stage);
    expect(stage.requests).to.have.length(1);
    expect(part(stage, 'iframe')).not.to.equal(first);
  });

  it('keeps the page from scrolling, and gives back exactly what was there with two open', async () => {
    const root = document.documentElement;
    const overflow = () => getComputedStyle(root).overflow;
    // The element of the test before ends a microtask after its removal.
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

  it('is still modal, with its application, after it was moved in the document', async () => {
    const stage = await setup();
    await opened(stage);
    const again = nextEvent(stage, 'licensing-statechange');
    const place = document.createElement('div');
    document.body.append(place);
    place.append(stage.element);
    await waitUntil(() => part(stage, 'dialog').matches(':modal'));
    expect(stage.element.state).to.equal('active');
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => {
      command(stage, 'update', { step: 'identity', index: 2 });
      return stage.element.snapshot.index === 2;
    });
    await stage.element.close();
    await again;
    place.remove();
  });

  it('ends when the element leaves the document, and gives the page its scrolling back', async () => {
    const stage = await setup();
    await opened(stage);
    stage.element.remove();
    await waitUntil(() => stage.element.state === 'closed');
    expect(document.adoptedStyleSheets).to.deep.equal([]);
  });

  it('is accessible, open and while it asks', async () => {
    const stage = await setup();
    await opened(stage);
    await expect(stage.element).to.be.accessible();
    expect(part<HTMLIFrameElement>(stage, 'iframe').title).to.equal('State license application');
    await makeDirty(stage);
    void stage.element.close();
    await questionOf(stage);
    await expect(stage.element).to.be.accessible();
  });

  it('frames the page as strictly as it can work', async () => {
    const stage = await setup();
    await opened(stage);
    const frame = part<HTMLIFrameElement>(stage, 'iframe');
    expect(frame.referrerPolicy).to.equal('strict-origin');
    expect(frame.getAttribute('sandbox')).to.include('allow-scripts').and.not.include('top-navigation');
    expect(frame.name).to.equal('');
  });

  it('announces the steps inside of the modal, where they are heard', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'update', { step: 'payment', index: 5 });
    await waitUntil(() => textOf(part(stage, 'dialog [role=status]')) === 'Step 5 of 6 · Payment');
    const regions = [...stage.element.renderRoot.querySelectorAll('[role=status]')].map(textOf);
    expect(regions).to.deep.equal(['Step 5 of 6 · Payment', '']);
  });

  it('opens from what is in the slot, a link too', async () => {
    const stage = await setup({
      template: html`<licensing-apply><a slot="trigger" href="#elsewhere">Apply</a></licensing-apply>`,
    });
    const ready = nextEvent(stage, 'licensing-ready');
    stage.element.querySelector('a')?.click();
    await ready;
    expect(location.hash).to.equal('');
  });
});
