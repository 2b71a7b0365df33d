import type { Page } from 'playwright-core';

/**
 * Asks the search of the site, whose dialog is open. Resolves with the paths of the pages that it
 * finds, the best first.
 */
export async function search(page: Page, query: string): Promise<string[]> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(query);
  const answer = { hasText: `for ${query}`, hasNotText: 'Searching' };
  await dialog.locator('.pagefind-ui__message').filter(answer).waitFor();
  // Each result is a placeholder until its page was read.
  await dialog.locator('.pagefind-ui__loading').first().waitFor({ state: 'detached' });
  const links = dialog.locator('.pagefind-ui__result-inner > .pagefind-ui__result-title a');
  return links.evaluateAll((found) => found.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
}

/** How many of the first results count: users rarely read further. */
export const readResults = 3;

/**
 * What developers and operators of this field type into a search, and the page with the answer. A
 * page that is to be found first has a `1`; without it, one of the first three is enough.
 */
export const queries: readonly (readonly [query: string, page: string, rank?: 1])[] = [
  // The page
  ['CSP', '/security/'],
  ['Content Security Policy', '/security/', 1],
  ['trusted types', '/security/', 1],
  ['iframe blocked', '/troubleshooting/', 1],
  ['X-Frame-Options', '/troubleshooting/', 1],
  ['popup blocked', '/troubleshooting/'],
  ['Safari third-party cookies', '/security/', 1],
  ['CORS', '/server/handler/', 1],
  ['session expired', '/element/sessions/', 1],
  ['dark mode', '/element/theming/', 1],
  ['Spanish', '/element/localization/', 1],
  ['accessibility', '/element/accessibility/', 1],
  ['screen reader', '/element/accessibility/', 1],
  ['bundle size', '/element/reference/', 1],
  ['session replay', '/session-replay/', 1],
  // Frameworks, runtimes and apps
  ['React', '/frameworks/react/', 1],
  ['Next.js', '/frameworks/next/', 1],
  ['Angular', '/frameworks/angular/', 1],
  ['Vue', '/frameworks/vue/', 1],
  ['Svelte', '/frameworks/svelte/', 1],
  ['hydration', '/frameworks/ssr/', 1],
  ['React Native', '/web-views/', 1],
  ['WebView', '/web-views/', 1],
  ['Express', '/backend/express/', 1],
  ['Cloudflare Workers', '/backend/workers/', 1],
  ['serverless', '/server/handler/', 1],
  ['TypeScript version', '/faq/'],
  // The backend and the API
  ['webhook signature', '/webhooks/', 1],
  ['retry', '/webhooks/', 1],
  ['idempotency', '/api/create-session/', 1],
  ['401', '/troubleshooting/', 1],
  ['429', '/server/reference/'],
  ['rate limit', '/bridge/configure/', 1],
  ['duplicate application', '/faq/', 1],
  ['rotate secret', '/server/handler/', 1],
  ['Redis', '/server/stores/', 1],
  ['multi-tenant', '/cookbook/', 1],
  ['prefill', '/cookbook/', 1],
  ['Slack', '/cookbook/', 1],
  // Development and tests
  ['local development', '/cookbook/'],
  ['ngrok', '/cookbook/', 1],
  ['test card', '/testing/', 1],
  ['Playwright', '/testing/'],
  ['Cypress', '/cookbook/', 1],
  ['Jest', '/testing-backend/', 1],
  // Words of the field, money and data
  ['NPN', '/glossary/'],
  ['glossary', '/glossary/', 1],
  ['pricing', '/faq/', 1],
  ['fees', '/bridge/live-mode/', 1],
  ['refund', '/bridge/stripe/'],
  ['PCI', '/security/', 1],
  ['SSN stored where', '/faq/'],
  ['GDPR', '/bridge/retention/'],
  ['erasure', '/bridge/retention/', 1],
  // Operation
  ['Docker', '/bridge/deploy/', 1],
  ['Kubernetes', '/bridge/deploy/', 1],
  ['Grafana', '/bridge/operate/'],
  ['Prometheus', '/bridge/operate/', 1],
  ['audit log', '/bridge/operate/', 1],
  ['backup', '/bridge/backup/', 1],
  ['failover', '/bridge/scaling/', 1],
  ['database TLS', '/bridge/deploy/'],
  ['single sign-on', '/bridge/live-mode/', 1],
  ['SMTP', '/bridge/live-mode/'],
  ['S3', '/bridge/live-mode/', 1],
  ['version upgrade', '/versioning/'],
];
