import type { BrowserContext } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { bundleHostedEnd } from '../support/hosted-end.js';

/**
 * The behavior of another vendor's host: it supports only a later protocol version, or it fails.
 */
export type ForeignHost = 'newer' | 'failing';

/**
 * Its origin: a site outside of the tests, so that the browser treats it like one in production.
 */
export const foreignHostUrl = 'https://apply.example/';

const titles = { en: 'An application of another make', es: 'Una solicitud de otra procedencia' };

/**
 * Serves the host to one user's browser. It uses the published hosted end where it supports our
 * protocol.
 */
export async function serveForeignHost(
  context: BrowserContext,
  host: ForeignHost,
  { language, origin }: { language: Language; origin: string },
): Promise<void> {
  await context.route(`${foreignHostUrl}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: documentOf(host, language, origin) });
    else await route.fulfill({ contentType: 'text/javascript', body: await bundleHostedEnd() });
  });
}

function documentOf(host: ForeignHost, language: Language, origin: string): string {
  return `<!doctype html>
<html lang="${language}">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" />
  <title>${titles[language]}</title>
  <link rel="icon" href="data:," />
  <style>body { margin: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }</style>
  <main aria-label="${titles[language]}"><h1>${titles[language]}</h1></main>
  <script type="module">${scripts[host](JSON.stringify(origin))}</script>
</html>
`;
}

const scripts: Readonly<Record<ForeignHost, (origin: string) => string>> = {
  newer: (origin) => `
    const hello = { ns: 'licensing-apply', t: 'hello', v: [9], doc: 'abcdefghijklmnopabcdefghijklmnop' };
    (window.opener ?? window.parent).postMessage(hello, ${origin});`,
  failing: (origin) => `
    import { connectHostedPage } from '/hosted.js';
    const snapshot = { step: 'profile', index: 1, count: 6, dirty: false, states: [] };
    const page = connectHostedPage({ allowedOrigins: [${origin}], snapshot });
    page.error({ code: 'unavailable', recoverable: false });`,
};
