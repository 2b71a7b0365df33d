import { expect } from '@open-wc/testing';
import { fakeTimers, type FakeTimers } from './clock.js';
import {
  command,
  has,
  hosted,
  hostedOrigin,
  inState,
  nextEvent,
  ofType,
  opened,
  part,
  record,
  setup,
  type Stage,
  textOf,
} from './stage.js';

describe('an error while the application loads', function () {
  // Frames of another site start a process each, which is slow on a busy machine.
  this.timeout(15_000);

  let clock: FakeTimers;

  beforeEach(() => {
    clock = fakeTimers();
  });

  afterEach(() => {
    clock.restore();
  });

  it('an error while the application loads does not occur if the host does not support the protocol: its page is shown, with a new window on offer', async () => {
    const stage = await setup({ session: { applicationUrl: hosted('plain.html') } });
    await stage.element.show();
    await loaded(stage);
    clock.advance(2_000);
    await inState(stage, 'active');
    expect(has(stage, '.frame[data-revealed]')).to.equal(true);
    expect(has(stage, 'footer')).to.equal(false);
    clock.advance(6_000);
    await stage.element.updateComplete;
    expect(has(stage, 'footer a[target=_blank]')).to.equal(true);
    expect(await stage.element.close()).to.equal(true);
    expect(ofType(stage, 'licensing-close').map(({ outcome }) => outcome)).to.deep.equal(['unknown']);
    expect([...ofType(stage, 'licensing-ready'), ...ofType(stage, 'licensing-error')]).to.deep.equal([]);
  });

  it('an error while the application loads has the code protocol_mismatch if the versions differ, and the page is shown all the same', async () => {
    const stage = await setup({ session: { applicationUrl: hosted('other-version.html') } });
    const failed = nextEvent(stage, 'licensing-error');
    await stage.element.show();
    await loaded(stage);
    const { code, category, displayMessage, message } = await failed;
    expect(message).to.contain('(page 998,999, element 1)');
    expect({ code, category }).to.deep.equal({ code: 'protocol_mismatch', category: 'integration' });
    expect(displayMessage).to.contain('still works');
    clock.advance(2_000);
    await inState(stage, 'active');
    expect(has(stage, '.frame[data-revealed]')).to.equal(true);
    expect(ofType(stage, 'licensing-messagerejected').map(({ reason }) => reason)).to.deep.equal(['version']);
  });

  it('an error while the application loads has the code timeout if nothing loads within 20 seconds', async () => {
    const stage = await setup({ session: { applicationUrl: `${hostedOrigin}/never` } });
    await stage.element.show();
    // Simulates a server that never answers: the element does not receive the load event.
    const stop = (event: Event) => {
      event.stopImmediatePropagation();
    };
    stage.element.renderRoot.addEventListener('load', stop, true);
    clock.advance(19_000);
    expect(stage.element.state).to.equal('connecting');
    clock.advance(1_000);
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['timeout']);
  });

  it('an error while the application loads has the code frame_blocked_by_page, with the origin only, if the policy of the page blocks the frame', async () => {
    const frame = document.createElement('iframe');
    frame.src = fixtureUrl('refusing.html');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    const element = frame.contentDocument!.querySelector('licensing-apply')!;
    const stage: Stage = { element, events: record(element), requests: [] };
    element.applicationUrl = `${hosted()}?secret=word`;
    const failed = nextEvent(stage, 'licensing-error');
    await element.show();
    const { code, message } = await failed;
    expect(code).to.equal('frame_blocked_by_page');
    expect(message).to.match(
      / Add the origin of the application to frame-src, or set fallback\. \(http:\/\/127[.\d:]+\)$/,
    );
    frame.remove();
  });
});

describe('an error in the open application', function () {
  this.timeout(15_000);

  it('an error in the open application has the code session_expired if the session cannot be renewed, and the retry opens a new one', async () => {
    const stage = await setup();
    await opened(stage);
    command(stage, 'error', { code: 'session_expired', recoverable: false });
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_expired']);
    expect(textOf(part(stage, '[part~=error] button'))).to.equal('Continue application');
    const ready = nextEvent(stage, 'licensing-ready');
    part(stage, '[part~=error] button').click();
    await ready;
    // The session that the renewal created is used, so the retry requests no third one.
    expect(stage.requests.map(({ reason, applicationId }) => ({ reason, applicationId }))).to.deep.equal([
      { reason: 'open', applicationId: undefined },
      { reason: 'expired', applicationId: 'app_1' },
    ]);
    expect(stage.requests[0]?.returnState).not.to.equal(stage.requests[1]?.returnState);
  });
});

function fixtureUrl(name: string): string {
  return new URL(`./fixtures/${name}`, import.meta.url).href;
}

/** Resolves when the page in the frame has loaded. Call it right after `show()`. */
async function loaded(stage: Stage): Promise<void> {
  const frame = part<HTMLIFrameElement>(stage, 'iframe');
  await new Promise<void>((resolve) => {
    frame.addEventListener('load', () => {
      if (!frame.contentDocument) resolve();
    });
  });
}
