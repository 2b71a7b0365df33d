import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../src/contract/index.js';
import { statusAnswersIn } from './status-answers.js';

/** A plain partner's page with the element in each of its states. */
export interface ElementSite {
  origin: string;
  /** The page, in a language, with these attributes of the tag and this content. */
  url(page: ElementPage): string;
  close(): Promise<void>;
}

/** The contents of the page. */
export interface ElementPage {
  language: Language;
  direction?: 'ltr' | 'rtl';
  attributes: string;
  /** The content of the tag. */
  content?: string;
  /** Additional directives of the page's policy. */
  policy?: string;
}

const arabic = fileURLToPath(new URL('../element/arabic.ts', import.meta.url));
const cdn = fileURLToPath(new URL('../../dist/cdn/', import.meta.url));

/** Starts the site. `hangingOrigin` accepts connections and never answers. */
export async function startElementSite(): Promise<ElementSite> {
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://localhost'), response).catch(() => response.writeHead(404).end());
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://localhost:${port}`;
  return {
    origin,
    url({ language, direction = 'ltr', attributes, content = '', policy = '' }) {
      return `${origin}/?${new URLSearchParams({ language, direction, attributes, content, policy }).toString()}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(url: URL, response: ServerResponse): Promise<void> {
  const [, folder = '', name = ''] = url.pathname.split('/');
  if (url.pathname === '/') {
    const policy = url.searchParams.get('policy');
    if (policy) response.setHeader('content-security-policy', policy);
    send(response, 'text/html', documentOf(url.searchParams));
  } else if (folder === 'sessions') answerSession(name, response);
  else if (folder === 'status') {
    const applicationId = url.searchParams.get('applicationId') ?? 'app_1';
    send(
      response,
      'application/json',
      JSON.stringify({ ...statusAnswersIn(languageOf(url.searchParams))[name], applicationId }),
    );
  } else if (url.pathname === '/arabic.js') {
    send(response, 'text/javascript', stripTypeScriptTypes(await readFile(arabic, 'utf8')));
  } else if (url.pathname === '/favicon.ico') response.writeHead(204).end();
  else send(response, 'text/javascript', await readFile(cdn + url.pathname.slice(1)));
}

/** The failures of a backend. */
function answerSession(name: string, response: ServerResponse): void {
  if (name === 'fails') response.writeHead(500).end();
  else if (name === 'unreadable') send(response, 'application/json', '{}');
  else if (name === 'leads-away') response.writeHead(302, { location: 'https://sign-in.example/' }).end();
  else if (name === 'dies') response.destroy();
  else if (name !== 'hangs') response.writeHead(404).end();
}

const titles = { en: 'Licenses', es: 'Licencias' };

function languageOf(asked: URLSearchParams): Language {
  return asked.get('language') === 'es' ? 'es' : 'en';
}

/**
 * The element uses the direction of its language, not of the page. So this is a partner's
 * registered language.
 */
const arabicScript = `<script type="module">
    import { registerLocale } from '/licensing-apply.js';
    import { arabic } from '/arabic.js';
    registerLocale('ar', arabic);
  </script>`;

function documentOf(asked: URLSearchParams): string {
  const language = languageOf(asked);
  const isMirrored = asked.get('direction') === 'rtl';
  return `<!doctype html>
<html lang="${language}" dir="${asked.get('direction') ?? 'ltr'}">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>${titles[language]}</title>
  <style>
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #0f1216); }
    main { max-width: 46rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
    .column { max-inline-size: 280px; }
  </style>
  <script type="module" src="/licensing-apply.js"></script>
  ${isMirrored ? arabicScript : ''}
  <main>
    <h1>${titles[language]}</h1>
    <licensing-apply ${isMirrored ? 'locale="ar"' : ''} ${asked.get('attributes') ?? ''}>${asked.get('content') ?? ''}</licensing-apply>
  </main>
</html>
`;
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
}
