import {
  createDocument,
  type oas31,
  type ZodOpenApiContentObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { z } from 'zod';
import { operations, type Operation, type OperationId } from '../../../contract/index.js';
import { bodySchemas } from '../schemas/index.js';
import { pathSchemas, querySchemas } from '../schemas/parameters.js';
import { componentSchemas } from './component-schemas.js';
import { describe } from './describe.js';
import { failureReference, failureResponses, requestIdHeader } from './failure-responses.js';
import { introduction } from './introduction.js';
import { operationDocs, tags } from './operation-docs/index.js';
import { idempotencyKeyParameter, parameterDocs } from './parameter-docs.js';
import { responseSchemas } from './schemas/index.js';
import { eventsTag, webhookItems, webhookParameters } from './webhook-items.js';
import { writeAsJson } from './write-as-json.js';

/** What an OpenAPI 3.1 document is made of. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI document of the API at an address: made from the table of operations and the schemas that requests pass. */
export function createOpenApiDocument(bridgeUrl: string): OpenApiDocument {
  const document = createDocument(
    {
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
      paths: paths(),
      webhooks: webhookItems(),
      components: {
        schemas: componentSchemas,
        responses: failureResponses() as never,
        headers: {
          RequestId: {
            required: true,
            description: 'The id of this request. A report of a failure should name it.',
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
    },
    { override: writeAsJson, allowEmptySchema: { pipe: { output: true }, transform: { output: true } } },
  );
  const schemas = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    describe(name, schema);
    // The converter also writes down what would come out of requests with alternatives, and refers to it nowhere.
    if (!Object.hasOwn(componentSchemas, name)) Reflect.deleteProperty(schemas, name);
  }
  for (const parameter of parametersOf(document)) Object.assign(parameter, parameterDocs[parameter.name]);
  // What is undefined is there for the compiler only.
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument;
}

/** Described afterwards: the converter would leave the words on schemas that end in a transform. */
function parametersOf({ paths: items }: OpenApiDocument): oas31.ParameterObject[] {
  const calls = Object.values(items ?? {}).flatMap(({ get, post, patch, delete: remove }) => [
    get,
    post,
    patch,
    remove,
  ]);
  return calls.flatMap((call) => (call?.parameters ?? []) as oas31.ParameterObject[]);
}

function paths(): ZodOpenApiPathsObject {
  const byPath: ZodOpenApiPathsObject = {};
  for (const id of Object.keys(operations) as OperationId[]) {
    const { path, method }: Operation = operations[id];
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operationObject(id) };
  }
  return byPath;
}

function operationObject(id: OperationId): ZodOpenApiOperationObject {
  const { auth, statuses, body, idempotencyKey }: Operation = operations[id];
  const { tag, description, answer, bodies, answers } = operationDocs[id];
  const failing = [...statuses.filter((status) => status !== 200), 405, ...(body ? [413, 415] : []), 429];
  const bodySchema: z.ZodType | undefined = bodySchemas[id];
  return {
    operationId: id,
    tags: [tag],
    summary: operations[id].summary,
    description,
    ...(auth === 'none' || auth === 'optional' ? { security: [] } : {}),
    requestParams: parameters(id),
    parameters: idempotencyKey ? [idempotencyKeyParameter] : [],
    ...(bodySchema && { requestBody: { required: true, content: jsonContent(bodySchema, bodies) } }),
    responses: {
      '200': { description: answer, headers: requestIdHeader, content: jsonContent(responseSchemas[id], answers) },
      ...Object.fromEntries(failing.sort().map((status) => [status, failureReference(status)])),
    },
  };
}

function parameters(id: OperationId): Record<'path' | 'query', z.ZodObject> {
  const names = [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof pathSchemas);
  const query: Partial<Record<OperationId, z.ZodObject>> = querySchemas;
  return {
    path: z.object(Object.fromEntries(names.map((name) => [name, pathSchemas[name]]))),
    query: query[id] ?? z.object({}),
  };
}

function jsonContent(schema: z.ZodType, examples: Record<string, unknown>): ZodOpenApiContentObject {
  const named = Object.entries(examples).map(([summary, value]) => [nameOf(summary), { summary, value }]);
  return { 'application/json': { schema, examples: Object.fromEntries(named) as Record<string, object> } };
}

/** Keys of examples are names, their summaries are for people. */
function nameOf(summary: string): string {
  return summary.toLowerCase().replace(/[^a-z]+/g, '-');
}
