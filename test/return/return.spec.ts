import { expect } from '@open-wc/testing';

/** The reports of the return page to the page around it and to other tabs of the site. */
interface Reports {
  frame: HTMLIFrameElement;
  framed: unknown[];
  broadcast: unknown[];
}

const frames: HTMLIFrameElement[] = [];

/** Loads the return page in a frame, and resolves when all its reports were received. */
async function load(query: string): Promise<Reports> {
  const frame = document.createElement('iframe');
  frames.push(frame);
  const channel = new BroadcastChannel('licensing-apply');
  const framed: unknown[] = [];
  const broadcast: unknown[] = [];
  const onMessage = ({ data, source, origin }: MessageEvent<unknown>) => {
    if (source === frame.contentWindow && origin === location.origin) framed.push(data);
  };
  window.addEventListener('message', onMessage);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => broadcast.push(data));
  frame.src = `${new URL('../element/fixtures/return.html', import.meta.url).href}${query}`;
  document.body.append(frame);
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
  });
  // Messages posted during loading are delivered before later ones.
  await new Promise<void>((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      if (data === 'last') resolve();
    });
    post('last');
  });
  window.removeEventListener('message', onMessage);
  channel.close();
  return { frame, framed, broadcast: broadcast.filter((data) => data !== 'last') };
}

/** Sends a message to the other tabs of the site, and to the return page. */
function post(message: unknown): void {
  const channel = new BroadcastChannel('licensing-apply');
  channel.postMessage(message);
  channel.close();
}

afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove();
});

const message = { ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'abc' };

it('the return script reports to the page around it and to the other tabs', async () => {
  const { framed, broadcast } = await load('?page=2&status=submitted&state=abc');
  expect(framed).to.deep.equal([message]);
  expect(broadcast).to.deep.equal([message]);
});

it("the return script ignores the partner's own parameters of the same names, which come first", async () => {
  expect((await load('?status=gold&state=TX&status=submitted&state=abc')).framed).to.deep.equal([message]);
});

it('the return script closes its window only when the element asks for it with the same one-time value', async () => {
  const { frame } = await load('?status=submitted&state=abc');
  const closed = new Promise<string>((resolve) => {
    frame.contentWindow!.close = () => {
      resolve(last);
    };
  });
  let last = '';
  for (const answer of [null, message, { ...message, t: 'close', state: 'of another session' }]) {
    last = JSON.stringify(answer);
    post(answer);
    await received(frame);
  }
  const close = { ns: 'licensing-apply', t: 'close', state: 'abc' };
  last = 'close';
  post(close);
  expect(await closed).to.equal('close');
});

for (const query of [
  '',
  '?status=submitted',
  '?state=abc',
  '?status=&state=abc',
  '?status=submitted&state=abc&status=',
]) {
  it(`the return script reports nothing on ${query || 'a page without a query'}`, async () => {
    const { framed, broadcast } = await load(query);
    expect({ framed, broadcast }).to.deep.equal({ framed: [], broadcast: [] });
  });
}

/** Resolves when the frame has received all earlier messages. */
function received({ contentWindow }: HTMLIFrameElement): Promise<void> {
  const { BroadcastChannel: Channel } = contentWindow as Window & typeof globalThis;
  const channel = new Channel('licensing-apply');
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data !== 'received') return;
      channel.close();
      resolve();
    });
    post('received');
  });
}
