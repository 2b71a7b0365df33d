import { expect } from '@open-wc/testing';
import { malformedEnvelopes } from './garbage.js';
import { cleanUp, connectedStage, origins, patienceMs, puppetOf, puppetUrl, until } from './stage.js';

describe('garbage on the port', function () {
  this.timeout(patienceMs);
  afterEach(cleanUp);

  it('is refused by the element, which goes on', async () => {
    const stage = await connectedStage();
    const view = stage.view;
    void stage.page.run((_, url) => {
      location.href = url;
    }, puppetUrl(origins.application));
    const page = await puppetOf(view, 2);
    // A page of the right origin that shakes hands by itself and then misbehaves.
    await page.run(
      (scope, hello) =>
        new Promise<void>((resolve) => {
          window.addEventListener('message', ({ ports, data }: MessageEvent<{ init: { channel: string } }>) => {
            scope.port = ports[0]!;
            scope.port.start();
            scope.port.postMessage({ ch: data.init.channel, hi: true });
            resolve();
          });
          parent.postMessage(hello, '*');
        }),
      { ns: 'licensing-apply', t: 'hello', v: [9, 1], doc: 'c'.repeat(32) },
    );
    await until(() => stage.connects.length === 2, 'connected');

    const envelopes = malformedEnvelopes(stage.init.channel);
    const url = `${origins.application}/a/${'x'.repeat(43)}`;
    const ok = (seq: number, type: string, payload: unknown) => ({ type, seq, payload });
    const forged: [unknown, string][] = [
      [null, 'schema'],
      [{ type: 'constructor', seq: 1, payload: {} }, 'unknown_type'],
      [{ type: '__proto__', seq: 1, payload: {} }, 'unknown_type'],
      [{ type: 'configure', seq: 1, payload: {} }, 'unknown_type'],
      [{ type: 'resize', payload: { height: 1 } }, 'schema'],
      [ok(1, 'resize', { height: 900_110_001 }), 'schema'],
      [ok(1, 'resize', { height: '900-11-0001' }), 'schema'],
      [ok(1, 'resize', { height: 1, note: 'no' }), 'schema'],
      [ok(1, 'requiresAction', { state: 'TX', actionUrl: url.replace('127.0.0.1', 'attacker.localhost') }), 'schema'],
      [ok(1, 'requiresAction', { state: 'TX', actionUrl: 'javascript:alert(1)' }), 'schema'],
    ];
    await page.run(
      (scope, list, channel) => {
        for (const data of list) scope.port?.postMessage(data);
        // A port in the id cannot be sent back: the answer would fail where nobody catches it.
        const { port1 } = new MessageChannel();
        scope.port?.postMessage({ ch: channel, id: port1, m: {} }, [port1]);
      },
      envelopes.map(({ data }) => data),
      stage.init.channel,
    );
    await page.run(
      (scope, list, channel) => {
        for (const message of list) scope.port?.postMessage({ ch: channel, m: message });
      },
      [
        ...forged.map(([message]) => message),
        ok(5, 'resize', { height: 5 }),
        ok(5, 'resize', { height: 6 }),
        ok(4, 'resize', { height: 7 }),
      ],
      stage.init.channel,
    );
    const reasons = [
      ...envelopes.map(({ reason }) => reason),
      'schema',
      ...forged.map(([, reason]) => reason),
      'replay',
      'replay',
    ];
    await until(() => stage.rejections.length >= reasons.length, 'all are refused');
    expect(stage.rejections).to.deep.equal(reasons.map((reason) => ({ origin: origins.application, reason })));
    expect(stage.messages.slice(1)).to.deep.equal([{ type: 'resize', payload: { height: 5 } }]);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect(stage.errors).to.deep.equal([]);

    // Answers are garbage too: each call ends with a code.
    const answer = (reply: object) =>
      page.run(
        (scope, channel, changes) => {
          scope.port!.onmessage = ({ data }: MessageEvent<{ id: number }>) => {
            scope.port?.postMessage({ ch: channel, id: data.id, ...changes });
          };
        },
        stage.init.channel,
        reply,
      );
    for (const [reply, code] of [
      [{ r: null }, 'invalid_answer'],
      [{ r: { dirty: 'no' } }, 'invalid_answer'],
      [{ r: { dirty: false, ssn: '900-11-0001' } }, 'invalid_answer'],
      [{ e: 'a long story' }, 'invalid_answer'],
      [{ e: { message: 'a long story' } }, 'invalid_answer'],
      // What only we can know is not for the other side to say.
      [{ e: 'disconnected' }, 'invalid_answer'],
      [{ e: 'failed' }, 'failed'],
      [{ e: 'refused' }, 'refused'],
      [{ ch: 'of another opening', r: { dirty: false } }, 'timeout'],
      [{ id: 900, r: { dirty: false } }, 'timeout'],
      [{ id: '1', r: { dirty: false } }, 'timeout'],
      [{ r: { dirty: false }, e: 'failed' }, 'timeout'],
      [{}, 'timeout'],
    ] as const) {
      await answer(reply);
      const result = await stage.end.call('confirmClose', {}, 300).catch((error: unknown) => error);
      expect(result, JSON.stringify(reply)).to.have.property('code', code);
    }
    expect(stage.errors).to.deep.equal([]);
  });
});
