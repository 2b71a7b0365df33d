import { expect } from '@open-wc/testing';
import { cleanUp, openStage, origins, puppetOf, puppetUrl, patienceMs, until } from './stage.js';

describe('a popup', function () {
  this.timeout(patienceMs);
  let popup: Window | null = null;

  afterEach(() => {
    cleanUp();
    popup?.close();
  });

  it('is connected with its opener, over a reload, and is gone when it is closed', async () => {
    popup = window.open(puppetUrl(origins.application, [origins.own]), '', 'popup,width=400,height=400');
    const view = popup!;
    const stage = openStage(() => view);
    await until(() => stage.messages.length === 1, 'ready');
    const page = await puppetOf(view);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);

    void page.run(() => {
      location.reload();
    });
    await puppetOf(view, 2);
    await until(() => stage.messages.length === 2, 'ready again');

    const inFlight = stage.end.call('navigateBack', {}, 60_000).catch((error: unknown) => error);
    view.close();
    expect(await inFlight).to.have.property('code', 'disconnected');
    await until(() => !stage.end.connected, 'disconnected');
    expect(stage.rejections).to.deep.equal([]);
    expect(stage.errors).to.deep.equal([]);
  });
});
