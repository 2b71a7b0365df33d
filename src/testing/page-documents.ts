import { returnAddress, type PageScript } from './page-script.js';

/** Returns the page with the script that follows a scenario. */
export function documentOf(script: PageScript): string {
  // Without `<` no text can end the script element.
  const json = JSON.stringify(script).replaceAll('<', '\\u003c');
  return page(`<form>
        <label>Anything <input name="anything" autocomplete="off" /></label>
        <button disabled>${script.asking === undefined ? 'Continue' : 'Answer'}</button>
      </form>
      <button name="leave" disabled>Leave</button>
      <script type="application/json" id="script">${json}</script>
      <script type="module" src="/page.js"></script>`);
}

/** Returns a page without a script: it has links only. */
export function silentDocumentOf(address: URL): string {
  const returnUrl = address.searchParams.get('returnUrl');
  const leaving = returnUrl === null ? '' : link(returnAddress(returnUrl, 'cancelled'), 'Leave');
  return page(`${link(`${address.pathname}/submitted${address.search}`, 'Submit')} ${leaving}`);
}

/** The last page without a `returnUrl`. */
export const receiptDocument = page('', 'Application submitted');

function page(content: string, line = 'Step 1 of 6: profile'): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Scripted application</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
  </head>
  <body>
    <main>
      <h1>Scripted application</h1>
      <p id="step" role="status">${line}</p>
      ${content}
    </main>
  </body>
</html>
`;
}

function link(address: string, text: string): string {
  return `<a href="${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">${text}</a>`;
}

/** The style sheet of the page. */
export const styles = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
[data-theme='light'] { color-scheme: light; }
[data-theme='dark'] { color-scheme: dark; }
body { margin: 1.5rem; }
button, input { font: inherit; padding: 0.5rem 1rem; }
`;
