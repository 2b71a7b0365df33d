import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { cleanUp, openStage, patienceMs, until } from '../channel/stage.js';
import { clickInput, setup, snapshot } from './connected-page.js';

describe('what a hosted page knows of itself', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('goes on as before after it was told something that cannot be told', async () => {
    const stage = await setup();
    const thrown = await stage.page.run(({ page }) =>
      [{ savedAt: 'yesterday' }, { index: 900_110_001 }, { ssn: '900-11-0001' }].map((change) => {
        try {
          page?.update(change);
          return 'told';
        } catch (error) {
          return (error as Error).name;
        }
      }),
    );
    expect(thrown).to.deep.equal(['TypeError', 'TypeError', 'TypeError']);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('savedAt', '2026-11-20T12:00:00.000Z');
    await stage.page.run(({ page }) => page?.update({ index: 4 }));
    expect(await stage.last('progress')).to.deep.equal({ ...snapshot, index: 4, savedAt: '2026-11-20T12:00:00.000Z' });
  });

  it('still says that input would be lost when it is connected again', async () => {
    const { end, page, frame, last } = await setup();
    await clickInput(frame, page);
    await sendKeys({ type: 'a' });
    expect(await last('dirty')).to.deep.equal({ dirty: true });
    const again = openStage(() => frame.contentWindow);
    end.close();
    await until(() => again.messages.length > 0, 'ready');
    expect(again.messages[0]).to.have.property('type', 'ready');
    expect(again.messages[0]?.payload).to.have.property('dirty', true);
  });
});
