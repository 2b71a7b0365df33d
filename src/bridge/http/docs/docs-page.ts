import { STATUS_CODES } from 'node:http';
import type { oas31 } from 'zod-openapi';
import { failures, failureStatus, testCards, testSsns, type FailureName } from '../../../contract/index.js';
import { html, type Html } from './html.js';
import { eventView, operationView, parameterList, type Lookup, type PlacedOperation } from './operation-view.js';
import { prose, words } from './prose.js';
import { fields, isReference, nameOf, typeOf } from './schema-view.js';

/** The page that people read: all of the document, on one page that works without script. */
export function docsPage(document: oas31.OpenAPIObject, styleHref: string): Html {
  const lookup: Lookup = { document, find: (part) => follow(document, part) };
  const calls = placed(document.paths);
  const events = placed(document.webhooks);
  const groups = (document.tags ?? [])
    .map((tag) => ({ ...tag, calls: calls.filter(({ operation }) => operation.tags?.includes(tag.name)) }))
    .filter((tag) => tag.calls.length > 0);
  const eventsTag = document.tags?.find(({ name }) => name === events[0]?.operation.tags?.[0]);
  const { title, version, description } = document.info;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: API reference</title>
        <link rel="stylesheet" href="${styleHref}" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the reference</a>
        <header class="masthead">
          <p class="brand">${title} <span class="type">API ${version}</span></p>
          <p><a href="/openapi.json">openapi.json</a></p>
        </header>
        <nav class="contents" aria-label="Contents">${contents(groups, events)}</nav>
        <main id="main" tabindex="-1">
          <h1>API reference</h1>
          <p class="lead"><code>${document.servers?.[0]?.url}</code></p>
          <div class="introduction">${prose(description)}</div>
          ${groups.map(
            (group) =>
              html`<section aria-labelledby="${anchor(group.name)}">
                <h2 id="${anchor(group.name)}">${group.name}</h2>
                ${prose(group.description)} ${group.calls.map((call) => operationView(call, lookup))}
                ${group.name === 'Test helpers' && testValues()}
              </section>`,
          )}
          <section aria-labelledby="events">
            <h2 id="events">Events</h2>
            ${prose(eventsTag?.description)}
            <h3>Headers of every event</h3>
            ${parameterList((events[0]?.operation.parameters ?? []).map((one) => lookup.find<oas31.ParameterObject>(one)))}
            <h3>What to answer</h3>
            <p>Any 2xx, within 10 seconds. 410 when nothing more is wanted at this address.</p>
            ${prose((events[0]?.operation.responses?.default as oas31.ResponseObject | undefined)?.description)}
            ${events.map((event) => eventView(event.path, event, lookup))}
          </section>
          ${failureTable()} ${schemaList(document)}
        </main>
      </body>
    </html>`;
}

function contents(groups: { name: string; calls: PlacedOperation[] }[], events: PlacedOperation[]): Html {
  return html`<ul>
    ${groups.map(
      ({ name, calls }) =>
        html`<li>
          <a href="#${anchor(name)}">${name}</a>
          <ul>
            ${calls.map(
              ({ method, operation: { operationId } }) =>
                html`<li>
                  <a href="#${operationId}"
                    ><span class="method ${method}">${method.toUpperCase()}</span> ${operationId}</a
                  >
                </li>`,
            )}
          </ul>
        </li>`,
    )}
    <li>
      <a href="#events">Events</a>
      <ul>
        ${events.map(({ path }) => html`<li><a href="#${path}">${path.replace('application.', '')}</a></li>`)}
      </ul>
    </li>
    <li><a href="#failures">Failures</a></li>
    <li><a href="#schemas">Schemas</a></li>
  </ul>`;
}

function failureTable(): Html {
  const names = Object.keys(failures) as FailureName[];
  const statuses = [...new Set(names.map(failureStatus))];
  return html`<section aria-labelledby="failures">
    <h2 id="failures">Failures</h2>
    <p>
      Every failure of every route is an <a href="#schema-ErrorBody">ErrorBody</a>. What its <code>code</code> means
      never changes; new ones are added.
    </p>
    ${statuses.map(
      (status) =>
        html`<h3 id="status-${status}"><code>${status}</code> ${STATUS_CODES[status]}</h3>
          <dl class="codes">
            ${names
              .filter((name) => failureStatus(name) === status)
              .map(
                (name) =>
                  html`<div>
                    <dt><code>${failures[name][0]}</code></dt>
                    <dd>${failures[name][1]}</dd>
                  </div>`,
              )}
          </dl>`,
    )}
  </section>`;
}

function testValues(): Html {
  const row = (value: string, what: string) =>
    html`<div>
      <dt><code>${value}</code></dt>
      <dd>${what}</dd>
    </div>`;
  return html`<h3>Values with a meaning in test mode</h3>
    <p>The last four digits of the SSN that the user types decide how the simulated departments answer.</p>
    <dl class="codes">${testSsns.map(({ ssn, what }) => row(ssn, what))}</dl>
    <p>So does the number of the card in the payment step.</p>
    <dl class="codes">${testCards.map(({ number, what }) => row(number, what))}</dl>`;
}

function schemaList({ components }: oas31.OpenAPIObject): Html {
  const schemas = Object.entries(components?.schemas ?? {}) as [string, oas31.SchemaObject][];
  schemas.sort(([left], [right]) => left.localeCompare(right));
  return html`<section aria-labelledby="schemas">
    <h2 id="schemas">Schemas</h2>
    ${schemas.map(
      ([name, schema]) =>
        html`<section class="schema" id="schema-${name}">
          <h3><a href="#schema-${name}">${name}</a></h3>
          ${schema.description && html`<p>${words(schema.description)}</p>`}
          ${fields(schema) ?? html`<p class="type">${typeOf(schema)}</p>`}
        </section>`,
    )}
  </section>`;
}

function placed(paths: oas31.PathsObject | undefined): PlacedOperation[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
      method,
      path,
      operation,
    })),
  );
}

function follow<Part extends object>({ components }: oas31.OpenAPIObject, part: Part | oas31.ReferenceObject): Part {
  if (!isReference(part)) return part;
  const [, , kind = ''] = part.$ref.split('/');
  const found = (components as Record<string, Record<string, Part> | undefined>)[kind]?.[nameOf(part)];
  if (found === undefined) throw new Error(`${part.$ref} is not in the document.`);
  return found;
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-');
}
