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
  type Puppet,
  puppetUrl,
  type Stage,
  patienceMs,
  until,
} from './stage.js';

const doc = 'abcdefghijklmnopabcdefghijklmnop';
const hello = { ns: 'licensing-apply', t: 'hello', v: [1], doc };
const { port } = window.location;

/** Asserts that a refused message changed nothing on a stage without a page. */
function expectNothingHappened(stage: Stage): void {
  expect(stage.connects).to.deep.equal([]);
  expect(stage.messages).to.deep.equal([]);
  expect(stage.end.connected).to.equal(false);
  expect(stage.errors).to.deep.equal([]);
}

describe('a forged message to the element', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('a hello from the window of another site is ignored', async () => {
    const stage = await connectedStage();
    const attacker = await puppetOf(addFrame(puppetUrl(origins.attacker)).contentWindow!);
    await deliver(attacker, 'parent', hello);
    expectIgnored(stage);
    expect(await attacker.run(({ seen }) => seen)).to.deep.equal([]);
  });

  it('a hello from another frame of the allowed origin, such as that of another element, is ignored', async () => {
    const stage = await connectedStage();
    const sibling = await puppetOf(addFrame(puppetUrl(origins.application)).contentWindow!);
    await deliver(sibling, 'parent', hello);
    expectIgnored(stage);
    expect(await sibling.run(({ seen }) => seen)).to.deep.equal([]);
  });

  it('a hello from a frame inside the application’s frame is ignored', async () => {
    const stage = await connectedStage();
    await stage.page.run((_, url) => {
      const inner = document.createElement('iframe');
      inner.src = url;
      document.body.append(inner);
    }, puppetUrl(origins.attacker));
    await deliver(await puppetOf(await frameInside(stage.view)), 'top', hello);
    expectIgnored(stage);
  });

  it('a hello from the partner’s own page is ignored', async () => {
    const stage = openStage(() => null);
    const arrived = nextMessage(doc);
    window.postMessage(hello, '*');
    await arrived;
    expectNothingHappened(stage);
    expect(stage.rejections).to.deep.equal([]);
  });

  it('a message event that a script dispatches is ignored, and its data is not read', async () => {
    const stage = await connectedStage();
    const fail = (): never => {
      throw new Error('read');
    };
    for (const data of [hello, Object.defineProperty({}, 'ns', { get: fail })]) {
      const invented = new MessageEvent('message', { data, origin: origins.application });
      // Firefox accepts no window of another origin in the constructor.
      Object.defineProperty(invented, 'source', { value: stage.view });
      window.dispatchEvent(invented);
    }
    expectIgnored(stage);
  });

  for (const [what, allowed, shown] of [
    ['a suffix of the host', `http://apply.localhost:${port}`, `http://apply.localhost.attacker.localhost:${port}`],
    ['a prefix of the host', `http://apply.localhost:${port}`, `http://my-apply.localhost:${port}`],
    ['one more label', `http://apply.localhost:${port}`, `http://x.apply.localhost:${port}`],
    ['one more digit of the port', `http://127.0.0.1:${port.slice(0, -1)}`, `http://127.0.0.1:${port}`],
    ['another scheme', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port}`],
  ] as const) {
    it(`a hello from an origin that differs by ${what} is refused`, async () => {
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

  it('a window message that is not a well-formed hello is refused', async () => {
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

  it('a window message of another protocol is refused', async () => {
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

  it('a repeated hello of this or of an earlier document is refused', async () => {
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

  it('an attacker’s page in the frame receives nothing, and the real page can connect after it', async () => {
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

  it('a hello without a common version is answered with the supported versions only', async () => {
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

  it('reports of the return script and unrelated window messages are not reported as rejected', async () => {
    const stage = await connectedStage();
    await stage.page.run(() => {
      parent.postMessage({ ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'x' }, '*');
    });
    window.postMessage({ ns: 'licensing-apply', t: 'return', status: 'submitted', state: 'x' }, '*');
    window.postMessage({ source: 'some-devtools' }, '*');
    window.postMessage(null, '*');
    const arrived = nextMessage(doc);
    window.postMessage(hello, '*');
    await arrived;
    await stage.end.call('confirmClose', {}, 5_000);
    expectIgnored(stage);
  });
});

/**
 * Posts a message from a puppet and resolves when everyone, including the element, has received it.
 */
async function deliver(puppet: Puppet, to: 'parent' | 'top', message: typeof hello): Promise<void> {
  const arrived = nextMessage(message.doc);
  await puppet.run((_, where, forged) => window[where]?.postMessage(forged, '*'), to, message);
  await arrived;
}

/**
 * Resolves with the next message with that document id. The ends were opened before, so they have
 * received it first.
 */
function nextMessage(id: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('message', function onMessage({ data }: MessageEvent<{ doc?: string } | null>) {
      if (data?.doc !== id) return;
      window.removeEventListener('message', onMessage);
      resolve();
    });
  });
}

/** Asserts that a connected stage is unchanged. */
function expectIgnored({ connects, end, messages, rejections, errors }: Stage): void {
  expect(connects).to.have.length(1);
  expect(messages).to.have.length(1);
  expect(end.connected).to.equal(true);
  expect(rejections).to.deep.equal([]);
  expect(errors).to.deep.equal([]);
}

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
