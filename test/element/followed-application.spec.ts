import { expect, html, waitUntil } from '@open-wc/testing';
import { fakeTimers } from './clock.js';
import { addCleanup, has, inState, nextEvent, opened, part, setup } from './stage.js';
import { requiring, serve } from './status-server.js';

describe('a followed application', function () {
  // Each frame of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  it('an application-id that is set later is followed, and so is another one after it', async () => {
    const requests = serve((url) => Response.json({ ...requiring, applicationId: url.slice(1) }));
    const stage = await setup();
    stage.element.setAttribute('status-url', '/app_1');
    stage.element.applicationId = 'app_1';
    await inState(stage, 'awaiting-action');
    expect(stage.element.snapshot.applicationId).to.equal('app_1');
    Object.assign(stage.element, { applicationId: 'app_2', statusUrl: '/app_2' });
    await waitUntil(() => requests.includes('/app_2') && stage.element.state === 'awaiting-action');
    expect(stage.element.snapshot).to.deep.include({ applicationId: 'app_2', submitted: true });
    stage.element.applicationId = '';
    await inState(stage, 'idle');
    expect(stage.element.snapshot.states).to.have.length(0);
    expect(has(stage, 'li')).to.equal(false);
  });

  it('an application-id that is set while another application is open takes effect when that one is closed', async () => {
    serve(() => Response.json({ ...requiring, applicationId: 'app_2' }));
    const stage = await setup();
    await opened(stage);
    Object.assign(stage.element, { applicationId: 'app_2', statusUrl: '/status' });
    await stage.element.updateComplete;
    expect(stage.element.state).to.equal('active');
    expect(stage.element.snapshot.applicationId).to.equal('app_1');
    await stage.element.close();
    await inState(stage, 'awaiting-action');
    expect(stage.element.snapshot.applicationId).to.equal('app_2');
  });

  it('an element that is removed while an application is open requests the status no more', async () => {
    const clock = fakeTimers();
    addCleanup(clock.restore);
    const requests = serve(() => Response.json(requiring));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await inState(stage, 'awaiting-action');
    part(stage, '[part=action-button]').click();
    await nextEvent(stage, 'licensing-ready');
    stage.element.remove();
    await inState(stage, 'awaiting-action');
    const before = requests.length;
    clock.advance(120_000);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(requests.length).to.equal(before);
  });

  it('an element that is removed and inserted again requests the status again', async () => {
    let requests = 0;
    serve(() => (++requests, new Response('', { status: 503 })));
    const stage = await setup({
      template: html`<licensing-apply application-id="app_1" status-url="/status"></licensing-apply>`,
    });
    await waitUntil(() => requests === 1);
    const { parentElement } = stage.element;
    stage.element.remove();
    await Promise.resolve();
    parentElement?.append(stage.element);
    await waitUntil(() => requests === 2);
  });
});
