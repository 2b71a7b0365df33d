import type { Arrival, OpenBody } from './arrival.js';
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
export async function readJson(request: Arrival, { maxBytes, clock }: BodyLimits): Promise<JsonBody> {
  // Also what keeps other sites' forms out: this type cannot be sent across origins without asking first.
  if (!isJson(request.headers.get('content-type'))) throw new Refusal('unsupported_media_type');
  if (Number(request.headers.get('content-length')) > maxBytes) throw new Refusal('body_too_large');
  const { bytes: reading, cancel } = request.open?.(maxBytes) ?? openBody(request, maxBytes);
  const wait = { isOver: false };
  const broken = () => {
    throw new Refusal('body_broken_off');
  };
  // Most are there already, and a timer would be dearer than to read them.
  const bytes = await (cancel
    ? reading.catch(broken).finally(
        clock.after(slowestBodyMs, () => {
          wait.isOver = true;
          cancel();
        }),
      )
    : reading);
  if (wait.isOver) throw new Refusal('body_too_slow');
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

function openBody(request: Arrival, maxBytes: number): OpenBody {
  if (request.bodyUsed) throw new Refusal('body_already_read');
  const reader = request.body?.getReader();
  function cancel(): void {
    void reader?.cancel().catch(() => undefined);
  }
  async function read(): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      chunks.push(part.value);
      size += part.value.byteLength;
      if (size > maxBytes) {
        cancel();
        break;
      }
    }
    const [only] = chunks;
    // Most bodies arrive in one piece.
    return chunks.length === 1 && only ? only : new Uint8Array(await new Blob(chunks).arrayBuffer());
  }
  return { bytes: read(), cancel };
}
