import { expect } from '@open-wc/testing';
import { openPageEnd, type PageEndOptions } from '../../src/channel/index.js';
import type { ChannelError } from '../../src/channel/index.js';
import {
  addFrame,
  cleanUp,
  connectedStage,
  openStage,
  origins,
  puppetOf,
  puppetUrl,
  patienceMs,
  until,
} from './stage.js';

/** The code with which a call was rejected. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'answered',
    (error: unknown) => (error as ChannelError).code,
  );
}

describe('a connection', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('brings the page its appearance, and the element the snapshot of the page', async () => {
    const { init, connects, messages, end, page, rejections } = await connectedStage();
    expect(end.connected).to.equal(true);
    expect(connects).to.have.length(1);
    expect(connects[0]?.protocolVersion).to.equal(1);
    // Extensions of the language stay at home.
    expect(await page.run(({ connects }) => connects)).to.deep.equal([init]);
    expect(messages).to.deep.equal([
      { type: 'ready', payload: { step: 'profile', index: 1, count: 6, dirty: false, states: [] } },
    ]);
    expect(rejections).to.deep.equal([]);
  });

  it('waits for an element that comes late', async () => {
    const frame = addFrame(puppetUrl(origins.application, [origins.own]));
    const page = await puppetOf(frame.contentWindow!);
    expect(await page.run(({ end }) => end?.connected)).to.equal(false);
    const stage = openStage(() => frame.contentWindow);
    await until(() => stage.messages.length === 1, 'ready');
    expect(stage.rejections).to.deep.equal([]);
  });

  it('is made with the right one of several allowed origins', async () => {
    const frame = addFrame(puppetUrl(origins.application, [origins.attacker, origins.own]));
    const stage = openStage(() => frame.contentWindow);
    await until(() => stage.messages.length === 1, 'ready');
  });

  it('keeps the order of the messages', async () => {
    const { page, messages } = await connectedStage();
    await page.run(({ end }) => {
      for (let height = 1; height <= 50; height++) end?.send('resize', { height });
      end?.send('closeRequest', { by: 'button' });
    });
    await until(() => messages.at(-1)?.type === 'closeRequest', 'the last message');
    const heights = messages
      .filter(({ type }) => type === 'resize')
      .map(({ payload }) => (payload as { height: number }).height);
    expect(heights).to.deep.equal(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('delivers what was said before it was there: the last snapshot first, the last of every other type', async () => {
    const frame = addFrame(puppetUrl(origins.application, [origins.own]));
    const page = await puppetOf(frame.contentWindow!);
    await page.run(({ end }) => {
      const states = [{ state: 'TX', status: 'pending_review' as const }];
      end?.send('resize', { height: 100 });
      end?.send('resize', { height: 200 });
      end?.send('progress', { step: 'review', index: 6, count: 6, dirty: false, states: [] });
      end?.send('submitted', { step: 'submitted', index: 6, count: 6, dirty: false, states });
    });
    const stage = openStage(() => frame.contentWindow);
    await until(() => stage.messages.length === 3, 'three messages');
    expect(stage.messages.map(({ type }) => type)).to.deep.equal(['ready', 'resize', 'submitted']);
    expect(stage.messages[0]?.payload).to.deep.equal(stage.messages[2]?.payload);
    expect(stage.messages[1]?.payload).to.deep.equal({ height: 200 });
  });

  it('answers calls', async () => {
    const { end, page } = await connectedStage();
    expect(await end.call('confirmClose', {}, 5_000)).to.deep.equal({
      dirty: true,
      savedAt: '2026-11-20T12:00:00.000Z',
    });
    expect(await end.call('configure', { mode: 'inline', locale: 'es', theme: 'light' }, 5_000)).to.deep.equal({});
    expect(await page.run(({ calls }) => calls.at(-1))).to.deep.equal({
      type: 'configure',
      payload: { mode: 'inline', locale: 'es', theme: 'light' },
    });
  });

  it('tells by a code why a call was not answered, and nothing of the other side', async () => {
    const { end, page, errors } = await connectedStage();
    expect(await codeOf(end.call('navigateBack', {}, 50))).to.equal('timeout');
    expect(await codeOf(end.call('session', { expiresAt: 'tomorrow' }, 5_000))).to.equal('refused');
    // The page must not send an answer that has no place for what is in it.
    expect(await codeOf(end.call('session', { expiresAt: '2026-11-21T12:00:00.000Z' }, 5_000))).to.equal('failed');
    const failed = await end
      .call('actionResult', { state: 'TX', outcome: 'opened' }, 5_000)
      .catch((error: unknown) => error);
    expect((failed as ChannelError).code).to.equal('failed');
    expect(String((failed as ChannelError).stack)).not.to.contain('must not cross');
    // What failed in the page is an error of the page.
    expect(await page.run(({ errors }) => errors.join())).to.contain('must not cross');
    end.close();
    expect(await codeOf(end.call('confirmClose', {}, 5_000))).to.equal('not_connected');
    expect(errors).to.deep.equal([]);
  });

  it('survives five reloads, each with an id of its own, and rejects at once what was in flight', async () => {
    const stage = await connectedStage();
    let { page } = stage;
    for (let reload = 1; reload <= 5; reload++) {
      const inFlight = codeOf(stage.end.call('navigateBack', {}, 60_000));
      void page.run(() => {
        location.reload();
      });
      expect(await inFlight).to.equal('disconnected');
      page = await puppetOf(stage.view, reload + 1);
      await until(() => stage.messages.length === reload + 1, 'ready again');
    }
    expect(new Set(stage.connects.map(({ doc }) => doc))).to.have.property('size', 6);
    expect(stage.messages.map(({ type }) => type)).to.deep.equal(Array(6).fill('ready'));
    expect(stage.rejections).to.deep.equal([]);
    expect(stage.errors).to.deep.equal([]);
  });

  it('ends when the page leaves for another site, and is back when the page is', async () => {
    const stage = await connectedStage();
    void stage.page.run((_, url) => {
      location.href = url;
    }, puppetUrl(origins.attacker));
    const foreign = await puppetOf(stage.view, 2);
    await until(() => !stage.end.connected, 'disconnected');
    expect(await codeOf(stage.end.call('confirmClose', {}, 5_000))).to.equal('not_connected');
    void foreign.run(
      (_, url) => {
        location.href = url;
      },
      puppetUrl(origins.application, [origins.own]),
    );
    await until(() => stage.messages.length === 2, 'ready again');
    expect(stage.rejections).to.deep.equal([]);
  });

  it('rejects what was in flight when the frame is removed', async () => {
    const { end, frame } = await connectedStage();
    const inFlight = codeOf(end.call('navigateBack', {}, 60_000));
    frame.remove();
    expect(await inFlight).to.equal('disconnected');
  });

  it('is made again when another element takes over the same document', async () => {
    const { end, frame, page } = await connectedStage();
    const inFlight = codeOf(end.call('navigateBack', {}, 60_000));
    end.close();
    end.close();
    expect(await inFlight).to.equal('disconnected');
    const second = openStage(() => frame.contentWindow);
    await until(() => second.messages.length === 1, 'ready');
    expect(await page.run(({ disconnects }) => disconnects)).to.equal(1);
    expect(second.rejections).to.deep.equal([]);
  });

  it('gives up a document at once when another has taken its place without a word', async () => {
    const stage = await connectedStage();
    const inFlight = codeOf(stage.end.call('navigateBack', {}, 60_000));
    // A document whose process died cannot say that it leaves.
    await stage.page.run(() => {
      parent.postMessage({ ns: 'licensing-apply', t: 'hello', v: [1], doc: 'p'.repeat(32) }, '*');
    });
    expect(await inFlight).to.equal('disconnected');
    expect(stage.rejections).to.deep.equal([]);
  });

  it('is made again when the page comes back from the back/forward cache', async () => {
    const stage = await connectedStage();
    await stage.page.run(() => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    await until(() => !stage.end.connected, 'disconnected');
    await stage.page.run(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await until(() => stage.messages.length === 2, 'ready again');
    expect(stage.connects[0]?.doc).not.to.equal(stage.connects[1]?.doc);
  });

  it('is each element’s own, when there are several on a page', async () => {
    const one = await connectedStage();
    const two = await connectedStage();
    await two.page.run(({ end }) => end?.send('resize', { height: 7 }));
    await until(() => two.messages.length === 2, 'the message');
    expect(one.messages).to.have.length(1);
    // The hellos of one are not forged messages to the other.
    expect([one.rejections, two.rejections]).to.deep.equal([[], []]);
  });

  it('lets no page be opened for anything but exact origins', () => {
    for (const origin of [
      '*',
      'null',
      '',
      'https://apply.example/',
      'https://*.example',
      'HTTPS://apply.example',
      'about:blank',
    ]) {
      const onMessage = () => undefined;
      const handlers = {} as PageEndOptions['handlers'];
      const snapshot: PageEndOptions['snapshot'] = { step: 'profile', index: 1, count: 7, dirty: false, states: [] };
      const options = { target: window, origins: [origin], snapshot, handlers, onConnect: onMessage };
      expect(() => openPageEnd(options), origin).to.throw(TypeError);
    }
  });
});
