import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { builtFolder } from '../built/package-files.js';
import type { Bindings } from './connection.js';
import { themeScript, themeStyle } from './docs-theme.js';
import { createOpenApiDocument } from './openapi/document.js';

/** A text that only changes with the version of the bridge. */
interface Served {
  body: string;
  type: string;
  etag: string;
}

/**
 * `GET /openapi.json` for tools and `GET /docs` for people. Each is created once, at its first
 * request.
 */
export function serveDocuments(api: Hono<{ Bindings: Bindings }>, bridgeUrl: string): void {
  const document = once(() => served(JSON.stringify(createOpenApiDocument(bridgeUrl)), 'application/json'));
  const ui = once(createUi);

  // Browsers take the headers of a 304 for the stored page, so it has the page's policy, too.
  const conditional = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy'] });
  api.get('/openapi.json', conditional, () => answer(document(), { 'cache-control': revalidated }));
  api.get('/docs', conditional, () =>
    answer(ui().page, { 'cache-control': revalidated, 'content-security-policy': pagePolicy }),
  );
  api.get('/docs/:file', conditional, (c, next) => {
    const file = ui().files.get(c.req.path);
    // Its URL changes with its content.
    return file === undefined ? next() : answer(file, { 'cache-control': 'public, max-age=31536000, immutable' });
  });
}

/** The CSP of the page: no inline scripts or styles, and no other origins. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The icons in the style sheet of Swagger UI.
  'img-src data:',
  // The document, and requests that a reader tries.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A token that a reader enters stays in the memory of the page, and the URL of the document is not
 * sent to a validator.
 */
const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Swagger UI from the files of the build, and the page that starts it. */
function createUi(): { page: Served; files: Map<string, Served> } {
  const read = (name: string) => readFileSync(join(builtFolder('assets'), 'swagger-ui', name), 'utf8');
  const files = new Map<string, Served>();
  const add = (name: string, body: string, type: string) => {
    const file = served(body, `${type}; charset=utf-8`);
    const path = `/docs/${file.etag.replaceAll('"', '')}.${name}`;
    files.set(path, file);
    return path;
  };
  const style = add('swagger-ui.css', read('swagger-ui.css'), 'text/css');
  const colors = add('colors.css', themeStyle, 'text/css');
  const script = add('swagger-ui.js', read('swagger-ui-bundle.js'), 'text/javascript');
  const theme = add('theme.js', themeScript, 'text/javascript');
  const start = add('start.js', startScript, 'text/javascript');
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Producer Licensing Bridge: API reference</title>
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <script src="${theme}"></script>
    <link rel="stylesheet" href="${style}" />
    <link rel="stylesheet" href="${colors}" />
    <script src="${script}" defer></script>
    <script src="${start}" defer></script>
  </head>
  <body>
    <div id="docs">
      <h1>Producer Licensing Bridge: API reference</h1>
      <p>This page needs JavaScript. The same in OpenAPI 3.1: <a href="/openapi.json">openapi.json</a></p>
    </div>
  </body>
</html>
`;
  return { page: served(page, 'text/html; charset=utf-8'), files };
}

/** A new version of the bridge is visible after at most five minutes. */
const revalidated = 'public, max-age=300, must-revalidate';

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

function served(body: string, type: string): Served {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, type, etag: `"${hash}"` };
}

function answer({ body, type, etag }: Served, headers: Record<string, string>): Response {
  return new Response(body, { headers: { ...headers, etag, 'content-type': type } });
}
