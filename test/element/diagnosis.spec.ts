import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { Diagnosis } from '../../src/element/index.js';
import { hosted, hostedOrigin, nextEvent, opened, setup } from './stage.js';
import { watchWindows } from './windows.js';

describe('a diagnosis', function () {
  // Frames of another site start a process each, which takes its time on a busy machine.
  this.timeout(15_000);

  it('tells what happened, when, and where', async () => {
    const windows = watchWindows();
    windows.block(1);
    const stage = await setup({
      template: html`<licensing-apply mode="popup" fallback="inline"></licensing-apply>`,
      session: { applicationUrl: `${hosted()}?secret=word` },
    });
    await opened(stage);
    windows.end();
    await waitUntil(() => stage.element.snapshot.count === 6);
    const rejected = nextEvent(stage, 'licensing-messagerejected');
    window.postMessage({ ns: 'licensing-apply', t: 'hello', v: [1], doc: 'abcdefghijklmnopabcdefghijklmnop' });
    await rejected;
    await stage.element.close({ force: true });
    const diagnosis = await stage.element.diagnose();
    expect(diagnosis).to.include({
      state: 'closed',
      mode: 'popup',
      fallback: 'inline',
      origin: location.origin,
      applicationOrigin: hostedOrigin,
      online: true,
      framed: false,
      userAgent: navigator.userAgent,
    });
    expect(diagnosis.rejected).to.deep.equal({ source: 1 });
    expect(diagnosis.isolated).to.equal(false);
    expect(diagnosis.auto).to.equal('modal');
    const names = diagnosis.timeline.map(({ event, to, reason }) => [event, to, reason].filter(Boolean).join(' '));
    expect(names).to.deep.equal([
      'beforeopen',
      'statechange preparing',
      'blocked',
      'modechange inline popup_blocked',
      'statechange connecting',
      'statechange active',
      'ready',
      'statechange closed',
      'close',
    ]);
    const moments = diagnosis.timeline.map(({ ms }) => ms);
    expect(moments).to.deep.equal([...moments].sort((one, other) => one - other));
    expect(diagnosis.messages['ready']).to.be.within(moments.at(-4) ?? 0, diagnosis.ms);
  });

  it('is plain data without ids, paths or anything that opens an application', async () => {
    const stage = await setup({ session: { applicationUrl: `${hosted()}?secret=word`, statusUrl: '/status/app_1' } });
    await opened(stage);
    const diagnosis = await stage.element.diagnose();
    const text = JSON.stringify(diagnosis);
    expect(JSON.parse(text)).to.deep.equal(structuredClone(diagnosis));
    for (const secret of ['secret', 'word', 'app_1', 'hosted.html', '/status', stage.requests[0]?.returnState ?? ''])
      expect(text).not.to.contain(secret);
  });

  it('names what the policy of the page refused, without its path', async () => {
    // From before the page is there: it speaks once.
    const heard = new Promise<{ diagnosis: Diagnosis; error: string }>((resolve) => {
      addEventListener('message', ({ data }: MessageEvent<{ diagnosis?: Diagnosis; error: string }>) => {
        if (data.diagnosis) resolve({ ...data, diagnosis: data.diagnosis });
      });
    });
    await fixture(
      html`<iframe title="page" src=${new URL('./fixtures/refusing.html', import.meta.url).href}></iframe>`,
    );
    const { diagnosis, error } = await heard;
    expect(Object.keys(diagnosis.refused)).to.deep.equal([`frame-src ${hostedOrigin}`]);
    expect(diagnosis.auto).to.equal('popup');
    expect(error).to.match(/^see .*#error-frame_blocked_by_page$/);
  });

  it('can be had before anything was opened', async () => {
    const stage = await setup();
    const { state, timeline, applicationOrigin } = await stage.element.diagnose();
    expect({ state, timeline, applicationOrigin }).to.deep.equal({
      state: 'idle',
      timeline: [],
      applicationOrigin: '',
    });
  });

  it('does not grow without end', async () => {
    const stage = await setup();
    await stage.element.diagnose();
    for (let count = 0; count < 60; count += 1) {
      stage.element.applicationUrl = `http://apply.example/${String(count)}`;
      stage.element.sessionProvider = undefined;
      await stage.element.show();
    }
    expect((await stage.element.diagnose()).timeline).to.have.length(200);
  });
});
