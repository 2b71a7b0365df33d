import type { z } from 'zod';
import { ApiError } from '../domain/errors/api-error.js';
import { inputLimits } from '../domain/limits/limits.js';
import { findUnstorable } from '../pages/storable-text.js';

/** Reads a large body within a budget: see `BodyBudget.read`. */
type ReadLarge = (
  body: AsyncIterable<Uint8Array> | null,
  use: (body: AsyncIterable<Uint8Array>) => Promise<Uint8Array>,
) => Promise<Uint8Array>;

/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `missing_body`, `malformed_json`,
 *   `invalid_request` or `too_many_requests`.
 */
export async function readJsonBody(request: Request, maxBytes: number, readLarge: ReadLarge): Promise<unknown> {
  const type = request.headers.get('content-type');
  if (type !== null && !isJson(type)) throw notJson('Content-Type: expected application/json');
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') throw notJson('Content-Encoding: expected none');
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  const isSmall = length !== null && Number(length) <= inputLimits.smallBodyBytes.max;
  // Node limits a body to its Content-Length, so a small one needs no check, and no stream, which
  // would be slower.
  const bytes = isSmall
    ? new Uint8Array(await request.arrayBuffer())
    : await readLarge(request.body, (body) => readAtMost(body, maxBytes));
  if (bytes.length === 0) throw new ApiError('missing_body', 'body: expected a JSON object');
  if (type === null) throw notJson('Content-Type: expected application/json');
  assertSimple(bytes);
  return parse(bytes);
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType.trim());
}

function notJson(details: string): ApiError {
  return new ApiError('unsupported_media_type', details);
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('body_too_large', `body: expected at most ${maxBytes} bytes`);
}

/** Counts while it reads, because without a Content-Length the size is unknown. */
async function readAtMost(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,[]{}');

/**
 * Counts values and levels in the bytes before parsing: half a million zeros are parsed quickly,
 * but code that walks over them would block other requests.
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
    if (depth > jsonDepth.max) throw new ApiError('invalid_request', 'body: expected less nesting');
    if (values <= jsonValues.max) continue;
    const details = `body: expected at most ${jsonValues.max.toLocaleString('en-US')} values`;
    throw new ApiError('invalid_request', details);
  }
}

/** The index of the quotation mark that ends a string, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    // Not the message of the parser, which quotes the body.
    throw new ApiError('malformed_json', 'body: expected JSON in UTF-8');
  }
}

/**
 * Checks a value against its schema.
 *
 * @throws ApiError `unknown_key` or `invalid_request`, whose details name the first wrong field and
 *   what was expected.
 */
export function validate<Output>(schema: z.ZodType<Output>, value: unknown, where: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined) {
    const path = pathOf([...unknown.path, unknown.keys[0] ?? ''], where);
    throw new ApiError('unknown_key', `${path}: expected no such key`);
  }
  throw new ApiError('invalid_request', describe(issues.slice(0, maxIssues), where));
}

/**
 * Asserts that every text of a body can be stored.
 *
 * @throws ApiError `invalid_request`, whose details name the field.
 */
export function assertStorableBody(body: unknown): void {
  const path = findUnstorable(body);
  if (path === undefined) return;
  throw new ApiError('invalid_request', `${pathOf([...path], 'body')}: expected text without NUL and half characters`);
}

/** The maximum number of problems in an error: others are often consequences of the first ones. */
const maxIssues = 10;

/** Fields with the same message are listed together. */
function describe(issues: readonly z.core.$ZodIssue[], where: string): string {
  const paths = new Map<string, Set<string>>();
  for (const issue of issues) {
    const expected = expectation(issue);
    paths.set(expected, (paths.get(expected) ?? new Set()).add(pathOf(issue.path, where)));
  }
  return [...paths].map(([expected, fields]) => `${[...fields].join(', ')}: ${expected}`).join('; ');
}

function pathOf(path: PropertyKey[], where: string): string {
  return path.length === 0 ? where : path.map(String).join('.');
}

/** The message of the schema, or zod's, which never quotes the value. */
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^Invalid input: /, '');
}

/** Key names of data that only the user may enter; compared in lower case, without separators. */
const sensitiveName =
  /^ssn|ssn$|^socialsecurity|^itin|^taxid|^taxpayerid|^background|^(answers?|questions?|questionnaire|disclosures?)$|^criminal/;

/**
 * Rejects a body that contains data of the hosted application, at any depth (operations 17 and 18).
 *
 * @throws ApiError `sensitive_key` with the key and the reason, without the value.
 */
export function refuseSensitiveKeys(body: unknown): void {
  const path = findSensitive(body, '');
  if (path === undefined) return;
  throw new ApiError(
    'sensitive_key',
    `${path}: not accepted, so that SSNs and answers to background questions never pass through a partner's systems`,
  );
}

function findSensitive(value: unknown, path: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const pathTo = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) {
    // Indexes are not part of the path: a body may contain half a million numbers.
    for (let index = 0; index < value.length; index += 1) {
      const inside = typeof value[index] === 'object' && findSensitive(value[index], pathTo(String(index)));
      if (inside) return inside;
    }
    return undefined;
  }
  for (const [key, part] of Object.entries(value)) {
    if (sensitiveName.test(key.toLowerCase().replace(/[^a-z]/g, ''))) return pathTo(key);
    const inside = findSensitive(part, pathTo(key));
    if (inside !== undefined) return inside;
  }
  return undefined;
}
