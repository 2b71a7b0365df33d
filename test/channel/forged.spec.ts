import { expect } from '@open-wc/testing';
import { garbage, malformedWindowMessages } from './garbage.js';
import {
  addFrame,
  cleanUp,
  connectedStage,
  expectRejection,
  openStage,
  origins,
  puppetOf,
  puppetUrl,
  type Stage,
  patienceMs,
  until,
} from './stage.js';

const doc = 'abcdefghijklmnopabcdefghijklmnop';
const hello = { ns: 'licensing-apply', t: 'hello', v: [1], doc };
const { port } = window.location;

/** Holds that a refused message changed nothing on a stage without a page. */
function expectNothingHappened(stage: Stage): void {
  expect(stage.connects).to.deep.equal([]);
  expect(stage.messages).to.deep.equal([]);
  expect(stage.end.connected).to.equal(false);
  expect(stage.errors).to.deep.equal([]);
}

describe('a forged message to the element', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('is refused from the window of another site', async () => {
    const stage = await connectedStage();
    const attacker = await puppetOf(addFrame(puppetUrl(origins.attacker)).contentWindow!);
    await attacker.run((_, forged) => {
      parent.postMessage(forged, '*');
    }, hello);
    await expectRejection(stage, { origin: origins.attacker, reason: 'source' });
    expect(stage.connects).to.have.length(1);
    expect(await attacker.run(({ seen }) => seen)).to.deep.equal([]);
  });

  it('is refused from another frame of the allowed origin', async () => {
    const stage = await connectedStage();
    const sibling = await puppetOf(addFrame(puppetUrl(origins.application)).contentWindow!);
    await sibling.run((_, forged) => {
      parent.postMessage(forged, '*');
    }, hello);
    await expectRejection(stage, { origin: origins.application, reason: 'source' });
    expect(stage.connects).to.have.length(1);
    expect(await sibling.run(({ seen }) => seen)).to.deep.equal([]);
  });

  it('is refused from a frame inside the application’s frame', async () => {
    const stage = await connectedStage();
    await stage.page.run((_, url) => {
      const inner = document.createElement('iframe');
      inner.src = url;
      document.body.append(inner);
    }, puppetUrl(origins.attacker));
    const inner = await puppetOf(await frameInside(stage.view));
    await inner.run((_, forged) => {
      top?.postMessage(forged, '*');
    }, hello);
    await expectRejection(stage, { origin: origins.attacker, reason: 'source' });
    expect(stage.end.connected).to.equal(true);
  });

  it('is refused from the partner’s page itself', async () => {
    const stage = openStage(() => null);
    window.postMessage(hello, '*');
    await expectRejection(stage, { origin: origins.own, reason: 'source' });
    expectNothingHappened(stage);
  });

  it('is refused from a script that invents the event, whatever it contains', async () => {
    const { connects, ...stage } = await connectedStage();
    const data = {
      get ns(): string {
        throw new Error('read');
      },
    };
    const invented = new MessageEvent('message', { data, origin: origins.application });
    // Firefox takes no window of another origin in the constructor.
    Object.defineProperty(invented, 'source', { value: stage.view });
    window.dispatchEvent(invented);
    await expectRejection({ connects, ...stage }, { origin: origins.application, reason: 'source' });
    expect(connects).to.have.length(1);
  });

  for (const [what, allowed, shown] of [
    ['a suffix of the host', `http://apply.localhost:${port}`, `http://apply.localhost.attacker.localhost:${port}`],
    ['a prefix of the host', `http://apply.localhost:${port}`, `http://my-apply.localhost:${port}`],
    ['a label more', `http://apply.localhost:${port}`, `http://x.apply.localhost:${port}`],
    ['a digit more in the port', `http://127.0.0.1:${port.slice(0, -1)}`, `http://127.0.0.1:${port}`],
    ['another scheme', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port}`],
  ] as const) {
    it(`is refused from an origin that looks alike: ${what}`, async () => {
      const frame = addFrame(puppetUrl(shown));
      const stage = openStage(() => frame.contentWindow, allowed);
      const attacker = await puppetOf(frame.contentWindow!);
      await attacker.run((_, forged) => {
        parent.postMessage(forged, '*');
      }, hello);
      await expectRejection(stage, { origin: shown, reason: 'origin' });
      expectNothingHappened(stage);
      expect(await attacker.run(({ seen }) => seen)).to.deep.equal([]);
    });
  }

  it('is refused when it has not the shape of a hello', async () => {
    const frame = addFrame(puppetUrl(origins.application));
    const stage = openStage(() => frame.contentWindow);
    const page = await puppetOf(frame.contentWindow!);
    const forged = [...garbage, ...malformedWindowMessages(doc)];
    for (const [index, data] of forged.entries()) {
      await page.run((_, message) => {
        parent.postMessage(message, '*');
      }, data);
      const reason = index < garbage.length && isObject(data) ? 'channel' : 'schema';
      await expectRejection(stage, { origin: origins.application, reason }, index + 1);
    }
    expectNothingHappened(stage);
    expect(await page.run(({ seen }) => seen)).to.deep.equal([]);
  });

  it('is refused when it belongs to another protocol', async () => {
    const stage = await connectedStage();
    for (const [index, data] of [
      { ...hello, ns: 'other' },
      { penpal: 'syn' },
      { namespace: 'penpal', type: 'SYN' },
    ].entries()) {
      await stage.page.run((_, message) => {
        parent.postMessage(message, '*');
      }, data);
      await expectRejection(stage, { origin: origins.application, reason: 'channel' }, index + 1);
    }
    expect(stage.end.connected).to.equal(true);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);
  });

  it('is refused when it repeats a hello, of this document or of one before it', async () => {
    const stage = await connectedStage();
    void stage.page.run(() => {
      location.reload();
    });
    const page = await puppetOf(stage.view, 2);
    await until(() => stage.messages.length === 2, 'ready again');
    for (const [index, connect] of stage.connects.entries()) {
      await page.run(
        (_, message) => {
          parent.postMessage(message, '*');
        },
        { ...hello, doc: connect.doc },
      );
      await expectRejection(stage, { origin: origins.application, reason: 'replay' }, index + 1);
    }
    expect(stage.connects).to.have.length(2);
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);
  });

  it('is refused when the frame shows an attacker’s page, which learns nothing and spoils nothing', async () => {
    const stage = await connectedStage();
    void stage.page.run((_, url) => {
      location.href = url;
    }, puppetUrl(origins.attacker));
    const attacker = await puppetOf(stage.view, 2);
    const forged: [object, 'channel' | 'schema' | 'origin'][] = [
      [{ penpal: 'x' }, 'channel'],
      [{ penpal: 'syn' }, 'channel'],
      [{ namespace: 'penpal', type: 'SYN', participantId: '~' }, 'channel'],
      [{ ns: 'licensing-apply', t: 'progress' }, 'schema'],
      [hello, 'origin'],
      [{ ...hello, doc: stage.connects[0]!.doc }, 'origin'],
    ];
    for (const [index, [message, reason]] of forged.entries()) {
      await attacker.run((_, data) => {
        parent.postMessage(data, '*', [new MessageChannel().port1]);
      }, message);
      await expectRejection(stage, { origin: origins.attacker, reason }, index + 1);
    }
    expect(stage.end.connected).to.equal(false);
    expect(await attacker.run(({ seen }) => seen)).to.deep.equal([]);
    void attacker.run(
      (_, url) => {
        location.href = url;
      },
      puppetUrl(origins.application, [origins.own]),
    );
    await until(() => stage.messages.length === 2, 'ready again');
    expect(await stage.end.call('confirmClose', {}, 5_000)).to.have.property('dirty', true);
  });

  it('is answered with our versions when there is none in common, and nothing else', async () => {
    const frame = addFrame(puppetUrl(origins.application));
    const stage = openStage(() => frame.contentWindow);
    const page = await puppetOf(frame.contentWindow!);
    await page.run(
      (_, message) => {
        parent.postMessage(message, '*');
        parent.postMessage(message, '*');
      },
      { ...hello, v: [2, 3] },
    );
    await expectRejection(stage, { origin: origins.application, reason: 'version', versions: 'page 2,3, element 1' });
    expectNothingHappened(stage);
    await waitForSeen(page);
    expect(await page.run(({ seen }) => seen)).to.deep.equal([{ ns: 'licensing-apply', t: 'reject', v: [1], doc }]);
  });

  it('leaves the report of the return script and all other traffic on the page alone', async () => {
    const stage = await connectedStage();
    await stage.page.run(() => {
      parent.postMessage({ ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'x' }, '*');
    });
    window.postMessage({ ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'x' }, '*');
    window.postMessage({ source: 'some-devtools' }, '*');
    window.postMessage(null, '*');
    await stage.end.call('confirmClose', {}, 5_000);
    window.postMessage(hello, '*');
    // The first one reported is the last one sent.
    await expectRejection(stage, { origin: origins.own, reason: 'source' });
    expect(stage.rejections).to.have.length(1);
  });
});

function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null;
}

async function frameInside(view: Window): Promise<Window> {
  await until(() => view.length === 1, 'the inner frame');
  return view[0]!;
}

async function waitForSeen(page: Awaited<ReturnType<typeof puppetOf>>): Promise<void> {
  await until(() => page.run(({ seen }) => seen.length > 0), 'an answer');
}
