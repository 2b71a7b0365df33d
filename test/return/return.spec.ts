import { expect } from '@open-wc/testing';

/** What the return page told the page around it and the other tabs of the site, until it says that it is there. */
async function returned(query: string): Promise<{ framed: unknown[]; broadcast: unknown[] }> {
  const frame = document.createElement('iframe');
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
  // What was posted during loading is delivered before what is posted now.
  await new Promise<void>((resolve) => {
    const last = new BroadcastChannel('licensing-apply');
    channel.addEventListener('message', ({ data }) => {
      if (data === 'last') resolve();
    });
    last.postMessage('last');
  });
  window.removeEventListener('message', onMessage);
  channel.close();
  frame.remove();
  return { framed, broadcast: broadcast.filter((data) => data !== 'last') };
}

describe('the return script', () => {
  it('tells the page around it and the other tabs', async () => {
    const message = { ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'abc' };
    const { framed, broadcast } = await returned('?page=2&status=submitted&state=abc');
    expect(framed).to.deep.equal([message]);
    expect(broadcast).to.deep.equal([message]);
    // The address of the partner may have such words of its own, and what is added stands behind them.
    expect((await returned('?status=gold&state=TX&status=submitted&state=abc')).framed).to.deep.equal([message]);
  });

  for (const query of [
    '',
    '?status=submitted',
    '?state=abc',
    '?status=&state=abc',
    '?status=submitted&state=abc&status=',
  ]) {
    it(`says nothing for ${query || 'a page without a query'}`, async () => {
      expect(await returned(query)).to.deep.equal({ framed: [], broadcast: [] });
    });
  }
});
