import type {
  OperationOutcome,
  PaymentOutcome,
  PaymentProcessor,
  RefusalReason,
} from '../../src/bridge/ports/payment-processor.js';

/** The URL and the mode of the processor. */
export interface ProcessorAdapterOptions {
  url: string;
  apiKey: string;
  /** Default: `page`. */
  cardEntry?: 'page' | 'fields';
  /** The timeout of a request, in milliseconds. Default: 5000. */
  timeoutMs?: number;
}

interface Described {
  status: 'page' | 'challenge' | 'slow' | 'authorized' | 'declined';
  reason?: 'card_declined' | 'authentication_failed';
  reference: string;
  cardLast4: string;
  url?: string;
}

/** An adapter like an operator's: `PaymentProcessor` for the API of `processor-server.ts`. */
export function createProcessorAdapter({
  url,
  apiKey,
  cardEntry = 'page',
  timeoutMs = 5_000,
}: ProcessorAdapterOptions): PaymentProcessor {
  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(`${url}/payments/${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status >= 500 || response.status === 401) {
      throw new Error(`The processor answered ${response.status}.`);
    }
    return { status: response.status, body: (await response.json()) as unknown };
  }

  async function operate(path: string, body?: unknown): Promise<OperationOutcome> {
    const answer = await call('POST', path, body ?? {});
    if (answer.status === 200) return { status: 'done' };
    if (answer.status === 404) return { status: 'refused', reason: 'unknown_payment' };
    return { status: 'refused', reason: (answer.body as { reason: RefusalReason }).reason };
  }

  return {
    serves: () => true,
    cardEntry,
    methods: ['card', 'bankAccount'],
    ...(cardEntry === 'fields' ? { fields: { scriptUrl: `${url}/fields.js`, origins: [url], config: '' } } : {}),
    async authorize({ paymentId, amountCents, method, source, returnUrl }) {
      const token = source.kind === 'fields' ? { token: source.token } : {};
      const answer = await call('POST', paymentId, { amountCents, method, returnUrl, ...token });
      return toOutcome(answer.body as Described);
    },
    async lookUp({ paymentId }) {
      const answer = await call('GET', paymentId);
      return answer.status === 404 ? { status: 'unknown' } : toOutcome(answer.body as Described);
    },
    capture: ({ paymentId, amountCents }) => operate(`${paymentId}/capture`, { amountCents }),
    void: ({ paymentId }) => operate(`${paymentId}/void`),
    refund: ({ paymentId, refundId, amountCents }) => operate(`${paymentId}/refunds/${refundId}`, { amountCents }),
    readNotification({ body }) {
      const { paymentId } = JSON.parse(body) as { paymentId?: unknown };
      return Promise.resolve(typeof paymentId === 'string' ? paymentId : undefined);
    },
  };
}

function toOutcome({ status, reason, reference, cardLast4, url }: Described): PaymentOutcome {
  if (status === 'authorized') return { status, reference, cardLast4 };
  if (status === 'declined') return { status, reference, reason: reason ?? 'card_declined' };
  return url === undefined ? { status: 'pending' } : { status: 'redirect', url };
}
