import { z } from 'zod';
import {
  operations,
  webhookEvents,
  type Operation,
  type OperationId,
  type WebhookEventType,
} from '../../../contract/index.js';
import {
  errorBody,
  eventSchemas,
  operationSchemas,
  pathSchemas,
  type OperationSchemas,
} from '../../../contract/schemas/index.js';
import { bodyBytes, rateInWords, rateLimits } from '../../domain/limits/limits.js';
import { eventsTag, webhookCall, webhookParameters } from './events.js';
import { failureReference, failureResponses, requestIdHeader } from './failure-responses.js';
import { operationEntries, tags, type OperationEntry } from './operations/index.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Creates the OpenAPI 3.1 document of the API at a URL, from the table of operations and the
 * schemas of requests.
 */
export function createOpenApiDocument(bridgeUrl: string) {
  const { places, named } = toJsonSchemas();
  const events = Object.keys(webhookEvents) as WebhookEventType[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Producer Licensing Bridge',
      version: '1.0',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: bridgeUrl }],
    security: [{ ApiKeyAuth: [] }],
    tags: [...Object.entries(tags).map(([name, description]) => ({ name, description })), eventsTag],
    paths: toPaths(places),
    webhooks: Object.fromEntries(events.map((type) => [type, { post: webhookCall(type, places[type] ?? {}) }])),
    components: {
      schemas: named,
      responses: failureResponses(),
      headers: {
        RequestId: {
          required: true,
          description: 'The id of this request. Include it when you report a failure.',
          schema: { type: 'string', minLength: 1 },
          example: 'req_2b3c4d5e',
        },
      },
      parameters: webhookParameters,
      securitySchemes: {
        ApiKeyAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token from `login`, opaque to the caller.',
        },
      },
    },
  };
}

/**
 * The schemas of the API as JSON Schema: by their position, such as `login body`, and those with an
 * `id` by the id.
 */
function toJsonSchemas(): { places: Record<string, JsonSchema>; named: Record<string, JsonSchema> } {
  const everything = z.object({ ErrorBody: errorBody, ...eventSchemas, ...placedSchemas() });
  // Only schemas of requests transform values.
  const json = z.toJSONSchema(everything, { io: 'input', override: simplify });
  const { properties, $defs } = JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/')) as {
    properties: Record<string, JsonSchema>;
    $defs: Record<string, JsonSchema>;
  };
  return { places: properties, named: $defs };
}

function placedSchemas(): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = {};
  for (const [name, schema] of Object.entries(pathSchemas)) schemas[`path ${name}`] = schema;
  for (const id of Object.keys(operations) as OperationId[]) {
    const { body, query, response }: OperationSchemas = operationSchemas[id];
    if (body !== undefined) schemas[`${id} body`] = body;
    for (const [name, schema] of Object.entries(query?.shape ?? {})) schemas[`query ${name}`] = schema as z.ZodType;
    schemas[`${id} answer`] = response;
  }
  return schemas;
}

/** zod's long patterns only repeat these formats. */
const formatsWithoutPattern: ReadonlySet<unknown> = new Set(['email', 'date', 'uuid']);

function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  // Only for the generated interfaces and for reading other hosts.
  delete jsonSchema['tsType'];
  delete jsonSchema['received'];
  if (formatsWithoutPattern.has(jsonSchema.format)) delete jsonSchema.pattern;
  // The referenced schema has it.
  if (jsonSchema.$ref !== undefined) delete jsonSchema.pattern;
  // Slashes are only escaped in JavaScript literals.
  if (jsonSchema.pattern !== undefined) jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
  // The range of exact numbers in JSON is not a limit of the API.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function toPaths(places: Record<string, JsonSchema>) {
  const paths: Record<string, Record<string, ReturnType<typeof toOperation>>> = {};
  for (const id of Object.keys(operations) as OperationId[]) {
    const { path, method }: Operation = operations[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(id, places) };
  }
  return paths;
}

function toOperation(id: OperationId, places: Record<string, JsonSchema>) {
  const { auth, statuses, path, summary, idempotencyKey }: Operation = operations[id];
  const { query }: OperationSchemas = operationSchemas[id];
  const { tag, description, bodies, answer, answers }: OperationEntry = operationEntries[id];
  const failing = [...statuses.filter((status) => status !== 200), 405, ...(bodies ? [413, 415] : []), 429, 503];
  const names = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ['path', name] as const),
    ...Object.keys(query?.shape ?? {}).map((name) => ['query', name] as const),
  ];
  const parameters = names.map(([place, name = '']) => toParameter(place, name, places[`${place} ${name}`]));
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...((auth === 'none' || auth === 'optional') && { security: [] }),
    parameters: [...parameters, ...(idempotencyKey ? [idempotencyKeyParameter] : [])],
    ...(bodies && { requestBody: requestBody(id, jsonContent(places[`${id} body`], bodies)) }),
    responses: {
      '200': { description: answer, headers: requestIdHeader, content: jsonContent(places[`${id} answer`], answers) },
      ...Object.fromEntries(failing.sort().map((status) => [status, failureReference(status)])),
    },
  };
}

function requestBody<Content>(id: OperationId, content: Content) {
  const limits: Partial<Record<OperationId, number>> = bodyBytes;
  return { description: `At most ${limits[id]} bytes.`, required: true, content };
}

function toParameter(place: 'path' | 'query', name: string, { description, example, ...schema }: JsonSchema = {}) {
  return { name, in: place, required: schema.default === undefined, description, example, schema };
}

function jsonContent(schema: JsonSchema | undefined, examples: Record<string, unknown>) {
  const named = Object.entries(examples).map(([summary, value]) => [nameOf(summary), { summary, value }]);
  return { 'application/json': { schema, examples: Object.fromEntries(named) as Record<string, object> } };
}

/** The keys of examples are names; their summaries are texts for readers. */
function nameOf(summary: string): string {
  return summary.toLowerCase().replace(/[^a-z]+/g, '-');
}

/** The header of the operations that take an `Idempotency-Key`. */
const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat. For 24 hours, the same key with the same body, compared as parsed JSON, yields the ' +
    'same session; with another body it is 400. Keys belong to the agency and the mode.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '7d5f0c2e-order-1',
};

/** The description of the whole API. */
const introduction = `Agencies use this service to onboard insurance producers, read their licensing
data, keep subscriptions and territories, and start license applications that the producer completes
on a hosted page.

**Access.** Log in with a client id and one of its two secrets. The secret selects the mode of the
token, live or test. Each mode sees only its own data. Send the token as a bearer token.

**Bodies.** Requests and responses are JSON. Each operation states its maximum request size. A
missing body and an unknown key are refused with 400. Unknown query parameters are ignored, and so
is an unexpected body.

**Failures.** Every failure of every route is an \`ErrorBody\`. An unknown path answers 404, and a
method that the path does not have answers 405. Data of another agency or mode is treated as
missing: 404, or 400 on operations without a 404. Logins of a deactivated agency answer 401. Its
existing tokens answer 403 where an operation lists that status, and 401 elsewhere.

**Request ids.** Every response, including failures, has an \`x-request-id\`.

**Rate.** At most ${rateInWords(rateLimits.requests)}, for all its tokens together, unless the
operator of this service changed that. Further requests answer 429 with \`Retry-After\`.

**NPN.** A national producer number has 1 to 10 digits and is not zero. Requests may send it as a
string or a whole number, with or without leading zeros. Responses always have a string without
leading zeros.

**Dates and empty fields.** Timestamps of the bridge are ISO 8601 in UTC. Dates in producer data are
written month/day/year. A producer field without a value is an empty string, never null and never
absent.

The operations of Sessions are early access.
`;
