import type { Clock } from '../clock.js';
import { Refusal } from './refusals.js';

const slowestBodyMs = 10_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a body may be. */
export interface BodyLimits {
  maxBytes: number;
  clock: Clock;
}

/** A body, and what it says. */
export interface JsonBody {
  bytes: Uint8Array<ArrayBuffer>;
  value: unknown;
}

/** Reads a JSON body. @throws Refusal when it is of another type, too large, too slow, broken off, empty or not JSON. */
export async function readJson(request: Request, { maxBytes, clock }: BodyLimits): Promise<JsonBody> {
  // Also what keeps other sites' forms out: this type cannot be sent across origins without asking first.
  if (!isJson(request.headers.get('content-type'))) throw new Refusal('unsupported_media_type');
  if (Number(request.headers.get('content-length')) > maxBytes) throw new Refusal('body_too_large');
  if (request.bodyUsed) throw new Refusal('body_already_read');
  const reader = request.body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  const tooSlow = new AbortController();
  const stopTimer = clock.after(slowestBodyMs, () => {
    tooSlow.abort();
    cancel();
  });
  const bytes = await readBytes(reader, maxBytes)
    .catch(() => {
      throw new Refusal('body_broken_off');
    })
    .finally(stopTimer);
  if (tooSlow.signal.aborted) throw new Refusal('body_too_slow');
  if (bytes.length > maxBytes) cancel();
  // The header may be absent or wrong: the bytes count.
  if (bytes.length > maxBytes) throw new Refusal('body_too_large');
  if (bytes.length === 0) throw new Refusal('empty_body');
  try {
    return { bytes, value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    throw new Refusal('malformed_json');
  }
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(contentType.trim());
}

/** Reads until the end, or until there is more than `maxBytes`. */
async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  while (size <= maxBytes) {
    const part = await reader?.read();
    if (!part || part.done) break;
    chunks.push(part.value);
    size += part.value.byteLength;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
