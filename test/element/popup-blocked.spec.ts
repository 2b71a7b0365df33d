import { expect, html, waitUntil } from '@open-wc/testing';
import type { LicensingBlockedEvent } from '../../src/element/index.js';
import { fakeTimers, type FakeTimers } from './clock.js';
import { has, nextEvent, ofType, part, setup, textOf } from './stage.js';
import { openWithoutProtocol, popupTemplate, watchWindows, type Windows } from './windows.js';

describe('a blocked popup', function () {
  // Each window of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  let windows: Windows;
  let clock: FakeTimers;

  beforeEach(() => {
    windows = watchWindows();
    clock = fakeTimers();
  });

  afterEach(() => clock.restore());

  it('a blocked popup is offered by a button and is no error', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    part(stage, '.card button').click();
    await nextEvent(stage, 'licensing-blocked');
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    expect(stage.element.state).to.equal('preparing');
    expect(textOf(part(stage, '[part~=body]'))).to.contain('blocked the popup');
    await expect(stage.element).to.be.accessible();
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, 'slot[name=blocked] button').click();
    expect(windows.opened).to.have.length(1);
    await ready;
    expect(has(stage, 'slot[name=blocked]')).to.equal(false);
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
  });

  it('the element has the custom state blocked as long as the popup is blocked', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    expect(stage.element.matches(':state(idle)')).to.equal(true);
    const blocked = nextEvent(stage, 'licensing-blocked');
    part(stage, '.card button').click();
    const { retry } = await blocked;
    await waitUntil(() => stage.element.matches(':state(blocked):state(preparing)'));
    const ready = nextEvent(stage, 'licensing-ready');
    retry();
    await ready;
    await stage.element.updateComplete;
    expect(stage.element.matches(':state(blocked)')).to.equal(false);
  });

  it('the custom state blocked ends when a blocked opening is closed', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    stage.element.addEventListener('licensing-blocked', (event) => {
      event.preventDefault();
    });
    void stage.element.show();
    await waitUntil(() => stage.element.matches(':state(blocked)'));
    await stage.element.close({ force: true });
    await stage.element.updateComplete;
    expect(stage.element.matches(':state(blocked)')).to.equal(false);
  });

  it('a popup that is blocked when it is opened again is offered by a button', async () => {
    const stage = await openWithoutProtocol(clock);
    windows.last().close();
    windows.block(1);
    part(stage, '[part~=body] button').click();
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    part(stage, 'slot[name=blocked] button').click();
    await waitUntil(() => !has(stage, 'slot[name=blocked]'));
    expect(windows.opened).to.have.length(2);
    expect(stage.element.open).to.equal(true);
  });

  it('an opening whose popup stays blocked can be closed', async () => {
    windows.block(1);
    const stage = await setup({ template: popupTemplate });
    const showing = stage.element.show();
    await nextEvent(stage, 'licensing-blocked');
    await waitUntil(() => has(stage, 'slot[name=blocked]'));
    part(stage, '[part~=close]').click();
    expect(await showing).to.equal(false);
    expect(stage.element.state).to.equal('closed');
  });

  it('a page that prevents licensing-blocked offers the popup itself by retry()', async () => {
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
  });
});
