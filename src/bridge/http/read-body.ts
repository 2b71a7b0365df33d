import { BridgeFailure } from '../domain/failure.js';
import type { BodyBudget } from '../domain/limits/body-budget.js';
import { inputLimits } from '../domain/limits/limits.js';

/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws BridgeFailure `unsupported_media_type`, `body_too_large`, `missing_body`, `malformed_json`, `invalid_request` or
 * `too_many_requests`.
 */
export async function readJsonBody(request: Request, maxBytes: number, budget: BodyBudget): Promise<unknown> {
  const type = request.headers.get('content-type');
  if (type !== null && !isJson(type)) throw notJson('Content-Type: expected application/json');
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') throw notJson('Content-Encoding: expected none');
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  return budget.hold(length === null ? maxBytes : Number(length), async () => {
    // Node lets no body be longer than its Content-Length says: nothing to count, and no stream to be made, which takes its time.
    const bytes = length === null ? await readAtMost(request, maxBytes) : new Uint8Array(await request.arrayBuffer());
    if (bytes.length === 0) throw new BridgeFailure('missing_body', 'body: expected a JSON object');
    if (type === null) throw notJson('Content-Type: expected application/json');
    assertSimple(bytes);
    return parse(bytes);
  });
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType.trim());
}

function notJson(details: string): BridgeFailure {
  return new BridgeFailure('unsupported_media_type', details);
}

function tooLarge(maxBytes: number): BridgeFailure {
  return new BridgeFailure('body_too_large', `body: expected at most ${String(maxBytes)} bytes`);
}

/** Counts while it reads: without a Content-Length nothing else says how much will come. */
async function readAtMost(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,[]{}');

/**
 * Counts values and levels in the bytes, before anything is parsed: half a million zeros are parsed in no time, but whatever then
 * walks over them holds up every other caller.
 */
function assertSimple(bytes: Uint8Array): void {
  const { jsonDepth, jsonValues } = inputLimits;
  let [depth, values] = [0, 1];
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfText(bytes, index);
    else if (byte === comma) values += 1;
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      values += 1;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    if (depth > jsonDepth.max) throw new BridgeFailure('invalid_request', 'body: expected less nesting');
    if (values <= jsonValues.max) continue;
    const details = `body: expected at most ${jsonValues.max.toLocaleString('en-US')} values`;
    throw new BridgeFailure('invalid_request', details);
  }
}

/** The place of the quotation mark that ends a text, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    // Not the parser's own words: they quote the body.
    throw new BridgeFailure('malformed_json', 'body: expected JSON in UTF-8');
  }
}
