import type { Clock } from '../clock.js';
import { HttpError } from './http-errors.js';

const timeoutMs = 10_000;

/** A JSON body. */
export interface JsonBody {
  /** The body as it arrived. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The parsed body. */
  value: unknown;
}

/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws {@link HttpError} when it is of another type, too large, too slow, interrupted, empty or not JSON.
 */
export async function readJson(request: Request, maxBytes: number, clock: Clock): Promise<JsonBody> {
  // Also keeps forms of other sites out: browsers do not send this type across origins without a preflight.
  if (!isJson(request.headers.get('content-type'))) throw new HttpError('unsupported_media_type');
  if (Number(request.headers.get('content-length')) > maxBytes) throw new HttpError('body_too_large');
  if (request.bodyUsed) throw new HttpError('body_already_read');
  const bytes = await readBytes(request, maxBytes, clock);
  if (bytes.length === 0) throw new HttpError('empty_body');
  try {
    return { bytes, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    throw new HttpError('invalid_json');
  }
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(contentType.trim());
}

async function readBytes(request: Request, maxBytes: number, clock: Clock): Promise<Uint8Array<ArrayBuffer>> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const tooSlow = new AbortController();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  const stopTimer = clock.after(timeoutMs, () => {
    tooSlow.abort();
    cancel();
  });
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      chunks.push(part.value);
      size += part.value.byteLength;
      // The header may be absent or wrong, so the bytes count.
      if (size > maxBytes) throw new HttpError('body_too_large');
    }
  } catch (error) {
    cancel();
    throw error instanceof HttpError ? error : new HttpError('body_interrupted');
  } finally {
    stopTimer();
  }
  if (tooSlow.signal.aborted) throw new HttpError('body_too_slow');
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
