import { expect } from '@open-wc/testing';
import {
  command,
  hosted,
  hostedOrigin,
  makeDirty,
  ofType,
  opened,
  openedWindow,
  part,
  setup,
  textOf,
  waitUntil,
  type Stage,
} from './stage.js';

const newUrl = `${hostedOrigin}/s/${'x'.repeat(43)}`;
const newEnd = '2099-01-01T00:00:00.000Z';

const windowUrl = (stage: Stage) => openedWindow(stage)[0];
const announced = (stage: Stage) => textOf(part(stage, '.container [role=status]'));
const errorCodes = (stage: Stage) => ofType(stage, 'licensing-error').map(({ code }) => code);

describe('the renewal of a session', () => {
  it('a page that accepts the new session keeps its input, and loads nothing again', async () => {
    const session = { applicationUrl: `${hosted()}?takes`, expiresAt: '2098-01-01T00:00:00Z' };
    const stage = await setup({ session });
    await opened(stage);
    await makeDirty(stage, { index: 3 });
    stage.element.sessionProvider = ({ applicationId = '' }) => ({
      applicationUrl: newUrl,
      applicationId,
      expiresAt: newEnd,
    });
    command(stage, 'sessionExpiring', 300);
    // The page reports the accepted session as the time of the last save.
    await waitUntil(() => stage.element.snapshot.savedAt === newEnd);
    await waitUntil(() => windowUrl(stage) === newUrl);
    expect(stage.element.snapshot).to.include({ dirty: true, index: 3 });
    expect(stage.element.state).to.equal('active');
    expect(announced(stage)).not.to.contain('left');
    expect(ofType(stage, 'licensing-ready')).to.have.length(1);
    expect(errorCodes(stage)).to.deep.equal([]);
  });

  it('a page whose session ended and that cannot take the new one is replaced, in the same frame', async () => {
    const stage = await setup();
    await opened(stage);
    const frame = part(stage, 'iframe');
    command(stage, 'update', { step: 'identity', index: 2 });
    await waitUntil(() => stage.element.snapshot.index === 2);
    stage.element.sessionProvider = ({ applicationId = '' }) => ({ applicationUrl: `${hosted()}?new`, applicationId });
    command(stage, 'error', { code: 'session_expired', recoverable: false });
    // The page of another site is loaded again.
    await waitUntil(() => stage.element.snapshot.index === 1, 'the new page');
    expect(part(stage, 'iframe')).to.equal(frame);
    expect(windowUrl(stage)).to.equal(`${hosted()}?new`);
    expect(ofType(stage, 'licensing-ready')).to.have.length(1);
    expect(errorCodes(stage)).to.deep.equal([]);
  });
});
