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
            const envelope = { namespace: 'penpal', channel: data.init.channel };
            scope.port.start();
            scope.port.postMessage({ ...envelope, type: 'SYN', participantId: '~' });
            scope.port.postMessage({ ...envelope, type: 'ACK1', methodPaths: [['msg']] });
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
        // A port in the id cannot be sent back: penpal would fail where nobody catches it.
        const { port1 } = new MessageChannel();
        const call = { namespace: 'penpal', channel, type: 'CALL', id: port1, methodPath: ['msg'], args: [{}] };
        scope.port?.postMessage(call, [port1]);
      },
      envelopes.map(({ data }) => data),
      stage.init.channel,
    );
    await page.run(
      (scope, list, channel) => {
        for (const [index, message] of list.entries()) {
          const envelope = { namespace: 'penpal', channel, type: 'CALL', id: String(index), methodPath: ['msg'] };
          scope.port?.postMessage({ ...envelope, args: [message] });
        }
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
          scope.port!.onmessage = ({ data }: MessageEvent<{ type: string; id: string }>) => {
            if (data.type !== 'CALL') return;
            scope.port?.postMessage({ namespace: 'penpal', channel, type: 'REPLY', callId: data.id, ...changes });
          };
        },
        stage.init.channel,
        reply,
      );
    for (const [reply, code] of [
      [{ value: null }, 'invalid_answer'],
      [{ value: { r: { dirty: 'no' } } }, 'invalid_answer'],
      [{ value: { r: { dirty: false, ssn: '900-11-0001' } } }, 'invalid_answer'],
      [{ value: { e: 'a long story' } }, 'invalid_answer'],
      [{ value: { e: 'failed' } }, 'failed'],
      [{ isError: true, isSerializedErrorInstance: true, value: null }, 'timeout'],
    ] as const) {
      await answer(reply);
      const result = await stage.end.call('confirmClose', {}, { timeoutMs: 300 }).catch((error: unknown) => error);
      expect(result).to.have.property('code', code);
    }
    expect(stage.errors).to.deep.equal([]);
  });
});
