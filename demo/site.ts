import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newVisitorCookie, visitorOf } from './visitors.ts';

const page = fileURLToPath(new URL('page/', import.meta.url));
const packageFolder = dirname(createRequire(import.meta.url).resolve('licensing-apply/package.json'));
// The build for pages without a bundler. A real site copies these files, or links to them on a content delivery network.
const cdn = join(packageFolder, 'dist/cdn/');

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
};

/** The partner's pages, with the strictest policy that a site with the element in it can have. */
export function createSite(applyUrl: string): (request: Request) => Promise<Response> {
  const headers = {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `frame-src 'self' ${new URL(applyUrl).origin}`,
      "base-uri 'none'",
      "form-action 'self'",
      // The return page is shown inside the frame of this very site, and of no other.
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-cache',
  };

  return async function serveSite(request) {
    if (request.method !== 'GET') return new Response('Only GET is answered here.', { status: 405 });
    const { pathname } = new URL(request.url);
    const name = pathname === '/' ? 'index.html' : normalize(pathname).slice(1);
    const contentType = contentTypes[extname(name)];
    const file = contentType && ((await readIfThere(page, name)) ?? (await readIfThere(cdn, name)));
    const body = file && (name.endsWith('.css') ? await joinImports(file, dirname(name)) : file);
    if (!body) return new Response('There is nothing at this address.', { status: 404 });
    const answer = new Response(body, { headers: { ...headers, 'content-type': contentType } });
    if (name === 'index.html' && !visitorOf(request)) answer.headers.append('set-cookie', newVisitorCookie());
    return answer;
  };
}

async function readIfThere(folder: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = join(folder, name);
  if (!file.startsWith(folder)) return undefined;
  return readFile(file).then(
    (bytes) => new Uint8Array(bytes),
    () => undefined,
  );
}

/** A style sheet with those that it imports in their place: they are files for whoever reads them, and one request for a browser. */
async function joinImports(sheet: Uint8Array, folder: string): Promise<string> {
  const parts = new TextDecoder().decode(sheet).split(/^@import '([^']+)';$/m);
  const joined = parts.map(async (part, index) => {
    const imported = index % 2 === 1 && (await readIfThere(page, join(folder, part)));
    return imported ? new TextDecoder().decode(imported) : part;
  });
  return (await Promise.all(joined)).join('');
}
