import { expect, waitUntil } from '@open-wc/testing';
import type { PartnerSession } from '../../src/contract/index.js';
import { command, hosted, hostedOrigin, makeDirty, ofType, opened, part, setup, textOf, type Stage } from './stage.js';

const newUrl = `${hostedOrigin}/s/${'x'.repeat(43)}`;
const firstEnd = '2098-01-01T00:00:00Z';
const newEnd = '2099-01-01T00:00:00.000Z';

/** Opens a page with unsaved input. `search` selects the page's reaction to another session. */
async function openedDirty(search: string): Promise<Stage> {
  const stage = await setup({ session: { applicationUrl: `${hosted()}?${search}`, expiresAt: firstEnd } });
  await opened(stage);
  await makeDirty(stage, { index: 3 });
  return stage;
}

/** From now on the backend answers with this session. Returns the reason of each request. */
function renewWith({ element }: Stage, session: Partial<PartnerSession>): string[] {
  const reasons: string[] = [];
  element.sessionProvider = ({ reason, applicationId = '' }) => {
    reasons.push(reason);
    return { applicationUrl: newUrl, applicationId, expiresAt: newEnd, ...session };
  };
  return reasons;
}

const windowLink = (stage: Stage) => part<HTMLAnchorElement>(stage, 'a[target=_blank]').href;
const announced = (stage: Stage) => textOf(part(stage, '.container [role=status]'));
const errorCodes = (stage: Stage) => ofType(stage, 'licensing-error').map(({ code }) => code);

describe('the renewal of a session', function () {
  // Each frame of another site starts a process, which is slow on a busy machine.
  this.timeout(15_000);

  for (const [when, report] of [
    ['before the session ends', (stage: Stage) => command(stage, 'sessionExpiring', 300)],
    [
      'after the session ended',
      (stage: Stage) => command(stage, 'error', { code: 'session_expired', recoverable: true }),
    ],
  ] as const)
    it(`a page that accepts the new session ${when} keeps its input, and loads nothing again`, async () => {
      const stage = await openedDirty('takes');
      renewWith(stage, {});
      report(stage);
      // The page reports the accepted session as the time of the last save.
      await waitUntil(() => stage.element.snapshot.savedAt === newEnd);
      await waitUntil(() => windowLink(stage) === newUrl);
      expect(stage.element.snapshot).to.include({ dirty: true, index: 3 });
      expect(stage.element.state).to.equal('active');
      expect(part<HTMLIFrameElement>(stage, 'iframe').src).to.equal(`${hosted()}?takes`);
      expect(announced(stage)).not.to.contain('left');
      expect(ofType(stage, 'licensing-ready')).to.have.length(1);
      expect(errorCodes(stage)).to.deep.equal([]);
    });

  it('a page that declines the new session keeps its own until it is over, and its user is warned', async () => {
    const stage = await openedDirty('declines');
    renewWith(stage, {});
    command(stage, 'sessionExpiring', 300);
    await waitUntil(() => announced(stage).includes('5 minutes left'));
    expect(windowLink(stage)).to.equal(`${hosted()}?declines`);
    expect(stage.element.snapshot.index).to.equal(3);
  });

  it('a page whose session ended and that cannot take the new one is replaced, in the same frame', async () => {
    const stage = await setup();
    await opened(stage);
    const frame = part(stage, 'iframe');
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    stage.element.sessionProvider = ({ applicationId = '' }) => ({ applicationUrl: `${hosted()}?new`, applicationId });
    command(stage, 'error', { code: 'session_expired', recoverable: false });
    await waitUntil(() => stage.element.snapshot.index === 1);
    expect(part(stage, 'iframe')).to.equal(frame);
    expect(windowLink(stage)).to.equal(`${hosted()}?new`);
    expect(ofType(stage, 'licensing-ready')).to.have.length(1);
    expect(errorCodes(stage)).to.deep.equal([]);
  });

  it('a return with status=expired requests one session, though it is received from the frame and the site', async () => {
    const stage = await setup();
    await opened(stage);
    let requests = 0;
    // The provider answers after both were received: the element subscribed before this channel.
    const site = new BroadcastChannel('licensing-apply');
    const received = new Promise((resolve) => site.addEventListener('message', resolve));
    stage.element.sessionProvider = async ({ applicationId = '' }) => {
      requests += 1;
      await received;
      return { applicationUrl: `${hosted()}?new${requests}`, applicationId };
    };
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    const url = new URL('./fixtures/return.html', import.meta.url);
    url.search = new URLSearchParams({ status: 'expired', state: stage.requests[0]?.returnState ?? '' }).toString();
    command(stage, 'go', url.href);
    await waitUntil(() => stage.element.snapshot.index === 1, 'the new page', { timeout: 4_000 });
    site.close();
    expect(requests).to.equal(1);
    expect(errorCodes(stage)).to.deep.equal([]);
  });
});
