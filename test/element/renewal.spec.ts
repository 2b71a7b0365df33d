import { expect, waitUntil } from '@open-wc/testing';
import { command, hosted, hostedOrigin, inState, nextEvent, ofType, part, setup, textOf, type Stage } from './stage.js';

describe('another link for the page that is open', function () {
  this.timeout(15_000);

  const renewed = `${hostedOrigin}/s/${'x'.repeat(43)}`;
  const expiresAt = '2099-01-01T00:00:00Z';

  /** A page half filled in, whose partner gives it another link. `does` is what the page does with it. */
  async function atWork(does: string): Promise<Stage> {
    const stage = await setup({
      session: { applicationUrl: `${hosted()}?${does}`, expiresAt: '2098-01-01T00:00:00Z' },
    });
    const ready = nextEvent(stage, 'licensing-ready');
    await stage.element.show();
    await ready;
    command(stage, 'update', { dirty: true, index: 3 });
    await waitUntil(() => stage.element.snapshot.dirty);
    stage.element.sessionProvider = ({ applicationId = '' }) => ({ applicationUrl: renewed, applicationId, expiresAt });
    return stage;
  }

  const wayOut = (stage: Stage) => part<HTMLAnchorElement>(stage, 'a[target=_blank]').href;

  it('is handed to it, and nothing is loaded again', async () => {
    const stage = await atWork('takes');
    command(stage, 'sessionExpiring', 300);
    // The page shows that it took the link as the moment of saving.
    await waitUntil(() => stage.element.snapshot.savedAt === '2099-01-01T00:00:00.000Z');
    await waitUntil(() => wayOut(stage) === renewed);
    expect(stage.element.snapshot).to.include({ dirty: true, index: 3 });
    expect(part<HTMLIFrameElement>(stage, 'iframe').src).to.equal(`${hosted()}?takes`);
    expect(textOf(part(stage, '.surface [role=status]'))).not.to.contain('session');
    expect(ofType(stage, 'licensing-ready')).to.have.length(1);
  });

  it('is handed to it once the session is over, too', async () => {
    const stage = await atWork('takes');
    command(stage, 'error', { code: 'session_expired', recoverable: true });
    await waitUntil(() => wayOut(stage) === renewed);
    expect(stage.element.snapshot).to.include({ dirty: true, index: 3, savedAt: '2099-01-01T00:00:00.000Z' });
    expect(ofType(stage, 'licensing-error')).to.have.length(0);
    expect(stage.element.state).to.equal('active');
  });

  it('is not forced on a page that declines it as long as something is typed there', async () => {
    const stage = await atWork('declines');
    command(stage, 'sessionExpiring', 300);
    await waitUntil(() => textOf(part(stage, '.surface [role=status]')).includes('Minutes left: 5'));
    expect(wayOut(stage)).to.equal(`${hosted()}?declines`);
    command(stage, 'update', { dirty: false });
    await waitUntil(() => !stage.element.snapshot.dirty);
    command(stage, 'sessionExpiring', 150);
    await waitUntil(() => wayOut(stage) === renewed);
  });

  for (const [what, unusable] of [
    ['that is no address', { applicationUrl: '/s/x' }],
    ['whose end is no date', { expiresAt: 'tomorrow' }],
  ] as const)
    it(`${what} ends in words and not in silence`, async () => {
      const stage = await atWork('takes');
      stage.element.sessionProvider = ({ applicationId = '' }) => ({
        ...{ applicationUrl: renewed, applicationId, expiresAt },
        ...unusable,
      });
      command(stage, 'error', { code: 'session_expired', recoverable: true });
      await inState(stage, 'error');
      expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_expired']);
    });

  it('of another site is not gone to', async () => {
    const stage = await atWork('takes');
    stage.element.sessionProvider = ({ applicationId = '' }) => ({
      applicationUrl: `https://elsewhere.example/s/${'x'.repeat(43)}`,
      applicationId,
      expiresAt,
    });
    command(stage, 'error', { code: 'session_expired', recoverable: true });
    await inState(stage, 'error');
    expect(ofType(stage, 'licensing-error').map(({ code }) => code)).to.deep.equal(['session_expired']);
  });
});
