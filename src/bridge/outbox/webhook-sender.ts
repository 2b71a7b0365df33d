import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import type { Mode } from '../../contract/index.js';
import { signWebhook } from '../domain/accounts/agency.js';
import { findSendFailure, type SendFailureName } from '../domain/webhooks/send-failures.js';
import { isAllowedAddress, mayReachLoopback } from '../domain/values/partner-urls.js';

/** A webhook as it is sent. */
export interface Webhook {
  /** The event's id. */
  id: string;
  url: string;
  mode: Mode;
  /** The whole body, JSON. */
  body: string;
  /** Sent as `x-request-id`: the request, job or command that caused the event. */
  requestId: string | null;
  /** Sent unchanged, so that the receiver can continue the trace. */
  traceparent: string | null;
  /** The signing secret; null without signatures. */
  secret: string | null;
}

/** The receiver's response, or the failure. */
export interface SendResult {
  /** The HTTP status; null without a response. */
  status: number | null;
  /** The failure; null on 2xx. */
  error: SendFailureName | null;
  /** The code of Node, OpenSSL or undici; absent where there was none. */
  code?: string;
  retryAfterSeconds: number | undefined;
  durationMs: number;
}

/** Sends webhooks. */
export interface WebhookSender {
  /**
   * Sends a webhook. Does not reject for failures of the receiver or the network. Rejects when
   * `signal` aborts.
   */
  send(webhook: Webhook, signal: AbortSignal): Promise<SendResult>;
  close(): Promise<void>;
}

/** The timeout of a receiver, in milliseconds. */
const sendTimeoutMs = 10_000;

/** The part of the timeout for the connection: otherwise a lost connection and a slow answer look the same. */
const connectShare = 0.5;

/**
 * The body of a response is not used; this many bytes are read so that the connection can be
 * reused.
 */
const maxResponseBytes = 16_384;

/** Options of the sender. */
export interface WebhookSenderOptions {
  /**
   * Whether webhooks of test mode may be sent to loopback (`BRIDGE_ALLOW_LOOPBACK_WEBHOOKS`).
   * Default: `false`.
   */
  isLoopbackAllowed?: boolean;
  /** The timeout of a receiver, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** A replacement of the network for tests. */
  connector?: ConnectorOptions;
}

/** Creates the sender. */
export function createWebhookSender(clock: () => Date, options: WebhookSenderOptions = {}): WebhookSender {
  const timeoutMs = options.timeoutMs ?? sendTimeoutMs;
  const agentFor = (mode: Mode) =>
    new Agent({
      connect: createCheckingConnector(mayReachLoopback(mode, options.isLoopbackAllowed === true), {
        timeoutMs: timeoutMs * connectShare,
        ...options.connector,
      }),
      keepAliveTimeout: 4_000,
      maxResponseSize: -1,
    });
  const agents: Record<Mode, Agent> = { live: agentFor('live'), test: agentFor('test') };
  return {
    async send(webhook, signal) {
      const startedAt = clock();
      const timeout = AbortSignal.timeout(timeoutMs);
      const finish = (result: Omit<SendResult, 'durationMs'>): SendResult => ({
        ...result,
        durationMs: Math.max(0, clock().getTime() - startedAt.getTime()),
      });
      try {
        const answer = await post(webhook, agents[webhook.mode], startedAt, AbortSignal.any([timeout, signal]));
        return finish(classifyResponse(answer, clock()));
      } catch (error) {
        if (signal.aborted && !timeout.aborted) throw error;
        return finish({ status: null, ...reasonOf(error, timeout), retryAfterSeconds: undefined });
      }
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

async function post(
  webhook: Webhook,
  dispatcher: Agent,
  now: Date,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  // undici's `request` does not follow redirects, which could bypass the check of the IP address.
  const answer = await request(webhook.url, {
    method: 'POST',
    dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'licensing-bridge',
      'webhook-id': webhook.id,
      'webhook-timestamp': timestamp,
      ...(webhook.requestId === null ? {} : { 'x-request-id': webhook.requestId }),
      ...(webhook.traceparent === null ? {} : { traceparent: webhook.traceparent }),
      ...(webhook.secret === null
        ? {}
        : { 'webhook-signature': signWebhook(webhook.secret, { ...webhook, timestamp }) }),
    },
    body: webhook.body,
  });
  // Not awaited: the status is known, and an endless body must not block the stream.
  answer.body.dump({ limit: maxResponseBytes, signal }).catch(() => undefined);
  return answer;
}

function classifyResponse({ statusCode, headers }: Dispatcher.ResponseData, now: Date): Omit<SendResult, 'durationMs'> {
  const header = headers['retry-after'];
  const retryAfterSeconds = parseRetryAfter(Array.isArray(header) ? header[0] : header, now);
  if (statusCode >= 200 && statusCode < 300) return { status: statusCode, error: null, retryAfterSeconds: undefined };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return { status: statusCode, error: isRedirect ? 'redirect' : 'status', retryAfterSeconds };
}

function reasonOf(error: unknown, timeout: AbortSignal): Pick<SendResult, 'error' | 'code'> {
  if (timeout.aborted) return { error: 'answer_timeout' };
  const { code, name } = error as { code?: unknown; name?: unknown };
  // The parser of undici gives most of its errors no code.
  if (code === undefined && name === 'HTTPParserError') return { error: 'answer_invalid' };
  // Only constants of the platform: other texts may contain a part of the URL.
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return { error: 'network' };
  return { error: findSendFailure(code), code };
}

/** Reads `Retry-After`: seconds or a date. Anything else counts as absent. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  // Date.parse accepts almost anything, also "-5".
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1_000);
}

/** Resolves a host name to all its IP addresses. */
export type ResolveAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Replacements of network functions for tests. */
export interface ConnectorOptions {
  /** Default: the system's resolver. */
  resolve?: ResolveAll;
  /** Opens the connection. Default: undici's own. */
  connect?: typeof buildConnector;
  /** The timeout of a connection with its TLS handshake, in milliseconds. Default: 5,000. */
  timeoutMs?: number;
}

/** A webhook URL has an IP address that the bridge does not connect to. */
export class AddressRejected extends Error {
  override readonly name = 'AddressRejected';
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * A connector for undici that checks the IP address of the connection, not the host name, because a
 * name can resolve to different addresses (DNS rebinding). An IP literal does not reach `lookup`,
 * so it is checked before.
 */
export function createCheckingConnector(
  isLoopbackAllowed: boolean,
  options: ConnectorOptions = {},
): buildConnector.connector {
  const resolve = options.resolve ?? resolveBySystem;
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname, (error, addresses) => {
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, isLoopbackAllowed));
      const [first] = allowed;
      if (error !== null || first === undefined) {
        callback(error ?? new AddressRejected('The name has no address that webhooks may go to.'), []);
      } else if (all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
  const timeout = options.timeoutMs ?? sendTimeoutMs * connectShare;
  const connect = (options.connect ?? buildConnector)({ lookup, timeout });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowedAddress(host, isLoopbackAllowed)) {
      callback(new AddressRejected('Webhooks may not go to this address.'), null);
      return;
    }
    connect(target, callback);
  };
}

function resolveBySystem(hostname: string, callback: Parameters<ResolveAll>[1]): void {
  // RFC 6761: every name below `localhost` is loopback. Not every resolver supports that.
  const name = /(^|\.)localhost\.?$/i.test(hostname) ? 'localhost' : hostname;
  systemLookup(name, { all: true }, (error, addresses) => {
    callback(error, error === null ? addresses : []);
  });
}
