import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import {
  AddressRejected,
  createCheckingConnector,
  createWebhookSender,
  parseRetryAfter,
  type Webhook,
  type WebhookSender,
  type WebhookSenderOptions,
} from '../../../src/bridge/outbox/webhook-sender.js';
import { startReceiver, type Receiver } from '../receiver.js';

const now = new Date('2026-11-20T12:00:00.999Z');
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const never = new AbortController().signal;

let receiver: Receiver;
let senders: WebhookSender[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const sender of senders) await sender.close();
  senders = [];
  await receiver.close();
});

function createSender(options: WebhookSenderOptions = {}, clock = () => now): WebhookSender {
  const sender = createWebhookSender(clock, { isLoopbackAllowed: true, ...options });
  senders.push(sender);
  return sender;
}

function webhookTo(url: string, own: Partial<Webhook> = {}): Webhook {
  return {
    id: 'evt_1',
    url,
    mode: 'test',
    body: '{"a":"é"}',
    requestId: null,
    traceparent: null,
    secret: null,
    ...own,
  };
}

const send = (own: Partial<Webhook> = {}, options: WebhookSenderOptions = {}) =>
  createSender(options).send(webhookTo(receiver.url, own), never);

test('A webhook is a POST of JSON with its id and the time in whole seconds; what is not known is not sent.', async () => {
  await send();
  const [{ headers, event } = {}] = receiver.received;
  assert.deepEqual(event, { a: 'é' });
  const { host, connection, 'content-length': length, ...others } = headers ?? {};
  assert.ok(host && connection && length);
  assert.deepEqual(others, {
    'content-type': 'application/json',
    'user-agent': 'licensing-bridge',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1795176000',
  });
});

test('A webhook carries the id of the request and the trace that caused it, and a signature of the whole.', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now });
  await send({ requestId: 'req_1', traceparent: '00-1-2-01', secret });
  const headers = receiver.received[0]?.headers as Record<string, string>;
  assert.deepEqual([headers['x-request-id'], headers['traceparent']], ['req_1', '00-1-2-01']);
  assert.ok(new StandardWebhook(secret).verify('{"a":"é"}', headers));
  for (const name of ['webhook-id', 'webhook-timestamp'])
    assert.throws(() => new StandardWebhook(secret).verify('{"a":"é"}', { ...headers, [name]: '1795176001' }));
});

for (const [status, error] of [
  [200, null],
  [299, null],
  [300, 'redirect'],
  [399, 'redirect'],
  [400, 'status'],
  [410, 'status'],
  [599, 'status'],
] as const) {
  test(`Status ${status} is ${error === null ? 'a delivery' : `the failure "${error}"`}.`, async () => {
    receiver.answers.push((response) => response.writeHead(status, { location: '/elsewhere' }).end());
    assert.deepEqual(await send(), { status, error, retryAfterSeconds: undefined, durationMs: 0 });
    assert.equal(receiver.received.length, 1);
  });
}

for (const [status, header, seconds] of [
  [503, '7', 7],
  [429, ['7', '8'], 7],
  [301, '7', 7],
  [200, '7', undefined],
  [503, 'Fri, 20 Nov 2026 12:00:31 GMT', 30.001],
] as const) {
  test(`Retry-After ${String(header)} with status ${status} means ${String(seconds)} seconds.`, async () => {
    receiver.answers.push((response) => response.writeHead(status, { 'retry-after': header as string }).end());
    assert.equal((await send()).retryAfterSeconds, seconds);
  });
}

for (const [value, seconds] of [
  ['120', 120],
  [' 120 ', 120],
  ['120 s', undefined],
  ['0', 0],
  ['999999999', 999_999_999],
  ['1000000000', undefined],
  ['1.5', undefined],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 29.001],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['2026-11-20T12:00:30Z', undefined],
  ['Fri, soon', undefined],
  ['at Fri, 20 Nov 2026 12:00:30 GMT', undefined],
  ['-5', undefined],
  [undefined, undefined],
] as const) {
  test(`Retry-After "${String(value)}" means ${String(seconds)}.`, () => {
    assert.equal(parseRetryAfter(value, now), seconds);
  });
}

test('The duration is measured with the clock, and never negative.', async () => {
  const durationOf = async (...times: number[]) => {
    const clock = () => new Date(now.getTime() + (times.length > 1 ? (times.shift() ?? 0) : (times[0] ?? 0)));
    return (await createSender({}, clock).send(webhookTo(receiver.url), never)).durationMs;
  };
  assert.deepEqual([await durationOf(0, 250), await durationOf(250, 0)], [250, 0]);
});

test('A receiver that does not answer in time has failed with "answer_timeout".', async () => {
  receiver.answers.push(() => undefined);
  const result = await send({}, { timeoutMs: 20 });
  assert.deepEqual(result, { status: null, error: 'answer_timeout', retryAfterSeconds: undefined, durationMs: 0 });
});

for (const isTimedOut of [false, true]) {
  test(`A delivery that is aborted ${isTimedOut ? 'after its timeout of ten seconds has failed with "answer_timeout"' : 'rejects'}.`, async (t) => {
    const [timeout, abort] = [new AbortController(), new AbortController()];
    const limit = t.mock.method(AbortSignal, 'timeout', () => timeout.signal);
    receiver.answers.push(() => undefined);
    const sending = createSender().send(webhookTo(receiver.url), abort.signal);
    await receiver.arrival(1);
    assert.deepEqual(limit.mock.calls[0]?.arguments, [10_000]);
    if (isTimedOut) timeout.abort();
    abort.abort();
    if (isTimedOut) assert.equal((await sending).error, 'answer_timeout');
    else await assert.rejects(sending, { name: 'AbortError' });
  });
}

/** Sends a webhook whose response, announced with a length, lacks its last byte until `finish`. */
async function sendUnfinished(length: number) {
  let finish = () => {};
  let socket: Socket | null = null;
  receiver.answers.splice(0, 1, (response) => {
    socket = response.socket;
    response.writeHead(200, { 'content-length': length }).write('x'.repeat(length - 1));
    finish = () => response.end('x');
  });
  // Its timeout would close the connection as well.
  const sender = createSender({ timeoutMs: 600_000 });
  const sendNext = () => sender.send(webhookTo(receiver.url), never);
  await sendNext();
  assert.ok(socket);
  return { sendNext, finish, socket: socket as Socket };
}

test(
  'A connection is kept for the next webhook after a short response, and closed after a long one.',
  { timeout: 20_000 },
  async () => {
    const short = await sendUnfinished(16_384);
    const sockets = new Set<Socket | null>();
    receiver.answers.splice(0, 1, (response) => {
      sockets.add(response.socket);
      response.end();
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    short.finish();
    // The connection is free again soon, unless it was closed.
    for (let turn = 0; turn < 20 && !sockets.has(short.socket); turn += 1) await short.sendNext();
    assert.ok(sockets.has(short.socket));
    const long = await sendUnfinished(16_385);
    if (!long.socket.destroyed) await once(long.socket, 'close');
  },
);

test('An endless response is a delivery at once, and its connection is closed.', async () => {
  const closed = new Promise<void>((resolve) => {
    receiver.answers.push((response) => {
      response.writeHead(200);
      const drip = () => {
        if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(drip));
      };
      response.on('close', resolve).on('error', () => undefined);
      drip();
    });
  });
  assert.equal((await send()).error, null);
  await closed;
});

for (const [host, mode, isLoopbackAllowed, error] of [
  ['127.0.0.1', 'test', true, null],
  ['127.0.0.1', 'test', false, 'address_refused'],
  ['127.0.0.1', 'live', true, 'address_refused'],
  ['localhost', 'test', true, null],
  ['app.localhost', 'test', true, null],
] as const) {
  test(`In ${mode} mode, ${isLoopbackAllowed ? 'with' : 'without'} loopback allowed, ${host} ${error === null ? 'receives webhooks' : 'is refused'}.`, async () => {
    const url = receiver.url.replace('127.0.0.1', host);
    assert.equal((await send({ url, mode }, { isLoopbackAllowed })).error, error);
    assert.equal(receiver.received.length, error === null ? 1 : 0);
  });
}

test('Loopback is not allowed unless an option says so.', async () => {
  const sender = createWebhookSender(() => now);
  senders.push(sender);
  assert.equal((await sender.send(webhookTo(receiver.url), never)).error, 'address_refused');
});

/** A connector with a fake resolver, which gives the found addresses instead of connecting. */
function setupConnector(addresses: Record<string, string[]>, isAll = true) {
  let timeout: number | null | undefined;
  const reached: unknown[] = [];
  const connector = createCheckingConnector(false, {
    resolve: (hostname, callback) => {
      const found = addresses[hostname];
      if (found === undefined) callback(new Error('ENOTFOUND'), []);
      else
        callback(
          null,
          found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
    },
    connect: (options) => {
      timeout = options?.timeout;
      const lookup = (options as { lookup?: LookupFunction }).lookup;
      return ({ hostname }, callback) => {
        lookup?.(hostname, { all: isAll }, (error, found, family) => {
          if (error === null) reached.push(isAll ? found : [found, family]);
          callback(error ?? new Error('recorded'), null);
        });
      };
    },
  });
  const connect = (hostname: string) =>
    new Promise<Error | null>((resolve) => {
      connector({ hostname, host: hostname, protocol: 'https:', port: '443' }, (...[error]) => {
        resolve(error);
      });
    });
  return { connect, reached, timeoutMs: timeout };
}

test('An IP literal, which is not resolved, is checked too.', async () => {
  const { connect, reached } = setupConnector({ '127.0.0.1': ['8.8.8.8'] });
  for (const literal of ['127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:7f00:1]', '10.1.2.3'])
    assert.ok((await connect(literal)) instanceof AddressRejected, literal);
  assert.deepEqual(reached, []);
});

test('A host name reaches only those of its IP addresses that are public, if there is one.', async () => {
  const addresses = {
    'inside.example': ['10.0.0.7'],
    'empty.example': [],
    'mixed.example': ['10.0.0.7', '8.8.8.8', '::1', '8.8.4.4'],
  };
  const { connect, reached, timeoutMs } = setupConnector(addresses);
  assert.equal(timeoutMs, 5_000);
  assert.ok((await connect('inside.example')) instanceof AddressRejected);
  assert.ok((await connect('empty.example')) instanceof AddressRejected);
  assert.equal((await connect('unknown.example'))?.message, 'ENOTFOUND');
  await connect('mixed.example');
  const [first, second] = ['8.8.8.8', '8.8.4.4'].map((address) => ({ address, family: 4 }));
  assert.deepEqual(reached, [[first, second]]);
  const one = setupConnector(addresses, false);
  await one.connect('mixed.example');
  assert.deepEqual(one.reached, [['8.8.8.8', 4]]);
});
