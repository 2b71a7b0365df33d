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

/** Reads a JSON body. @throws Refusal when it is of another type, too large, too slow, empty or not JSON. */
export async function readJson(request: Request, limits: BodyLimits): Promise<JsonBody> {
  // Also what keeps other sites' forms out: this type cannot be sent across origins without asking first.
  if (!isJson(request.headers.get('content-type'))) throw new Refusal('unsupported_media_type');
  const bytes = await readBytes(request, limits);
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

async function readBytes(request: Request, { maxBytes, clock }: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed) throw new Refusal('body_already_read');
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new Refusal('body_too_large');
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const wait = { isOver: false };
  const stopWaiting = clock.after(slowestBodyMs, () => {
    wait.isOver = true;
    void reader.cancel().catch(() => undefined);
  });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      // The header may be absent or wrong: the bytes count.
      if (size > maxBytes) throw new Refusal('body_too_large');
      chunks.push(part.value);
    }
  } finally {
    stopWaiting();
    if (size > maxBytes) void reader.cancel().catch(() => undefined);
  }
  if (wait.isOver) throw new Refusal('body_too_slow');
  const [only] = chunks;
  // Most bodies arrive in one piece.
  return chunks.length === 1 && only ? only : new Uint8Array(await new Blob(chunks).arrayBuffer());
}
