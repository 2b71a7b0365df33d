import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { LicensingApply } from '../../src/element/index.js';
import { command, focused, has, hosted, inState, nextEvent, ofType, opened, part, setup, textOf } from './stage.js';

describe('the element', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  it('works under a strict policy with trusted types, without one violation', async function () {
    this.timeout(30_000);
    const frame = document.createElement('iframe');
    frame.src = new URL('./fixtures/strict.html', import.meta.url).href;
    const told = new Promise<{ refused: string[]; states: string[] }>((resolve) => {
      window.addEventListener('message', ({ data, source }: MessageEvent<{ refused: string[]; states: string[] }>) => {
        if (source === frame.contentWindow && 'refused' in data) resolve(data);
      });
    });
    document.body.append(frame);
    expect(await told).to.deep.equal({ refused: [], states: ['closed', 'error'] });
    frame.remove();
  });

  it('says that the page itself blocks the frame', async () => {
    const stage = await setup({ session: { applicationUrl: hosted() } });
    await stage.element.show();
    window.dispatchEvent(
      new SecurityPolicyViolationEvent('securitypolicyviolation', {
        blockedURI: new URL(hosted()).origin,
        effectiveDirective: 'frame-src',
        disposition: 'enforce',
        violatedDirective: 'frame-src',
        documentURI: location.href,
        originalPolicy: '',
        statusCode: 200,
      }),
    );
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['frame_blocked_by_page']);
  });

  it('keeps what was set before it was defined', async () => {
    const name = `licensing-apply-late-${String(Date.now())}`;
    const early = document.createElement(name);
    Object.assign(early, { mode: 'inline', sessionUrl: '/sessions' });
    document.body.append(early);
    class Late extends LicensingApply {}
    customElements.define(name, Late);
    if (!(early instanceof Late)) throw new Error('not upgraded');
    await early.updateComplete;
    expect(early.mode).to.equal('inline');
    expect(early.sessionUrl).to.equal('/sessions');
    early.remove();
  });

  it('may be loaded twice', async () => {
    const defined = customElements.get('licensing-apply');
    await import(`../../src/element/define.ts?again=${String(Date.now())}`);
    expect(customElements.get('licensing-apply')).to.equal(defined);
  });

  it('takes any other mode for modal', async () => {
    const stage = await setup({ template: html`<licensing-apply mode="hologram"></licensing-apply>` });
    await opened(stage);
    expect(has(stage, 'dialog')).to.equal(true);
  });

  it('names the states, the fee and the time before anything is opened', async () => {
    const stage = await setup({
      template: html`<licensing-apply states="TX, CA" estimated-fee="235"></licensing-apply>`,
    });
    const text = textOf(part(stage, '.card'));
    expect(text).to.contain('Texas, California').and.contain('$235.00').and.contain('15 minutes');
    await expect(stage.element).to.be.accessible();
  });

  for (const wrong of ['no language', 'C', '-'])
    it(`speaks the language around it when its own is called ${wrong}, which is none`, async () => {
      const around = await fixture(
        html`<div lang="es">
          <licensing-apply locale=${wrong} states="TX" estimated-fee="1235.5"></licensing-apply>
        </div>`,
      );
      const card = around.querySelector('licensing-apply')?.shadowRoot?.querySelector('.card');
      expect(textOf(card!)).to.contain('Solicitud de licencia estatal').and.contain('$1,235.50');
    });

  it('tells of a dialog only where one opens', async () => {
    for (const [mode, kind] of [
      ['modal', 'dialog'],
      ['redirect', 'false'],
    ]) {
      const stage = await setup({ template: html`<licensing-apply mode=${mode}></licensing-apply>` });
      expect(part(stage, '.card button').getAttribute('aria-haspopup')).to.equal(kind);
    }
  });

  it('is accessible when all is ready for the click', async () => {
    const stage = await setup({ template: html`<licensing-apply application-url=${hosted()}></licensing-apply>` });
    part(stage, '.card').dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
    await waitUntil(() => has(stage, '.stage iframe'));
    await expect(stage.element).to.be.accessible();
  });

  it('takes a list of states, as frameworks pass one', async () => {
    const stage = await setup();
    Object.assign(stage.element, { states: ['TX', 'CA'] });
    await stage.element.updateComplete;
    expect(textOf(part(stage, '.card'))).to.contain('Texas, California');
  });

  it('names the states of a session whose backend sends them as a text', async () => {
    const stage = await setup({ session: { states: 'TX,CA' } as object });
    await opened(stage);
    await stage.element.close();
    await stage.element.updateComplete;
    expect(textOf(part(stage, '.card')))
      .to.contain('Texas, California')
      .and.to.contain('Continue application');
  });

  it('is accessible in dark colours', async () => {
    const stage = await setup({ template: html`<licensing-apply theme="dark" states="TX"></licensing-apply>` });
    await expect(stage.element).to.be.accessible();
  });

  it("takes its colours from the page's own variables, whatever they are called", async () => {
    const names = ['accent', 'accent-text', 'surface', 'text', 'muted', 'border', 'danger', 'warning', 'success'];
    const wrapper = await fixture<HTMLElement>(html`<div><licensing-apply></licensing-apply></div>`);
    const element = wrapper.querySelector('licensing-apply');
    for (const name of names) {
      wrapper.style.setProperty(`--${name}`, 'rgb(1, 2, 3)');
      element?.style.setProperty(`--licensing-apply-${name}`, `var(--${name})`);
    }
    const button = element?.shadowRoot?.querySelector('button');
    if (!button) throw new Error('There is no button');
    const { color, backgroundColor } = getComputedStyle(button);
    expect({ color, backgroundColor }).to.deep.equal({ color: 'rgb(1, 2, 3)', backgroundColor: 'rgb(1, 2, 3)' });
  });

  it('speaks Spanish where the page does', async () => {
    const wrapper = await fixture<HTMLElement>(html`<div lang="es-US"><licensing-apply></licensing-apply></div>`);
    const element = wrapper.querySelector('licensing-apply');
    await waitUntil(() => element?.shadowRoot?.textContent.includes('Iniciar solicitud'));
  });

  it('does nothing by itself but show the card', async () => {
    const stage = await setup();
    await stage.element.updateComplete;
    expect(stage.events).to.have.length(0);
    expect(stage.requests).to.have.length(0);
    expect(document.documentElement.getAttribute('style')).to.equal(null);
  });

  it('fires its events through shadow trees, with their types', async () => {
    const stage = await setup();
    let heard = 0;
    document.body.addEventListener('licensing-ready', (event) => (heard += event.protocolVersion), { once: true });
    await opened(stage);
    expect(heard).to.equal(1);
  });
});

describe('inline', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  const template = html`<licensing-apply mode="inline"></licensing-apply>`;

  it('takes the place of the card and gives it back', async () => {
    const stage = await setup({ template });
    const button = part(stage, 'button');
    button.focus();
    await opened(stage);
    expect(has(stage, '.card')).to.equal(false);
    await waitUntil(() => focused(stage)?.localName === 'iframe');
    await expect(stage.element).to.be.accessible();
    await stage.element.close();
    await inState(stage, 'closed');
    await waitUntil(() => focused(stage)?.localName === 'button');
  });

  it('does not take the focus when the page opened it by itself', async () => {
    const stage = await setup({ template });
    await opened(stage);
    expect(focused(stage)).to.equal(null);
    expect(document.documentElement.getAttribute('style')).to.equal(null);
  });

  it('grows with the page, within bounds', async () => {
    const stage = await setup({ template });
    await opened(stage);
    const frame = part<HTMLIFrameElement>(stage, 'iframe');
    await waitUntil(() => frame.style.height !== '', 'a height from the page');
    expect(frame.getBoundingClientRect().height).to.be.within(320, 8_000);
  });

  it('is not closed by Escape', async () => {
    const stage = await setup({ template });
    await opened(stage);
    command(stage, 'requestClose', 'escape');
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    part(stage, '.close').focus();
    await sendKeys({ press: 'Escape' });
    expect(stage.element.state).to.equal('active');
  });

  it('shows the receipt and the statuses together after the submission', async () => {
    const stage = await setup({ template });
    await opened(stage);
    const complete = nextEvent(stage, 'licensing-complete');
    command(stage, 'submitted', { step: 'submitted', index: 6, states: [{ state: 'TX', status: 'pending_review' }] });
    await complete;
    await stage.element.updateComplete;
    expect(has(stage, 'iframe')).to.equal(true);
    expect(textOf(part(stage, 'li'))).to.equal('Texas In review');
  });

  it('keeps two applications apart', async () => {
    const [one, other] = [await setup({ template }), await setup({ template })];
    await opened(one);
    await opened(other);
    command(one, 'update', { step: 'payment', index: 5 });
    await waitUntil(() => one.element.snapshot.index === 5);
    expect(other.element.snapshot.index).to.equal(1);
    expect([...ofType(one, 'licensing-messagerejected'), ...ofType(other, 'licensing-messagerejected')]).to.have.length(
      0,
    );
  });
});
