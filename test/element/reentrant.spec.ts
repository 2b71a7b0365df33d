import { expect, fixture, html } from '@open-wc/testing';
import type { LicensingApply } from '../../src/element/index.js';
import { held, removeHeld } from './held.js';
import { has, inState, ofType, opened, part, setup, textOf } from './stage.js';
import { watchWindows } from './windows.js';

const overflow = () => getComputedStyle(document.documentElement).overflow;

describe('show() and close() at the same time', function () {
  // Each frame of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  afterEach(removeHeld);

  it('an element that is removed while the code is loading does not lock the page', async () => {
    const stage = await held();
    const showing = stage.element.show();
    stage.element.remove();
    stage.arrive();
    expect(await showing).to.equal(false);
    expect(stage.page.getComputedStyle(stage.page.document.documentElement).overflow).not.to.equal('hidden');
  });

  it('an element that is in no document does not open', async () => {
    const stage = await setup();
    stage.element.remove();
    expect(await stage.element.show()).to.equal(false);
    expect([overflow(), stage.element.open, stage.events.length]).to.deep.equal(['visible', false, 0]);
  });

  for (const state of ['preparing', 'connecting'])
    it(`close() by a listener for the state ${state} leaves nothing behind`, async () => {
      const stage = await setup();
      stage.element.addEventListener('licensing-statechange', ({ to }) => {
        if (to === state) void stage.element.close({ force: true });
      });
      expect(await stage.element.show()).to.equal(false);
      await stage.element.updateComplete;
      expect([stage.element.state, has(stage, 'dialog'), overflow()]).to.deep.equal(['closed', false, 'visible']);
      expect(ofType(stage, 'licensing-close')).to.have.length(1);
      expect(ofType(stage, 'licensing-error')).to.have.length(0);
    });

  it('close() by a listener for licensing-modechange is no error', async () => {
    const windows = watchWindows();
    windows.block(1);
    const stage = await setup({ template: html`<licensing-apply mode="popup" fallback="modal"></licensing-apply>` });
    stage.element.addEventListener('licensing-modechange', () => void stage.element.close({ force: true }));
    expect(await stage.element.show()).to.equal(false);
    await stage.element.updateComplete;
    expect([stage.element.state, has(stage, 'dialog'), overflow()]).to.deep.equal(['closed', false, 'visible']);
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
});

describe('properties that a framework sets to nothing', function () {
  this.timeout(15_000);

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

  it('an attribute that is no number or that is removed leaves no trace on the card', async () => {
    const element = await fixture<LicensingApply>(
      html`<licensing-apply states="TX" estimated-fee="much" application-id="app_0"></licensing-apply>`,
    );
    for (const name of ['states', 'application-id', 'mode']) element.removeAttribute(name);
    await element.updateComplete;
    expect(textOf(element.renderRoot.querySelector('.card')!)).not.to.contain('NaN');
    element.removeAttribute('estimated-fee');
    await element.updateComplete;
    expect(textOf(element.renderRoot.querySelector('.card')!))
      .to.contain('Start application')
      .and.not.to.contain('$');
  });
});
