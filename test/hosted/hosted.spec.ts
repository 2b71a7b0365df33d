import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { connectHostedPage } from '../../src/hosted/index.js';
import { cleanUp, origins, patienceMs, until } from '../channel/stage.js';
import { clickInput, settled, setup, snapshot } from './connected-page.js';

describe('a hosted page', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('a connected page asks to be scrolled to its top and sends its height and its snapshot', async () => {
    const { messages, frame } = await setup();
    expect(messages.filter(({ type }) => type !== 'resize').slice(0, 2)).to.deep.equal([
      { type: 'scrollTo', payload: { top: 0 } },
      { type: 'ready', payload: { ...snapshot, savedAt: '2026-11-20T12:00:00.000Z' } },
    ]);
    const { height } = messages.find(({ type }) => type === 'resize')?.payload as { height: number };
    expect(height).to.be.greaterThan(10);
    expect(height).to.be.lessThan(frame.clientHeight);
  });

  it('each method of a page sends its message', async () => {
    const stage = await setup();
    await stage.page.run(({ page }) => {
      const actionUrl = `${location.origin}/a/${'x'.repeat(43)}`;
      page?.update({ savedAt: '2026-11-20T12:30:00.000Z' });
      page?.requiresAction({ state: 'CA', actionUrl });
      page?.sessionExpiring(300);
      page?.error({ code: 'payment_declined', recoverable: true });
      page?.submitted({ states: [{ state: 'CA', status: 'pending_review' }] });
      page?.requestClose('done');
    });
    await stage.last('closeRequest');
    const savedAt = '2026-11-20T12:30:00.000Z';
    expect(stage.messages.filter(({ type }) => type !== 'resize').slice(2)).to.deep.equal([
      { type: 'progress', payload: { ...snapshot, savedAt } },
      { type: 'requiresAction', payload: { state: 'CA', actionUrl: `${origins.application}/a/${'x'.repeat(43)}` } },
      { type: 'sessionExpiring', payload: { inSeconds: 300 } },
      { type: 'error', payload: { code: 'payment_declined', recoverable: true } },
      {
        type: 'submitted',
        payload: {
          ...snapshot,
          step: 'submitted',
          index: 6,
          savedAt,
          states: [{ state: 'CA', status: 'pending_review' }],
        },
      },
      { type: 'closeRequest', payload: { by: 'done' } },
    ]);
  });

  it('a page answers the calls of the element', async () => {
    const { end, page, init } = await setup();
    expect((await end.call('confirmClose', {}, 5_000)).savedAt).to.equal('2026-11-20T12:00:00.000Z');
    expect(await end.call('navigateBack', {}, 5_000)).to.deep.equal({ moved: true });
    await end.call('configure', { mode: 'inline', locale: 'es', theme: 'light' }, 5_000);
    expect(await end.call('session', { expiresAt: '2026-11-21T12:00:00.000Z' }, 5_000)).to.deep.equal({});
    const { connects, calls } = await page.run(({ connects, calls }) => ({ connects, calls }));
    expect(connects).to.deep.equal([
      { ...init, locale: 'en-US' },
      { ...init, mode: 'inline', locale: 'es', theme: 'light' },
    ]);
    expect(calls).to.deep.equal([{ type: 'session', payload: { expiresAt: '2026-11-21T12:00:00.000Z' } }]);
  });

  it('a page is offered the link of a renewed session only if it is of the origin of the page', async () => {
    const { end } = await setup();
    for (const [index, origin] of ['https://evil.example', origins.own, origins.application].entries()) {
      const session = { expiresAt: '2026-11-21T12:00:00.000Z', applicationUrl: `${origin}/s/${'x'.repeat(43)}` };
      expect(await end.call('session', session, 5_000)).to.deep.equal({ taken: index === 2 });
    }
  });

  it('a page relays an Escape key that is pressed inside it', async () => {
    const { page, frame, last } = await setup();
    await clickInput(frame, page);
    await sendKeys({ press: 'Escape' });
    expect(await last('closeRequest')).to.deep.equal({ by: 'escape' });
  });

  it('a page does not relay an Escape key that its own content used', async () => {
    const stage = await setup();
    await stage.page.run(() => {
      const press = (target: Element, more: KeyboardEventInit = {}) =>
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...more }));
      const input = document.querySelector('input')!;
      input.addEventListener(
        'keydown',
        (event) => {
          event.preventDefault();
        },
        { once: true },
      );
      press(input);
      press(input, { isComposing: true });
      press(input, { key: 'Enter' });
      const dialog = document.body.appendChild(document.createElement('dialog'));
      dialog.showModal();
      press(dialog);
      dialog.close();
      const popover = document.body.appendChild(document.createElement('div'));
      popover.popover = 'auto';
      popover.showPopover();
      press(document.body);
      popover.hidePopover();
    });
    await settled(stage);
    expect(stage.messages.filter(({ type }) => type === 'closeRequest')).to.deep.equal([]);
  });

  it('a page reports its height when it grows and when it shrinks', async () => {
    const { page, messages } = await setup();
    const heights = () =>
      messages.filter(({ type }) => type === 'resize').map(({ payload }) => (payload as { height: number }).height);
    const heightOf = () => page.run(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
    await page.run(() => {
      document.body.style.minHeight = '1234.5px';
    });
    const tall = await heightOf();
    expect(tall).to.be.greaterThan(1234);
    await until(() => heights().at(-1) === tall, 'taller');
    await page.run(() => {
      document.body.style.minHeight = '';
    });
    const short = await heightOf();
    expect(short).to.be.lessThan(1234);
    await until(() => heights().at(-1) === short, 'as before');
  });

  it('a page reports whether it holds unsaved input, and never the input', async () => {
    const stage = await setup();
    const dirty = () =>
      stage.messages.filter(({ type }) => type === 'dirty').map(({ payload }) => (payload as { dirty: boolean }).dirty);
    await stage.page.run(() => {
      const loose = document.body.appendChild(document.createElement('input'));
      loose.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await settled(stage);
    expect(dirty()).to.deep.equal([]);

    await clickInput(stage.frame, stage.page);
    await sendKeys({ type: '900-11-0001' });
    await until(() => dirty().length === 1, 'dirty');
    expect(dirty()).to.deep.equal([true]);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);

    await stage.page.run(() => {
      const form = document.querySelector('form')!;
      form.addEventListener(
        'submit',
        (event) => {
          event.preventDefault();
        },
        { once: true },
      );
      form.requestSubmit();
    });
    await settled(stage);
    expect(dirty()).to.deep.equal([true]);

    // The input is not on the server yet: only the next document reports that it is.
    await stage.page.run(() => {
      document.querySelector('form')?.requestSubmit();
    });
    await settled(stage);
    expect(dirty()).to.deep.equal([true]);
    await stage.page.run(() => {
      for (const type of ['pagehide', 'pageshow'])
        window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
    });
    await settled(stage);
    expect(dirty()).to.deep.equal([true, false]);
    expect(JSON.stringify(stage.messages)).not.to.contain('900');
  });

  it('the browser asks before a page with unsaved input is left, but not when the page itself sends it', async () => {
    const { page } = await setup();
    const asks = () => page.run(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    const type = () =>
      page.run(() => {
        document.querySelector('input')!.dispatchEvent(new InputEvent('input', { bubbles: true }));
      });
    expect(await asks(), 'at first').to.equal(false);
    await type();
    expect(await asks(), 'with input').to.equal(true);
    await page.run(() => {
      document.querySelector('form')?.requestSubmit();
    });
    expect(await asks(), 'sent').to.equal(false);
    await type();
    expect(await asks(), 'with new input').to.equal(true);
    await page.run(({ page }) => page?.update({ dirty: false }));
    expect(await asks(), 'saved').to.equal(false);
    await page.run(({ page }) => page?.update({ dirty: true }));
    expect(await asks(), 'reported').to.equal(true);
    await page.run(({ page }) => page?.disconnect());
    expect(await asks(), 'disconnected').to.equal(false);
  });

  it('a disconnected page sends nothing', async () => {
    const stage = await setup();
    await stage.page.run(({ page }) => page?.disconnect());
    await until(() => !stage.end.connected, 'disconnected');
    const count = stage.messages.length;
    expect(
      await stage.page.run(({ page, errors }) => {
        page?.update({ index: 4 });
        page?.disconnect();
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
        return { connected: page?.connected, errors };
      }),
    ).to.deep.equal({ connected: false, errors: [] });
    expect(stage.messages).to.have.length(count);
  });

  it('a page that the user opened directly does nothing but to ask before unsaved input is lost', () => {
    const page = connectHostedPage({ allowedOrigins: [origins.own], snapshot });
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    page.update({ index: 4 });
    page.update({ dirty: true });
    expect(asks()).to.equal(true);
    page.submitted();
    expect(asks()).to.equal(false);
    page.requestClose('done');
    page.disconnect();
    expect(page.connected).to.equal(false);
  });

  it('a page keeps its snapshot when an update is refused', async () => {
    const stage = await setup();
    const thrown = await stage.page.run(({ page }) =>
      [{ savedAt: 'yesterday' }, { index: 900_110_001 }, { ssn: '900-11-0001' }].map((change) => {
        try {
          page?.update(change);
          return 'told';
        } catch (error) {
          return (error as Error).name;
        }
      }),
    );
    expect(thrown).to.deep.equal(['TypeError', 'TypeError', 'TypeError']);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('savedAt', '2026-11-20T12:00:00.000Z');
    await stage.page.run(({ page }) => page?.update({ index: 4 }));
    expect(await stage.last('progress')).to.deep.equal({ ...snapshot, index: 4, savedAt: '2026-11-20T12:00:00.000Z' });
  });
});
