import { BridgeFailure } from '../domain/failure.js';

/** The largest body in bytes. */
export const maxBodyBytes = 1_048_576;

/** Deeper than any body of ours, and shallow enough to walk without running out of stack. */
const maxDepth = 32;

/**
 * Reads a JSON body.
 *
 * @throws BridgeFailure `unsupported_media_type`, `body_too_large`, `missing_body`, `malformed_json` or `invalid_request`.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type');
  if (type !== null && !isJson(type)) throw notJson('Content-Type: expected application/json');
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') throw notJson('Content-Encoding: expected none');
  const length = request.headers.get('content-length');
  if (Number(length) > maxBodyBytes) throw tooLarge();
  // Node lets no body be longer than its Content-Length says: nothing to count, and no stream to be made, which takes its time.
  const bytes = length === null ? await readAtMost(request, maxBodyBytes) : new Uint8Array(await request.arrayBuffer());
  if (bytes.length === 0) throw new BridgeFailure('missing_body', 'body: expected a JSON object');
  if (type === null) throw notJson('Content-Type: expected application/json');
  const body = parse(bytes);
  if (depthExceeds(body, maxDepth)) throw new BridgeFailure('invalid_request', 'body: expected less nesting');
  return body;
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType.trim());
}

function notJson(details: string): BridgeFailure {
  return new BridgeFailure('unsupported_media_type', details);
}

function tooLarge(): BridgeFailure {
  return new BridgeFailure('body_too_large', `body: expected at most ${String(maxBodyBytes)} bytes`);
}

/** Counts while it reads: without a Content-Length nothing else says how much will come. */
async function readAtMost(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    // Not the parser's own words: they quote the body.
    throw new BridgeFailure('malformed_json', 'body: expected JSON in UTF-8');
  }
}

function depthExceeds(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((part): unknown[] => (part !== null && typeof part === 'object' ? Object.values(part) : []));
  }
  return false;
}
