import { Agent, request, type Dispatcher } from 'undici';
import type { Mode } from '../../contract/index.js';
import { mayReachLoopback } from '../domain/sessions/webhook-url.js';
import { createCheckingConnector, type ConnectorOptions } from './checking-connector.js';
import { parseRetryAfter } from './retry-schedule.js';

/** A webhook as it is sent. */
export interface Delivery {
  /** The event's id. */
  id: string;
  url: string;
  mode: Mode;
  /** The whole body, JSON. */
  body: string;
  /** Sent as `x-request-id`: the request, job or command that caused the event. */
  requestId: string | null;
}

/** What the receiver said, or why nothing came. */
export interface DeliveryResult {
  /** The HTTP status; null when none came. */
  status: number | null;
  /** Why it failed: `status`, `redirect`, `timeout`, `address_refused` or `network`; null on 2xx. */
  error: 'status' | 'redirect' | 'timeout' | 'address_refused' | 'network' | null;
  retryAfterSeconds: number | undefined;
  durationMs: number;
}

/** Sends webhooks. */
export interface Courier {
  /** Sends one and never rejects for what the receiver or the network does. Rejects when `signal` aborts. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult>;
  close(): Promise<void>;
}

/** How long a receiver may take, in milliseconds. */
const deliveryTimeoutMs = 10_000;

/** What a receiver answers is of no interest; this much is read so that the connection can be used again. */
const maxResponseBytes = 16_384;

/** What can be put in place of the default. */
export interface CourierOptions {
  /** Whether test mode's webhooks may go to loopback (`BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`). Default: `false`. */
  isLoopbackAllowed?: boolean;
  /** How long a receiver may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** What stands for the network in tests. */
  connector?: ConnectorOptions;
}

/** Makes the courier. */
export function createCourier(clock: () => Date, options: CourierOptions = {}): Courier {
  const timeoutMs = options.timeoutMs ?? deliveryTimeoutMs;
  const agentFor = (mode: Mode) =>
    new Agent({
      connect: createCheckingConnector(mayReachLoopback(mode, options.isLoopbackAllowed === true), options.connector),
      keepAliveTimeout: 4_000,
      maxResponseSize: -1,
    });
  const agents: Record<Mode, Agent> = { live: agentFor('live'), test: agentFor('test') };
  return {
    async deliver(delivery, signal) {
      const startedAt = clock();
      const timeout = AbortSignal.timeout(timeoutMs);
      const finish = (result: Omit<DeliveryResult, 'durationMs'>): DeliveryResult => ({
        ...result,
        durationMs: Math.max(0, clock().getTime() - startedAt.getTime()),
      });
      try {
        const answer = await send(delivery, agents[delivery.mode], startedAt, AbortSignal.any([timeout, signal]));
        return finish(judge(answer, clock()));
      } catch (error) {
        if (signal.aborted && !timeout.aborted) throw error;
        return finish({ status: null, error: reasonOf(error, timeout), retryAfterSeconds: undefined });
      }
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

async function send(
  delivery: Delivery,
  dispatcher: Agent,
  now: Date,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  // undici's `request` follows no redirects: a redirect could lead where the address check would not let us go.
  const answer = await request(delivery.url, {
    method: 'POST',
    dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'licensing-bridge',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      ...(delivery.requestId === null ? {} : { 'x-request-id': delivery.requestId }),
    },
    body: delivery.body,
  });
  // Not waited for: the status has decided, and a body that drips for ever must not hold up the line.
  answer.body.dump({ limit: maxResponseBytes, signal }).catch(() => undefined);
  return answer;
}

function judge({ statusCode, headers }: Dispatcher.ResponseData, now: Date): Omit<DeliveryResult, 'durationMs'> {
  const header = headers['retry-after'];
  const retryAfterSeconds = parseRetryAfter(Array.isArray(header) ? header[0] : header, now);
  if (statusCode >= 200 && statusCode < 300) return { status: statusCode, error: null, retryAfterSeconds: undefined };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return { status: statusCode, error: isRedirect ? 'redirect' : 'status', retryAfterSeconds };
}

function reasonOf(error: unknown, timeout: AbortSignal): 'timeout' | 'address_refused' | 'network' {
  if (timeout.aborted) return 'timeout';
  const { code } = error as { code?: string };
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  return /TIMEOUT/.test(code ?? '') ? 'timeout' : 'network';
}
