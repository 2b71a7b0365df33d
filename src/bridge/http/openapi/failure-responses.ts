import { failures, failureStatus, type FailureName } from '../../../contract/index.js';
import { bodyBytes, rateInWords, rateLimits } from '../../domain/limits/limits.js';

/** The `x-request-id` of every response. */
export const requestIdHeader = {
  'x-request-id': { $ref: '#/components/headers/RequestId' },
};

interface FailureDocs {
  name: string;
  description: string;
  example: FailureName;
  details: string;
  header?: Record<string, object>;
}

/** The rate limits of operations. */
const inApi = [
  rateLimits.requests,
  rateLimits.inventedTokens,
  rateLimits.logins,
  rateLimits.failedLogins,
  rateLimits.ssnMisses,
];

const retryAfter = {
  'Retry-After': {
    required: true,
    description: 'The number of seconds to wait.',
    schema: { type: 'integer', minimum: 0 },
    example: 30,
  },
};

const docs: Record<number, FailureDocs> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter or the body is missing or invalid.',
    example: 'invalid_request',
    details: 'npn: expected 1 to 10 digits that are not all zero',
  },
  401: {
    name: 'Unauthorized',
    description: 'The token or the client credentials are missing or wrong.',
    example: 'invalid_token',
    details: 'Authorization: expected a valid bearer token',
    header: {
      'WWW-Authenticate': {
        required: true,
        description: 'How to authenticate.',
        schema: { type: 'string', const: 'Bearer' },
        example: 'Bearer',
      },
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The agency has no right to this operation.',
    example: 'onboard_type_not_allowed',
    details: 'onboardType: expected one that is enabled for this agency',
  },
  404: {
    name: 'NotFound',
    description: 'The agency has no object with this id.',
    example: 'unknown_application',
    details: 'applicationId: expected the id of an application',
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not support this method.',
    example: 'method_not_allowed',
    details: 'method: expected POST',
    header: {
      Allow: {
        required: true,
        description: 'The methods of the path, separated by commas.',
        schema: { type: 'string', pattern: '^[A-Z]+( *, *[A-Z]+)*$' },
        example: 'POST',
      },
    },
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body is larger than this operation accepts.',
    example: 'body_too_large',
    details: `body: expected at most ${bodyBytes.createSession} bytes`,
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type of the body is not JSON.',
    example: 'unsupported_media_type',
    details: 'Content-Type: expected application/json',
  },
  429: {
    name: 'TooManyRequests',
    description: `More than ${inApi.map(rateInWords).join(', or ')}; or too many large bodies at once.`,
    example: 'too_many_requests',
    details: `limit: expected at most ${rateInWords(rateLimits.requests)}`,
    header: retryAfter,
  },
  500: {
    name: 'ServerError',
    description: 'The bridge failed. `details` contains the id of the request and nothing internal.',
    example: 'internal',
    details: 'request id: req_2b3c4d5e',
  },
  503: {
    name: 'Unavailable',
    description: 'The bridge, its database or a system behind it is unavailable. Nothing is wrong with the request.',
    example: 'not_ready',
    details: 'bridge: its database is unavailable; try again',
    header: retryAfter,
  },
};

/** A reference to the error response of a status. */
export function failureReference(status: number): { $ref: string } {
  const name = docs[status]?.name;
  if (name === undefined) throw new Error(`No failure of status ${status} is described.`);
  return { $ref: `#/components/responses/${name}` };
}

/**
 * One response per status. `code` is a range, because a new number in the error catalogue must not
 * break clients.
 */
export function failureResponses(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(docs).map(([status, entry]) => [entry.name, response(Number(status), entry)]),
  );
}

function response(status: number, { description, example, details, header }: FailureDocs): object {
  const [code, errorMessage] = failures[example];
  const range = { type: 'integer', minimum: status * 100 + 1, maximum: status * 100 + 99 };
  return {
    description: `${description} ${codesOf(status)}`,
    headers: { ...requestIdHeader, ...header },
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/ErrorBody' }, { properties: { code: range } }] },
        example: { code, details, errorMessage },
      },
    },
  };
}

/** The numbers of the error catalogue for a status, shown with its response. */
function codesOf(status: number): string {
  const names = (Object.keys(failures) as FailureName[]).filter((name) => failureStatus(name) === status);
  return `\n\n${names.map((name) => `- \`${failures[name][0]}\` ${failures[name][1]}`).join('\n')}`;
}
