import { expect, fixture, html } from '@open-wc/testing';
import { LicensingApply } from '../../src/element/index.js';
import { command, has, hosted, opened, part, setup, textOf, waitUntil } from './stage.js';

it('<licensing-apply> keeps the properties that were set before it was defined', async () => {
  const name = `licensing-apply-late-${Date.now()}`;
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

it('<licensing-apply> keeps the first definition when its script is loaded twice', async () => {
  const defined = customElements.get('licensing-apply');
  await import(`../../src/element/define.ts?again=${Date.now()}`);
  expect(customElements.get('licensing-apply')).to.equal(defined);
});

it('<licensing-apply> names the states, the fees and the time on the card, accessibly', async () => {
  const stage = await setup({
    template: html`<licensing-apply states="TX, CA" estimated-fee="235"></licensing-apply>`,
  });
  const text = textOf(part(stage, '.card'));
  expect(text).to.contain('Texas and California').and.contain('$235.00').and.contain('20 minutes');
  await expect(stage.element).to.be.accessible();
  // As frameworks pass a list.
  Object.assign(stage.element, { states: ['OH', 'UT'], mode: 'redirect' });
  expect(part(stage, '.card button').getAttribute('aria-haspopup')).to.equal('dialog');
  await stage.element.updateComplete;
  expect(textOf(part(stage, '.card'))).to.contain('Ohio and Utah');
  expect(part(stage, '.card button').getAttribute('aria-haspopup')).to.equal('false');
});

it('<licensing-apply> uses the language around it when its locale is an invalid tag', async () => {
  const around = await fixture(html`<div lang="es"><licensing-apply locale="no language"></licensing-apply></div>`);
  const element = around.querySelector('licensing-apply')!;
  await element.updateComplete;
  expect(textOf(element.renderRoot.querySelector('.card')!)).to.contain('Solicitud de licencia estatal');
});

it('<licensing-apply> gives the frame the permissions of `allow` in addition to its own', async () => {
  const allowOf = async (template: ReturnType<typeof html>) => {
    const stage = await setup({ template });
    await stage.element.show();
    await waitUntil(() => has(stage, 'iframe'));
    return part<HTMLIFrameElement>(stage, 'iframe').allow;
  };
  const own = await allowOf(html`<licensing-apply></licensing-apply>`);
  expect(own).to.contain('payment').and.not.to.contain('camera');
  const template = html`<licensing-apply mode="inline" allow="camera; microphone"></licensing-apply>`;
  expect(await allowOf(template)).to.equal(`${own}; camera; microphone`);
});

it('<licensing-apply> takes its colors from custom properties of the page, even if those have the same names', async () => {
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

it('<licensing-apply> sends a changed theme to the open page, and to each page that follows it', async () => {
  const stage = await setup({ session: { applicationUrl: `${hosted()}?colors` } });
  // The rest of the language tag must not invalidate the message.
  stage.element.locale = 'en-US-u-hc-h12';
  stage.element.theme = 'light';
  await opened(stage);
  command(stage, 'update', { step: 'identity', index: 2 });
  stage.element.theme = 'dark';
  // The fixture reports a dark theme as unsaved input.
  await waitUntil(() => stage.element.snapshot.dirty && stage.element.snapshot.index === 2, 'the dark theme');
  command(stage, 'go', `${hosted()}?colors`);
  await waitUntil(() => stage.element.snapshot.index === 1, 'the next page');
  await waitUntil(() => stage.element.snapshot.dirty, 'the dark theme of the next page');
});

it('<licensing-apply> dispatches typed events that bubble out of a shadow tree', async () => {
  const stage = await setup();
  const outer = await fixture<HTMLElement>(html`<div></div>`);
  outer.attachShadow({ mode: 'open' }).append(stage.element);
  const versions: number[] = [];
  outer.addEventListener('licensing-ready', (event) => versions.push(event.protocolVersion));
  await opened(stage);
  expect(versions).to.deep.equal([1]);
});

for (const nothing of [null, undefined])
  it(`a property that is set to ${String(nothing)} has no effect`, async () => {
    const element = await fixture<LicensingApply>(
      html`<licensing-apply states="TX" estimated-fee="20" application-id="app_0"></licensing-apply>`,
    );
    const names = ['states', 'estimatedFee', 'applicationId', 'mode', 'fallback', 'locale', 'theme', 'preload'];
    for (const name of names) Reflect.set(element, name, nothing);
    await element.updateComplete;
    const card = textOf(element.renderRoot.querySelector('.card')!);
    expect(card).to.contain('Start application').and.not.to.contain('Texas').and.not.to.contain('$');
    expect(element.snapshot.applicationId).to.equal('');
  });
