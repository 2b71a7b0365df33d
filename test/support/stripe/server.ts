/**
 * Stripe for tests: the part of its API that the bridge uses, and its Checkout page, on loopback. It
 * refuses what Stripe refuses, and answers late, twice or never when a test says so. The objects
 * have the types of the `stripe` package.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Stripe from 'stripe';
import { createStripeAccount, type Params, StripeRefusal, type StripeAccount } from './account.js';
import { renderPage } from './page.js';
import { findRoute, type Permission } from './routes.js';

type Mode = 'live' | 'test';

/** A running substitute of Stripe. */
export interface StripeServer {
  url: string;
  keys: Record<Mode, { secretKey: string; webhookSecret: string }>;
  /** The objects of each mode. */
  accounts: Record<Mode, StripeAccount>;
  /** Every request to the API: its method and path, and the status of its answer. */
  requests: readonly { request: string; status: number; key: string | undefined }[];
  /** Creates a restricted key with these permissions only. */
  restrict(mode: Mode, permissions: readonly Permission[]): string;
  /** Moves Stripe's clock forward. */
  pass(seconds: number): void;
  /** The next requests of this kind, or of any, are executed, and their answers are lost. */
  loseAnswers(count: number, kind?: RegExp): void;
  /** The next requests are not executed, and not answered. */
  hang(count: number): void;
  /** The next requests are answered with this status, and not executed. */
  fail(count: number, status: number): void;
  /** The time from a request to its answer, in milliseconds. Default: 0. */
  slowMs: number;
  /** The time after which a bank answers by itself, in milliseconds. Default: never. */
  bankMs: number | undefined;
  /** Sends the events of both modes to this URL, `times` times. Default: none are sent. */
  notify(url: string, times?: number): void;
  /** A signed event of a session; `change` makes it a wrong one. */
  eventOf(
    mode: Mode,
    sessionId: string,
    change?: { type?: string; secret?: string; ageSeconds?: number; isLive?: boolean },
  ): { headers: Record<string, string>; body: string };
  stop(): Promise<void>;
}

/** Stripe's answers are repeated for a day. */
const keySeconds = 86_400;

interface Kept {
  fingerprint: string;
  since: number;
  answer: Answer | undefined;
}

interface Answer {
  status: number;
  body: object;
  /** The answer of an earlier request with the same key. */
  isRepeated?: true;
}

const keyInUse: Answer = {
  status: 409,
  body: {
    error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'Another request is using it.' },
  },
};

/** Starts the server. The account has cards and bank accounts, unless `activeTypes` says otherwise. */
export async function startStripeServer({
  activeTypes = ['card', 'us_bank_account'],
}: { activeTypes?: readonly string[] } = {}): Promise<StripeServer> {
  let offset = 0;
  let [lost, hanging, failing] = [{ count: 0, kind: /./ }, 0, { count: 0, status: 500 }];
  let webhook = { url: '', times: 1 };
  const now = () => Math.floor(Date.now() / 1_000) + offset;
  const keys = { live: keysOf('live'), test: keysOf('test') };
  const restricted = new Map<string, { mode: Mode; permissions: readonly Permission[] }>();
  const kept = new Map<string, Kept>();
  /** The keys of requests that are being executed. */
  const busy = new Set<string>();
  const requests: { request: string; status: number; key: string | undefined }[] = [];

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accountOf = (mode: Mode) =>
    createStripeAccount({
      isLive: mode === 'live',
      url,
      now,
      activeTypes,
      onEvent: (type, { id, status }) => {
        void send(mode, id, type);
        if (type === 'checkout.session.completed' && status === 'complete' && self.bankMs !== undefined) {
          setTimeout(() => {
            self.accounts[mode].answerBank(id);
          }, self.bankMs).unref();
        }
      },
    });

  async function send(mode: Mode, sessionId: string, type: string): Promise<void> {
    const { url: to, times } = webhook;
    if (to === '') return;
    const { headers, body } = self.eventOf(mode, sessionId, { type });
    for (let count = 0; count < times; count += 1) {
      await fetch(to, { method: 'POST', headers, body }).catch(() => undefined);
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? '/', url);
    const body = await readBody(request);
    if (target.pathname.startsWith('/c/pay/')) return answerPage(request, response, target, body);
    if (hanging > 0) {
      hanging -= 1;
      return;
    }
    const key = String(request.headers['idempotency-key']);
    const named = /^(undefined|stripe-node-retry-.*)$/.test(key) ? undefined : key;
    const isBusy = busy.has(key);
    if (named !== undefined) busy.add(named);
    if (self.slowMs > 0) await wait(self.slowMs);
    const { status, body: answer, isRepeated } = isBusy ? keyInUse : answerApi(request, target, body);
    if (!isBusy) busy.delete(key);
    requests.push({ request: `${String(request.method)} ${target.pathname}`, status, key: named });
    if (lost.count > 0 && lost.kind.test(`${String(request.method)} ${target.pathname}`)) {
      lost.count -= 1;
      request.socket.destroy();
      return;
    }
    const headers = {
      'content-type': 'application/json',
      'request-id': `req_${randomUUID().slice(0, 8)}`,
      ...(isRepeated === true && { 'idempotent-replayed': 'true' }),
    };
    response.writeHead(status, headers).end(JSON.stringify(answer));
  }

  function answerApi(request: IncomingMessage, target: URL, body: string): Answer {
    try {
      const mode = authorize(request);
      if (failing.count > 0) {
        failing.count -= 1;
        throw new StripeRefusal(failing.status, { type: 'api_error', message: 'Something went wrong.' });
      }
      const method = request.method ?? '';
      const { permission, run } = findRoute(method, target.pathname);
      assertAllowed(request, permission);
      const params = readParams(method === 'GET' ? target.search : body);
      const execute = (): Answer => ({ status: 200, body: run(self.accounts[mode], params) });
      const idempotencyKey = request.headers['idempotency-key'];
      if (method !== 'POST' || typeof idempotencyKey !== 'string') return execute();
      const fingerprint = createHash('sha256').update(`${target.pathname}\n${body}`).digest('hex');
      return executeOnce(`${mode} ${idempotencyKey}`, fingerprint, execute);
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      return { status: error.status, body: { error: error.error } };
    }
  }

  function executeOnce(key: string, fingerprint: string, execute: () => Answer): Answer {
    const before = kept.get(key);
    if (before?.answer !== undefined && before.since + keySeconds > now()) {
      if (before.fingerprint === fingerprint) return { ...before.answer, isRepeated: true };
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      throw new StripeRefusal(400, { type: 'idempotency_error', message });
    }
    // A refusal of the parameters is not kept, as at Stripe.
    const answer = execute();
    kept.set(key, { fingerprint, since: now(), answer: structuredClone(answer) });
    return answer;
  }

  function authorize({ headers }: IncomingMessage): Mode {
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    for (const mode of ['live', 'test'] as const) if (keys[mode].secretKey === key) return mode;
    const mode = restricted.get(key)?.mode;
    if (mode !== undefined) return mode;
    const message = `Invalid API Key provided: ${key.slice(0, 8)}****`;
    throw new StripeRefusal(401, { type: 'invalid_request_error', message });
  }

  function assertAllowed({ headers }: IncomingMessage, permission: Permission): void {
    const granted = restricted.get(headers.authorization?.replace('Bearer ', '') ?? '')?.permissions;
    const isGranted = granted?.some((each) => each === permission || each === permission.replace('_read', '_write'));
    if (isGranted !== false) return;
    const message = `Having the 'rak_${permission}' permission would allow this request to continue.`;
    throw new StripeRefusal(403, { type: 'invalid_request_error', message });
  }

  function answerPage(request: IncomingMessage, response: ServerResponse, target: URL, body: string): void {
    const [, , , id = ''] = target.pathname.split('/');
    const account = Object.values(self.accounts).find(({ sessions }) => sessions.has(id));
    if (!account) return void response.writeHead(404).end();
    try {
      const form = new URLSearchParams(body);
      const number = form.get('number')?.replaceAll(' ', '');
      const session = account.readSession(id);
      let result: 'paid' | 'declined' | 'challenge' | 'asking' = 'asking';
      if (request.method === 'POST') {
        result = number === undefined ? account.confirm(id, form.has('pass')) : account.pay(id, number);
      }
      if (result === 'paid') return void response.writeHead(303, { location: session.success_url ?? '' }).end();
      if (session.status !== 'open') throw new StripeRefusal(410, { type: 'page', message: 'Expired.' });
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(renderPage(session, result));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      response.writeHead(error.status, { 'content-type': 'text/plain' }).end(error.message);
    }
  }

  const self: StripeServer = {
    url,
    keys,
    accounts: { live: accountOf('live'), test: accountOf('test') },
    requests,
    slowMs: 0,
    bankMs: undefined,
    restrict(mode, permissions) {
      const key = `rk_${mode}_${randomUUID().replaceAll('-', '')}`;
      restricted.set(key, { mode, permissions });
      return key;
    },
    pass(seconds) {
      offset += seconds;
    },
    loseAnswers(count, kind = /./) {
      lost = { count, kind };
    },
    hang(count) {
      hanging = count;
    },
    fail(count, status) {
      failing = { count, status };
    },
    notify(to, times = 1) {
      webhook = { url: to, times };
    },
    eventOf(mode, sessionId, { type = 'checkout.session.completed', secret, ageSeconds = 0, isLive } = {}) {
      const body = JSON.stringify({
        id: `evt_${randomUUID().replaceAll('-', '')}`,
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: now(),
        data: { object: self.accounts[mode].readSession(sessionId) },
        livemode: isLive ?? mode === 'live',
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      });
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: secret ?? keys[mode].webhookSecret,
        timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
      });
      return { headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

function keysOf(mode: Mode): { secretKey: string; webhookSecret: string } {
  const random = () => randomUUID().replaceAll('-', '');
  return { secretKey: `sk_${mode}_${random()}`, webhookSecret: `whsec_${random()}` };
}

/** Flat names: `line_items[0][quantity]` is `line_items.0.quantity`. */
function readParams(text: string): Params {
  const pairs = [...new URLSearchParams(text)].map(
    ([name, value]) => [name.replaceAll('[', '.').replaceAll(']', ''), value] as const,
  );
  return new Map(pairs);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
