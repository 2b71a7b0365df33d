import type { z } from 'zod';
import { failures, type OperationId } from '../../contract/index.js';
import { operationSchemas } from '../../contract/schemas/index.js';
import type { PreparedRequest } from './request.js';

/** The parts of a refused request that say what to mend. */
interface Refused {
  request: PreparedRequest;
  /** The number of the failure, where the answer has one. */
  bridgeCode: number | undefined;
  /** The `details` of the answer. */
  details: unknown;
  /** The wrong field, where the answer names one. */
  field: string | undefined;
}

const [invalidRequest] = failures.invalid_request;
const [unknownKey] = failures.unknown_key;

/** Fields whose values come from the catalogue of the bridge, so that the contract has no list. */
const catalogueFields = ['applicationType', 'licenseType'];

/**
 * The sentence that says what to mend: the wrong field and its rule, or the key that the operation
 * does not have. The rule is that of our schema, which the request breaks too, because the words of
 * an answer may repeat values. `undefined` when nothing is known.
 */
export function brokenRule({ request, bridgeCode, details, field }: Refused): string | undefined {
  const key = bridgeCode === unknownKey ? unacceptedKey(request) : undefined;
  if (key !== undefined) return `It is ${key}.`;
  if (field === undefined) return undefined;
  const rule =
    bridgeCode === invalidRequest ? (ruleOf(request, field) ?? catalogueRule(request, field, details)) : undefined;
  return rule === undefined ? `The field is ${field}.` : `${field}: ${rule}.`;
}

/** The rule of the field in our schema, if the request breaks it. */
function ruleOf(request: PreparedRequest, field: string): string | undefined {
  return (
    issuesOf(request)
      .find(({ path }) => path.map(String).join('.') === field)
      // Like the bridge. Neither our messages nor those of zod quote a value.
      ?.message.replace(/^Invalid input: /, '')
  );
}

/** The first key that our schema does not have. Digits may be a value in the place of a key. */
function unacceptedKey(request: PreparedRequest): string | undefined {
  const issue = issuesOf(request).find(({ code }) => code === 'unrecognized_keys');
  if (issue?.code !== 'unrecognized_keys') return undefined;
  const key = [...issue.path, issue.keys[0] ?? ''].map(String).join('.');
  return /^[a-z][a-z_.]{0,99}$/i.test(key) ? key : undefined;
}

function issuesOf({ operation, url, body }: PreparedRequest): readonly z.core.$ZodIssue[] {
  if (operation === 'request') return [];
  const schemas = operationSchemas[operation satisfies OperationId];
  const query = schemas.query?.safeParse(Object.fromEntries(new URL(url).searchParams));
  const read = body === undefined ? undefined : schemas.body?.safeParse(JSON.parse(body));
  return [...(query?.error?.issues ?? []), ...(read?.error?.issues ?? [])];
}

/**
 * The types that the catalogue of the bridge has. They are words of the answer, so each must be a
 * slug of letters, and no word that was sent with another field.
 */
function catalogueRule({ url, body = '{}' }: PreparedRequest, field: string, details: unknown): string | undefined {
  if (!catalogueFields.includes(field) || typeof details !== 'string') return undefined;
  const [, list] = new RegExp(`^${field}: expected one of ([a-z_]{1,40}(?:, [a-z_]{1,40}){0,49})$`).exec(details) ?? [];
  if (list === undefined) return undefined;
  const others = { ...(JSON.parse(body) as object), [field]: undefined };
  const sent = new Set(`${url} ${JSON.stringify(others)}`.toLowerCase().match(/[a-z]+/g));
  return list.split(/[_ ,]+/).some((word) => sent.has(word)) ? undefined : `expected one of ${list}`;
}
