import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import type { Bindings } from './bindings.js';
import { docsPage } from './docs/docs-page.js';
import { docsStyle } from './docs/docs-style.js';
import { createOpenApiDocument } from './openapi/document.js';

/** A text that is the same for everybody until the next version. */
interface Served {
  body: string;
  type: string;
  etag: string;
}

/** What a browser may do with the page: read its one style sheet. */
const pagePolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /openapi.json` for tools and `GET /docs` for people. Both are made at the first request, once. */
export function serveDocuments(api: Hono<{ Bindings: Bindings }>, bridgeUrl: string): void {
  const style = served(docsStyle, 'text/css; charset=utf-8');
  const stylePath = `/docs/${style.etag.replaceAll('"', '')}.css`;
  let made: Promise<{ document: Served; page: Served }> | undefined;
  const make = async () => {
    const document = createOpenApiDocument(bridgeUrl);
    const page = await docsPage(document, stylePath);
    return {
      document: served(JSON.stringify(document), 'application/json'),
      page: served(page.toString(), 'text/html; charset=utf-8'),
    };
  };

  api.get('/openapi.json', async (c) => {
    const { document } = await (made ??= make());
    return answer(document, c.req.header('if-none-match'), { 'cache-control': revalidated });
  });
  api.get('/docs', async (c) => {
    const { page } = await (made ??= make());
    const headers = { 'cache-control': revalidated, 'content-security-policy': pagePolicy };
    return answer(page, c.req.header('if-none-match'), headers);
  });
  // Its address changes with its content.
  api.get(stylePath, (c) =>
    answer(style, c.req.header('if-none-match'), { 'cache-control': 'public, max-age=31536000, immutable' }),
  );
}

/** A new version of the bridge shows after five minutes at the latest. */
const revalidated = 'public, max-age=300, must-revalidate';

function served(body: string, type: string): Served {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { body, type, etag: `"${hash}"` };
}

function answer({ body, type, etag }: Served, known: string | undefined, headers: Record<string, string>): Response {
  const all = { ...headers, etag, 'content-type': type };
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
  return isKnown ? new Response(null, { status: 304, headers: all }) : new Response(body, { headers: all });
}
