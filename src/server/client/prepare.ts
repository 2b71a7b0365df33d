import { operations } from '../../contract/index.js';
import type { Operation, OperationId, OperationTypes } from '../../contract/index.js';
import { ssnShapes } from '../redact.js';
import { repeatingOf, type Repeating } from './repeating.js';

/** What a call of an operation needs: its path parameters, query and body, each only where the operation has one. */
export type CallInput<Id extends OperationId> = {
  [Part in keyof Parts<Id> as Parts<Id>[Part] extends undefined ? never : Part]: Parts<Id>[Part];
};
type Parts<Id extends OperationId> = Pick<OperationTypes[Id], 'params' | 'query' | 'body'>;

/** {@link CallInput} of any operation. */
export interface AnyInput {
  params?: object;
  query?: object;
  body?: object;
}

/** A request without its token, the same in every attempt. */
export interface PreparedRequest {
  id: OperationId;
  operation: Operation;
  url: string;
  body: string | undefined;
  idempotencyKey: string | undefined;
  repeating: Repeating;
  /** What it carries that must not come back in an error, whoever put it there. */
  secrets: readonly (string | RegExp)[];
}

/** The paths of the table, cut before and behind each parameter: every second piece is the name of one. */
const pathPieces = Object.fromEntries(
  Object.entries(operations).map(([id, { path }]) => [id, path.split(/[{}]/)]),
) as Record<OperationId, string[]>;

/** What only the user may enter, in the hosted application. */
const sensitiveKey = /^(ssn|social[_-]?security.*|background[_-]?(questions|answers).*)$/i;

/**
 * Builds the request of an operation.
 * @throws TypeError when the caller made a mistake; nothing was sent then.
 */
export function prepareRequest(
  id: OperationId,
  baseUrl: string,
  input: AnyInput,
  idempotencyKey?: string,
): PreparedRequest {
  const operation: Operation = operations[id];
  const { ssn, onboardType }: { ssn?: unknown; onboardType?: unknown } = input.body ?? {};
  return {
    id,
    operation,
    url: `${baseUrl}${pathText(id, input.params)}${queryText(id, input.query)}`,
    body: operation.body ? bodyText(id, input.body, onboardType) : undefined,
    idempotencyKey: checkedKey(id, idempotencyKey),
    repeating: repeatingOf(id, onboardType),
    secrets: /string|number/.test(typeof ssn) ? ssnShapes(String(ssn)) : [],
  };
}

function pathText(id: OperationId, params: object = {}): string {
  const values = params as Readonly<Record<string, unknown>>;
  return pathPieces[id]
    .map((piece, index) => (index % 2 === 0 ? piece : pathSegment(id, piece, values[piece])))
    .join('');
}

function pathSegment(id: OperationId, name: string, value: unknown): string {
  // "." and ".." survive encoding and would change which operation is called; half a character cannot be encoded.
  if (typeof value !== 'string' || /^\.{0,2}$|\p{Cs}/u.test(value)) {
    throw new TypeError(`${id}: ${name} must be a text that is not empty.`);
  }
  return encodeURIComponent(value);
}

/** A list becomes a repeated parameter: a comma would be encoded, and not every host decodes before it splits. */
function queryText(id: OperationId, query: object | undefined): string {
  if (!query) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined) continue;
    const items: unknown[] = Array.isArray(value) ? value : [value];
    if (items.length === 0) throw new TypeError(`${id}: ${name} must not be empty.`);
    for (const item of items) search.append(name, queryItem(id, name, item));
  }
  return search.size ? `?${search.toString()}` : '';
}

function queryItem(id: OperationId, name: string, item: unknown): string {
  if (typeof item === 'string' && item !== '') return item;
  if (Number.isSafeInteger(item) && Number(item) > 0) return String(item);
  throw new TypeError(`${id}: ${name} must be a text that is not empty, or a number from 1.`);
}

function bodyText(id: OperationId, body: unknown, onboardType: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TypeError(`${id}: the body must be an object.`);
  }
  // The two calls whose purpose is to send an SSN that the agency itself knows.
  const takesSsn = id === 'lookUpNpn' || (id === 'onboardProducer' && onboardType === 'team');
  return JSON.stringify(body, function refuseSensitive(key, value: unknown) {
    // The bridge would refuse it too, but then it would have left this machine already.
    if (sensitiveKey.test(key) && !(takesSsn && this === body && key === 'ssn')) {
      throw new TypeError(
        `${id}: remove "${key}". The user enters it in the hosted application. Only lookUpNpn and the onboard type "team" take an "ssn".`,
      );
    }
    return value;
  });
}

function checkedKey(id: OperationId, key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new TypeError(`${id}: idempotencyKey must be 1–255 visible ASCII characters.`);
  }
  return key;
}
