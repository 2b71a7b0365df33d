/**
 * A payment processor for tests: real HTTP on loopback with a separate origin. It has tokens, a
 * hosted page, 3-D Secure, declines, late and lost responses, webhooks, captures, voids and
 * refunds, and records that tests read.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

/** The supported cards. */
export const processorCards = {
  accepted: '4000056655665556',
  declined: '4000000000000002',
  /** Requires 3-D Secure. */
  challenged: '4000002760003184',
  /** Takes {@link ProcessorServer.slowMs}. */
  slow: '4000000000000077',
  /** A bank account instead of a card. Its result is late. */
  bankAccount: '000123456789',
} as const;

/** A payment in the processor's records. */
export interface LedgerEntry {
  status: 'page' | 'challenge' | 'slow' | 'authorized' | 'declined';
  reason?: 'card_declined' | 'authentication_failed';
  /** The user's payment method, as the bridge sent it. */
  method: string;
  reference: string;
  amountCents: number;
  cardLast4: string;
  returnUrl: string;
  capturedCents: number;
  isVoided: boolean;
  refunds: Record<string, number>;
}

/** A running processor. */
export interface ProcessorServer {
  url: string;
  apiKey: string;
  /** By payment id. */
  ledger: ReadonlyMap<string, LedgerEntry>;
  /** The duration of a slow card. Default: 200. */
  slowMs: number;
  /** The responses to the next API requests are lost after the requests were processed. */
  loseAnswers(count: number): void;
  /** The next API requests are not answered before their timeout, and not processed. */
  hang(count: number): void;
  /** The URL and delay of the webhook of a settled payment. "": none. */
  notify(url: string, afterMs?: number): void;
  /** The processor's fields in the browser, which exchange a card for a token. */
  tokenFor(card: keyof typeof processorCards): string;
  stop(): Promise<void>;
}

/** Starts the processor. */
export async function startProcessorServer(): Promise<ProcessorServer> {
  const ledger = new Map<string, LedgerEntry>();
  const tokens = new Map<string, string>();
  const apiKey = `key_${randomUUID()}`;
  let [lost, hanging] = [0, 0];
  let webhook = { url: '', afterMs: 0 };

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    const body = await readBody(request);
    const [, firstSegment = '', ...rest] = pathname.split('/');
    if (firstSegment === 'fields.js') return answerScript(response, url);
    if (firstSegment === 'tokens') return answerToken(request, response, body);
    if (firstSegment === 'pay') return answerPage(request.method, rest, body, response);
    if (request.headers.authorization !== `Bearer ${apiKey}`) return void response.writeHead(401).end();
    if (hanging > 0) {
      hanging -= 1;
      return;
    }
    const answer = answerApi(request.method ?? '', rest, body);
    if (lost > 0) {
      lost -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }

  function answerToken(request: IncomingMessage, response: ServerResponse, body: string): void {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
    if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end();
    const token = keepToken((JSON.parse(body) as { number: string }).number);
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify({ token }));
  }

  function keepToken(card: string): string {
    const token = `tok_${randomUUID()}`;
    tokens.set(token, card.replaceAll(' ', ''));
    return token;
  }

  function answerApi(method: string, [id = '', verb, refundId = '']: string[], body: string): Answer {
    const entry = ledger.get(id);
    if (method === 'POST' && verb === undefined) return { status: 200, body: describe(id, entry ?? begin(id, body)) };
    if (!entry) return { status: 404, body: {} };
    if (method === 'GET') return { status: 200, body: describe(id, entry) };
    if (entry.status !== 'authorized') return { status: 409, body: { reason: 'other' } };
    const refunded = Object.values(entry.refunds).reduce((sum, cents) => sum + cents, 0);
    if (verb === 'capture') {
      if (entry.isVoided) return { status: 409, body: { reason: 'voided' } };
      entry.capturedCents = entry.amountCents;
    } else if (verb === 'void') {
      if (entry.capturedCents > 0) return { status: 409, body: { reason: 'captured' } };
      entry.isVoided = true;
    } else if (!(refundId in entry.refunds)) {
      const { amountCents } = JSON.parse(body) as { amountCents: number };
      if (entry.capturedCents === 0) return { status: 409, body: { reason: 'not_captured' } };
      if (refunded + amountCents > entry.capturedCents) return { status: 409, body: { reason: 'too_much' } };
      entry.refunds[refundId] = amountCents;
    }
    return { status: 200, body: {} };
  }

  function begin(id: string, body: string): LedgerEntry {
    const asked = JSON.parse(body) as { amountCents: number; token?: string; method: string; returnUrl: string };
    const entry: LedgerEntry = {
      status: 'page',
      method: asked.method,
      reference: `ch_${randomUUID().slice(0, 8)}`,
      amountCents: asked.amountCents,
      cardLast4: '',
      returnUrl: asked.returnUrl,
      capturedCents: 0,
      isVoided: false,
      refunds: {},
    };
    ledger.set(id, entry);
    if (asked.token !== undefined) tryCard(id, entry, tokens.get(asked.token) ?? '');
    return entry;
  }

  function tryCard(id: string, entry: LedgerEntry, card: string): void {
    const isBankAccount = card === processorCards.bankAccount;
    entry.cardLast4 = isBankAccount ? '' : card.slice(-4);
    if (card === processorCards.challenged) entry.status = 'challenge';
    else if (card === processorCards.slow || isBankAccount) {
      entry.status = 'slow';
      setTimeout(() => {
        settle(id, entry, 'authorized');
      }, self.slowMs).unref();
    } else settle(id, entry, card === processorCards.accepted ? 'authorized' : 'declined');
  }

  function settle(id: string, entry: LedgerEntry, status: 'authorized' | 'declined'): void {
    entry.status = status;
    if (status === 'declined') entry.reason ??= 'card_declined';
    if (webhook.url === '') return;
    const send = () =>
      fetch(webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'payment.settled', paymentId: id }),
      }).catch(() => undefined);
    setTimeout(() => void send(), webhook.afterMs).unref();
  }

  function describe(id: string, { status, reason, reference, cardLast4 }: LedgerEntry) {
    const page = status === 'page' || status === 'challenge' ? { url: `${url}/pay/${id}` } : {};
    return { status, reason, reference, cardLast4, ...page };
  }

  /** The hosted page for the card, and then for the code of 3-D Secure. */
  function answerPage(method: string | undefined, [id = '']: string[], body: string, response: ServerResponse): void {
    const entry = ledger.get(id);
    if (!entry) return void response.writeHead(404).end();
    if (method === 'POST') {
      const form = new URLSearchParams(body);
      const card = form.get('card')?.replaceAll(' ', '');
      if (entry.status === 'page' && card !== undefined) tryCard(id, entry, card);
      else if (entry.status === 'challenge') {
        if (form.get('code') !== '123456') entry.reason = 'authentication_failed';
        settle(id, entry, form.get('code') === '123456' ? 'authorized' : 'declined');
      }
    }
    const isOpen = entry.status === 'page' || entry.status === 'challenge';
    if (!isOpen) return void response.writeHead(303, { location: entry.returnUrl }).end();
    const field = entry.status === 'page' ? 'card' : 'code';
    const number = entry.method === 'bankAccount' ? 'Account number' : 'Card number';
    const label = entry.status === 'page' ? number : 'Code from your bank (123456)';
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html lang="en"><title>Example Processor</title><main><h1>Example Processor</h1><form method="post"><label>${label} <input name="${field}"></label> <button>Continue</button></form></main>`,
      );
  }

  const self: ProcessorServer = {
    url,
    apiKey,
    ledger,
    slowMs: 200,
    loseAnswers(count) {
      lost = count;
    },
    hang(count) {
      hanging = count;
    },
    notify(to, afterMs = 0) {
      webhook = { url: to, afterMs };
    },
    tokenFor: (card) => keepToken(processorCards[card]),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/**
 * The processor's fields: the number is sent to the processor from a field without a name, so no
 * form sends it.
 */
function answerScript(response: ServerResponse, url: string): void {
  const script = `
    const place = document.querySelector('#payment-fields');
    place.innerHTML = '<label for="processor-card">Card number</label><input id="processor-card" inputmode="numeric">';
    const form = place.closest('form');
    form.addEventListener('submit', async (event) => {
      if (form.querySelector('#paymentToken').value || event.submitter?.name === 'leave') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const number = document.querySelector('#processor-card').value;
      const answer = await fetch('${url}/tokens', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ number }) });
      form.querySelector('#paymentToken').value = (await answer.json()).token;
      form.requestSubmit(event.submitter);
    }, { capture: true });`;
  response
    .writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' })
    .end(script);
}
