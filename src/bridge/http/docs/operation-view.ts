import { STATUS_CODES } from 'node:http';
import type { oas31 } from 'zod-openapi';
import { operations, type OperationId } from '../../../contract/index.js';
import { code, curl, examplesOf } from './example-view.js';
import { html, type Html } from './html.js';
import { prose, words } from './prose.js';
import { fields, isReference, typeOf } from './schema-view.js';

/** An operation and where it stands in the document. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: oas31.OperationObject;
}

/** What views look up. */
export interface Lookup {
  document: oas31.OpenAPIObject;
  /** The part that a reference names, or the part itself. */
  find<Part extends object>(part: Part | oas31.ReferenceObject): Part;
}

/** One operation: words and fields on one side, examples on the other. */
export function operationView({ method, path, operation }: PlacedOperation, lookup: Lookup): Html {
  const { operationId = '', summary, description, security, parameters = [], responses } = operation;
  const body = operation.requestBody && lookup.find<oas31.RequestBodyObject>(operation.requestBody);
  const media = body?.content['application/json'];
  const needsToken = security === undefined;
  const server = lookup.document.servers?.[0]?.url ?? '';
  const answer = (responses?.['200'] as oas31.ResponseObject | undefined)?.content?.['application/json'];
  const found = parameters.map((parameter) => lookup.find<oas31.ParameterObject>(parameter));
  return html`<section class="operation" id="${operationId}">
    <div class="words">
      <h3><a href="#${operationId}">${summary?.replace(/\.$/, '')}</a></h3>
      <p class="address">
        <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> ${numberOf(operationId)}
      </p>
      ${prose(description)} ${!needsToken && html`<p>Works without a token.</p>`}
      ${found.length > 0 && html`<h4>Parameters</h4>`} ${parameterList(found)}
      ${media?.schema && bodyView('Body', media.schema, lookup)}
      ${answer?.schema && bodyView('Answer', answer.schema, lookup)}
      <h4>Statuses</h4>
      <ul class="statuses">
        ${Object.entries(responses ?? {}).map(([status, response]) => statusItem(status, response as oas31.ResponseObject, lookup))}
      </ul>
    </div>
    <div class="examples">
      ${code('Request', curl({ method: method.toUpperCase(), url: exampleUrl(`${server}${path}`, found), needsToken, body: firstExample(media) }))}
      ${Object.keys(media?.examples ?? {}).length > 1 && examplesOf('Body', media)} ${examplesOf('Answer', answer)}
    </div>
  </section>`;
}

/** An event: the same, seen from the side that is called. */
export function eventView(type: string, { operation }: PlacedOperation, lookup: Lookup): Html {
  const body = operation.requestBody && lookup.find<oas31.RequestBodyObject>(operation.requestBody);
  const media = body?.content['application/json'];
  return html`<section class="operation" id="${type}">
    <div class="words">
      <h3><a href="#${type}">${operation.summary?.replace(/\.$/, '')}</a></h3>
      <p class="address"><span class="method post">POST</span> <code>${type}</code></p>
      ${prose(operation.description)} ${media?.schema && bodyView('Body', media.schema, lookup)}
    </div>
    <div class="examples">${examplesOf('Body', media)}</div>
  </section>`;
}

/** The headers and the query of a call, and the parts of its path. */
export function parameterList(parameters: oas31.ParameterObject[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<ul class="fields">
    ${parameters.map(
      ({ name, in: place, required, description, schema }) =>
        html`<li>
          <p class="field">
            <code>${name}</code> <span class="type">${place}${schema && html`, ${typeOf(schema)}`}</span>
            ${!required && html`<span class="type">optional</span>`}
          </p>
          <p>${words(description ?? '')}</p>
        </li>`,
    )}
  </ul>`;
}

/** The spec's number, which descriptions refer to. */
function numberOf(operationId: string): Html | undefined {
  const { number } = operations[operationId as OperationId];
  return number === 0 ? undefined : html`<span class="type">operation ${number}</span>`;
}

function bodyView(title: string, schema: oas31.SchemaObject | oas31.ReferenceObject, lookup: Lookup): Html {
  const found = lookup.find<oas31.SchemaObject>(schema);
  return html`<h4>${title} <span class="type">${typeOf(schema)}</span></h4>
    ${fields(found)}
    ${found.oneOf?.map(
      (alternative) =>
        html`<p class="type">${typeOf(alternative)}</p>
          ${fields(lookup.find<oas31.SchemaObject>(alternative))}`,
    )}`;
}

function statusItem(status: string, response: oas31.ResponseObject | oas31.ReferenceObject, lookup: Lookup): Html {
  const text = STATUS_CODES[status] ?? '';
  if (isReference(response))
    return html`<li>
      <a href="#status-${status}"><code>${status}</code> ${text}</a>
    </li>`;
  return html`<li><code>${status}</code> ${lookup.find<oas31.ResponseObject>(response).description}</li>`;
}

function firstExample(media: oas31.MediaTypeObject | undefined): unknown {
  const [first] = Object.values(media?.examples ?? {}) as oas31.ExampleObject[];
  return first?.value;
}

function exampleUrl(url: string, parameters: oas31.ParameterObject[]): string {
  const ofPath = parameters.filter(({ in: place }) => place === 'path');
  const ofQuery = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const address = ofPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), url);
  const query = ofQuery.map(({ name, example }) => `${name}=${String(example)}`).join('&');
  return query === '' ? address : `${address}?${query}`;
}
