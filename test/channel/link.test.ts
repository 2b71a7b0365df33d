import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { elementSchemas } from '../../src/channel/schemas.js';
import { openLink, type Link } from '../../src/channel/link.js';
import { settle, until } from './windows.js';

/*
 * One end of the link, and the bare port on its other side. The browser tests have both ends.
 */

const channel = '01234567-89ab-4cde-8f01-23456789abcd';
const question = { type: 'confirmClose', payload: {} };

type Envelope = Record<string, unknown>;

interface Stage {
  link: Link;
  /** The messages that the end received, in order. */
  told: string[];
  /** The messages that reached the other side. */
  seen: Envelope[];
  mine: MessagePort;
  other: MessagePort;
  say(envelope: object): void;
}

const others: MessagePort[] = [];
const realReportError = globalThis.reportError;

afterEach(() => {
  for (const port of others.splice(0)) port.close();
  globalThis.reportError = realReportError;
});

function openStage(handle: (message: unknown) => unknown = () => ({})): Stage {
  const { port1, port2 } = new MessageChannel();
  others.push(port2);
  const told: string[] = [];
  const seen: Envelope[] = [];
  port2.onmessage = ({ data }: MessageEvent<Envelope>) => seen.push(data);
  const link = openLink({
    port: port1,
    channel,
    schemas: elementSchemas,
    handle: (message) => {
      told.push(message.type);
      return handle(message);
    },
    onOpen: () => told.push('open'),
    onClose: () => told.push('close'),
    onRejected: (reason) => told.push(reason),
  });
  return {
    link,
    told,
    seen,
    mine: port1,
    other: port2,
    say: (envelope) => {
      port2.postMessage({ ch: channel, ...envelope });
    },
  };
}

async function openedStage(handle?: (message: unknown) => unknown): Promise<Stage> {
  const stage = openStage(handle);
  stage.say({ open: true });
  await until(() => stage.link.isOpen && stage.seen.length === 1);
  return stage;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => (error as { code: string }).code,
  );

// A call without an answer would wait for ever.
describe('envelopes and calls', { timeout: 10_000 }, () => {
  it('a link sends open first, and is open when the other side has sent it too', async () => {
    const { link, told, seen, say } = openStage();
    link.send(question);
    await until(() => seen.length === 1);
    assert.deepEqual([seen, told, link.isOpen], [[{ ch: channel, open: true }], [], false]);
    say({ open: true });
    await until(() => link.isOpen);
    assert.deepEqual(told, ['open']);
  });

  it('a call that is sent before the other side listens is still answered', async () => {
    const { link, seen, say } = openStage();
    const answer = link.call(question, 5_000);
    await until(() => seen.length === 2);
    assert.deepEqual(seen[0], { ch: channel, open: true });
    say({ open: true });
    say({ id: seen[1]?.id, r: 'late' });
    assert.equal(await answer, 'late');
  });

  it('a link refuses every envelope before open, including close', async () => {
    const { link, told, say } = openStage();
    for (const early of [{ m: question }, { id: 1, m: question }, { id: 1, r: {} }, { close: true }]) say(early);
    say({ open: true });
    await until(() => link.isOpen);
    assert.deepEqual(told, ['schema', 'schema', 'schema', 'schema', 'open']);
  });

  const call = { ch: channel, id: 1, m: {} };
  const malformed: { data: unknown; reason: string }[] = [
    ...[null, undefined, 0, 'open', 10n, [], [null], new Date(0)].map((data) => ({ data, reason: 'schema' })),

    { data: { penpal: 'syn' }, reason: 'schema' },
    { data: { id: 1, m: {} }, reason: 'schema' },
    { data: { ch: channel }, reason: 'schema' },
    { data: { ...call, ch: undefined }, reason: 'channel' },
    { data: { ...call, ch: crypto.randomUUID() }, reason: 'channel' },
    { data: { ...call, ch: [channel] }, reason: 'channel' },
    { data: { close: true, ch: crypto.randomUUID() }, reason: 'channel' },
    { data: { ch: channel, close: false }, reason: 'schema' },
    { data: { ch: channel, close: true, id: 1 }, reason: 'schema' },
    { data: { ch: channel, open: 1 }, reason: 'schema' },
    { data: { ch: channel, open: true }, reason: 'replay' },
    { data: { ch: channel, id: 1 }, reason: 'schema' },
    { data: { ch: channel, toString: 1 }, reason: 'schema' },
    { data: { ch: channel, constructor: 1, id: 1 }, reason: 'schema' },
    { data: { 'ch,open': true }, reason: 'schema' },
    { data: { ch: channel, 'id,m': {} }, reason: 'schema' },
    { data: { ...call, ssn: '900-11-0001' }, reason: 'schema' },
    { data: { ...call, r: {} }, reason: 'schema' },
    { data: { ...call, id: undefined }, reason: 'schema' },
    { data: { ...call, id: null }, reason: 'schema' },
    { data: { ...call, id: '1' }, reason: 'schema' },
    { data: { ...call, id: {} }, reason: 'schema' },
    { data: { ch: channel, id: '1', r: {} }, reason: 'schema' },
    { data: { ch: channel, id: null, e: 'failed' }, reason: 'schema' },
    { data: { ch: channel, r: {} }, reason: 'schema' },
    { data: { ch: channel, id: 1, r: {}, e: 'failed' }, reason: 'schema' },
  ];

  it('a link refuses malformed envelopes, and still answers calls', async () => {
    const { told, seen, other } = await openedStage();
    for (const { data } of malformed) other.postMessage(data);
    other.postMessage({ ...call, m: question });
    await until(() => seen.length === 2);
    assert.deepEqual(told, ['open', ...malformed.map(({ reason }) => reason), 'confirmClose']);
    assert.deepEqual(seen[1], { ch: channel, id: 1, r: {} });
  });

  it('each call resolves with its own answer, in any order of the answers', async () => {
    const { link, seen, say } = await openedStage();
    const answers = [link.call(question, 5_000), link.call(question, 5_000), link.call(question, 5_000)];
    await until(() => seen.length === 4);
    const ids = seen.slice(1).map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
    for (const id of ids.toReversed()) say({ id, r: id });
    assert.deepEqual(await Promise.all(answers), ids);
  });

  it('a call times out, and a late or repeated answer is ignored', async () => {
    const { link, seen, told, say } = await openedStage();
    mock.timers.enable({ apis: ['setTimeout'] });
    let ended = '';
    void codeOf(link.call(question, 1_500)).then((code) => (ended = code));
    mock.timers.tick(1_499);
    await until(() => seen.length === 2);
    assert.equal(ended, '');
    mock.timers.tick(1);
    await until(() => ended !== '');
    mock.timers.reset();
    assert.equal(ended, 'timeout');
    const late = seen[1]?.id;
    const next = link.call(question, 5_000);
    await until(() => seen.length === 3);
    say({ id: late, r: 'late' });
    say({ id: seen.at(-1)?.id, r: 'right' });
    say({ id: seen.at(-1)?.id, r: 'twice' });
    assert.equal(await next, 'right');
    say({ m: question });
    await until(() => told.length === 2);
    assert.deepEqual(told, ['open', 'confirmClose']);
  });

  it('an answered call clears its timer', async () => {
    const { link, seen, say } = await openedStage();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const answer = link.call(question, 60_000);
    assert.equal(timers(), before + 1);
    await until(() => seen.length === 2);
    say({ id: seen[1]?.id, r: {} });
    await answer;
    assert.equal(timers(), before);
  });

  for (const side of ['this', 'the other'] as const) {
    it(`calls in flight are rejected at once when ${side} side closes the link`, async () => {
      const { link, seen, told, say } = await openedStage();
      const calls = [codeOf(link.call(question, 60_000)), codeOf(link.call(question, 60_000))];
      if (side === 'this') link.close();
      else say({ close: true });
      assert.deepEqual(await Promise.all(calls), ['disconnected', 'disconnected']);
      assert.equal(await codeOf(link.call(question, 60_000)), 'not_connected');
      assert.equal(link.isOpen, false);
      link.close();
      link.send(question);
      if (side === 'this') await until(() => 'close' in (seen.at(-1) ?? {}));
      assert.deepEqual(told, side === 'this' ? ['open'] : ['open', 'close']);
      assert.equal(seen.filter((envelope) => 'close' in envelope).length, side === 'this' ? 1 : 0);
    });
  }

  it('a closed link ignores the envelopes that were already on their way', async () => {
    const stage = await openedStage((): unknown => {
      stage.link.close();
      return {};
    });
    stage.say({ id: 1, m: question });
    stage.say({ id: 2, m: question });
    stage.say({ garbage: true });
    await until(() => 'close' in (stage.seen.at(-1) ?? {}));
    await settle();
    assert.deepEqual(stage.told, ['open', 'confirmClose']);
    assert.deepEqual(stage.seen.slice(1), [{ ch: channel, close: true }]);
  });

  it('a call is answered with a result or a code, and a message is not answered', async () => {
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => reported.push(error);
    let count = 0;
    const { seen, told, say } = await openedStage(() => {
      if (++count % 2 === 0) throw new Error('a text that must not cross');
      return Promise.resolve({ count });
    });
    for (const m of [question, question, { type: 'toString' }, { type: 'session', payload: {} }, null]) say({ m });
    for (const m of [question, question, { type: 'toString' }, { type: 'session', payload: {} }, null])
      say({ id: 900, m });
    await until(() => seen.length === 6);
    const replies = [{ r: { count: 3 } }, { e: 'failed' }, { e: 'refused' }, { e: 'refused' }, { e: 'refused' }];
    // A refusal is immediate, and a result is asynchronous.
    const byText = (envelopes: object[]) => envelopes.map((envelope) => JSON.stringify(envelope)).sort();
    assert.deepEqual(byText(seen.slice(1)), byText(replies.map((reply) => ({ ch: channel, id: 900, ...reply }))));
    assert.equal(reported.length, 2);
    const half = ['confirmClose', 'confirmClose', 'unknown_type', 'schema', 'schema'];
    assert.deepEqual(told, ['open', ...half, ...half]);
  });

  it('a call fails when its answer cannot be cloned', async () => {
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => reported.push(error);
    const { seen, say } = await openedStage(() => ({ answer: () => 'a function' }));
    say({ id: 7, m: question });
    await until(() => seen.length === 2);
    assert.deepEqual([seen[1], reported.length], [{ ch: channel, id: 7, e: 'failed' }, 1]);
  });

  it('a link reports an envelope that cannot be deserialized', async () => {
    const { link, told, mine } = await openedStage();
    mine.dispatchEvent(new MessageEvent('messageerror'));
    assert.deepEqual([told, link.isOpen], [['open', 'schema'], true]);
  });
});
