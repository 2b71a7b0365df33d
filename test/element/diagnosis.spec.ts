import { expect, html, waitUntil } from '@open-wc/testing';
import { hosted, hostedOrigin, opened, setup } from './stage.js';
import { watchWindows } from './windows.js';

describe('diagnose()', function () {
  // Frames of another site start a process each, which is slow on a busy machine.
  this.timeout(15_000);

  it('diagnose() resolves with what happened, when, and where', async () => {
    const windows = watchWindows();
    windows.block(1);
    const stage = await setup({ template: html`<licensing-apply mode="popup" fallback="inline"></licensing-apply>` });
    await opened(stage);
    await waitUntil(() => stage.element.snapshot.count === 6);
    await stage.element.close({ force: true });
    const { timeline, messages, rejected, ...rest } = await stage.element.diagnose();
    expect(rest).to.include({
      state: 'closed',
      mode: 'popup',
      origin: location.origin,
      applicationOrigin: hostedOrigin,
      isFramed: false,
      isIsolated: false,
      isOnline: true,
      userAgent: navigator.userAgent,
    });
    expect(timeline.map(({ event }) => event)).to.deep.equal(['preparing', 'connecting', 'active', 'closed']);
    const times = timeline.map(({ ms }) => ms);
    expect(times).to.deep.equal([...times].sort((one, other) => one - other));
    expect(messages['ready']).to.be.within(times[2]!, times[3]!);
    expect(rejected).to.deep.equal({});
  });

  it('diagnose() resolves with plain data without ids, paths or links', async () => {
    const stage = await setup({ session: { applicationUrl: `${hosted()}?secret=word`, statusUrl: '/status/app_1' } });
    await opened(stage);
    const diagnosis = await stage.element.diagnose();
    const text = JSON.stringify(diagnosis);
    expect(JSON.parse(text)).to.deep.equal(diagnosis);
    const { returnState } = stage.requests[0]!;
    for (const secret of ['secret', 'word', 'app_1', 'hosted.html', '/status', returnState])
      expect(text).not.to.contain(secret);
  });

  it('diagnose() resolves before anything was opened', async () => {
    const stage = await setup();
    const { state, timeline, applicationOrigin } = await stage.element.diagnose();
    expect({ state, timeline, applicationOrigin }).to.deep.equal({
      state: 'idle',
      timeline: [],
      applicationOrigin: '',
    });
  });
});
