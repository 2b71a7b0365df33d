import type { ReceivedWebhookEvent } from '../../contract/index.js';
import { webhookEventSchema } from '../../contract/schemas/index.js';
import { systemClock, withTimeout, type Clock } from '../scheduling.js';
import { HttpError } from '../http/reply.js';
import { readJson } from '../http/request.js';
import { createSignatureVerifier, createWebhookTokens, type WebhookTokens } from './webhook-proof.js';

/** A webhook whose URL was verified. */
export interface ReceivedWebhook {
  /** The id that is signed into the URL; `account` for the URL of `accountWebhookUrl()`. */
  id: string;
  /** The event in the body. A hint: read the application from the bridge before you act on it. */
  event: ReceivedWebhookEvent;
  /**
   * The application that the URL was created for, where the handler knows it. Never taken from the
   * body.
   */
  applicationId?: string | undefined;
  /**
   * The user that the URL was created for, where the handler knows it. Never taken from the body.
   */
  userId?: string | undefined;
  /**
   * The peer address of the connection, where the runtime provides it. Behind a proxy, that of the
   * proxy.
   */
  peerAddress?: string | undefined;
}

/** `true` accepts a webhook; `false`, or a reason for the log, refuses it with 403. */
export type WebhookVerdict = boolean | { reason: string };

/**
 * A check of your own, such as {@link allowAddresses}. It runs once the URL is verified, before
 * anything is read from the bridge or acknowledged. It can read the body of `request`. When it
 * throws, or takes longer than 5 seconds, the answer is 503 and the sender repeats the webhook.
 */
export type WebhookVerifier = (request: Request, webhook: ReceivedWebhook) => WebhookVerdict | Promise<WebhookVerdict>;

/** Options of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  /** The secret of {@link createWebhookUrl}, or several while it is being rotated. */
  secret: string | readonly string[];
  /**
   * The secret with which the bridge signs webhooks (`whsec_…`), or several while it is being
   * rotated. Default: none, and signatures are not read.
   */
  webhookSecret?: string | readonly string[];
  /** A check of your own. Default: none. */
  verify?: WebhookVerifier;
  /** The peer address of the connection, for {@link allowAddresses}. */
  peerAddress?: string | undefined;
  /**
   * The most bytes of a body. `producer.updated` with the record of a producer has up to 5 MiB.
   * Default: 65,536.
   */
  maxBytes?: number | undefined;
}

const standardMaxBytes = 64 * 1024;
const verifierTimeoutMs = 5_000;

/**
 * Creates a webhook URL for createSession (operation 18), for backends that do not use
 * `createLicensingHandler`. The URL is the proof of its webhooks: never log it.
 *
 * @param base The URL of your route, to which the token is appended.
 * @param id Your id of the record that the webhooks are for: 22 characters of base64url, such as 16
 *   random bytes.
 */
export async function createWebhookUrl(base: string, id: string, secret: string | readonly string[]): Promise<string> {
  if (!/^[\w-]{22}$/.test(id)) throw new TypeError('id must be 22 characters of base64url.');
  return `${base.replace(/\/+$/, '')}/${await createWebhookTokens(secret).create(id)}`;
}

/**
 * Verifies a webhook that was sent to a URL of {@link createWebhookUrl}, for backends that do not
 * use `createLicensingHandler`. Resolves with the id of the URL and the event.
 *
 * @throws `LicensingHttpError`. Answer with its `status`: 404 when the URL is not ours, 403 when
 *   the signature is not valid or `verify` refused. 400, 408, 413 and 415 are about the body.
 */
export async function verifyWebhook(
  request: Request,
  { secret, webhookSecret, verify, peerAddress, maxBytes }: VerifyWebhookOptions,
): Promise<ReceivedWebhook> {
  const id = await verifyToken(createWebhookTokens(secret), new URL(request.url).pathname.split('/').at(-1) ?? '');
  const { bytes, event } = await readEvent(request, systemClock, maxBytes);
  if (webhookSecret !== undefined) {
    await createSignatureVerifier(webhookSecret)(request.headers, bytes, systemClock.now());
  }
  const webhook = { id, event, peerAddress };
  if (verify) await runVerifier(verify, copyOf(request, bytes), webhook, systemClock);
  return webhook;
}

/** Returns the id of a token. @throws {@link HttpError} when none of the secrets signed it. */
export async function verifyToken(tokens: WebhookTokens, token: string): Promise<string> {
  const id = await tokens.verify(token);
  // Like an unknown URL, so that the answer says nothing about the reason.
  if (id === undefined) throw new HttpError('unknown_route');
  return id;
}

/** Reads the event of a webhook. @throws {@link HttpError} */
export async function readEvent(
  request: Request,
  clock: Clock,
  limit = standardMaxBytes,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; event: ReceivedWebhookEvent }> {
  const { bytes, value } = await readJson(request, limit, clock);
  return { bytes, event: webhookEventSchema.parse(value) };
}

/**
 * Runs a check of the partner.
 *
 * @throws {@link HttpError} `webhook_refused` when it refuses; an Error when it fails.
 */
export async function runVerifier(
  verify: WebhookVerifier,
  request: Request,
  webhook: ReceivedWebhook,
  clock: Clock,
): Promise<void> {
  const verdict: unknown = await withTimeout(clock, verifierTimeoutMs, 'verifyWebhook', () => verify(request, webhook));
  if (verdict === true) return;
  // Other truthy values, such as a promise without `await`, do not accept a webhook.
  const reason = verdict === false ? 'verifyWebhook returned false' : (verdict as { reason?: unknown } | null)?.reason;
  if (typeof reason !== 'string') throw new TypeError('verifyWebhook must return true, false or {reason}.');
  throw new HttpError('webhook_refused', {}, reason);
}

/** Returns a copy of a request, with its body. */
export function copyOf({ url, method, headers }: Request, body: Uint8Array<ArrayBuffer>): Request {
  return new Request(url, { method, headers, body });
}
