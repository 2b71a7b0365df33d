import { equal } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { placeAt } from './support/shortcuts.js';

/*
 * Browsers apply the page's `form-action` to every redirect after a post. It would block a partner
 * whose URL redirects to another origin, such as `www` or a sign-in.
 */
describe('the return to a partner whose URL redirects to another origin', () => {
  const shown = showApplication();
  const site = createServer((request, response) => {
    const isHome = request.headers.host?.startsWith('127.0.0.1') ?? false;
    if (isHome) response.setHeader('content-type', 'text/html').end('<title>Home</title>');
    else response.writeHead(302, { location: `${home()}${request.url ?? ''}` }).end();
  });
  const port = () => String((site.address() as AddressInfo).port);
  const home = () => `http://127.0.0.1:${port()}`;
  before(() => new Promise<void>((resolve) => void site.listen(0, () => resolve())));
  after(() => {
    site.close();
    site.closeAllConnections();
  });

  it('"Save and leave" reaches a partner whose URL redirects to another origin.', async () => {
    const returnUrl = `http://localhost:${port()}/return?page=a%20b`;
    const session = await shown.service.createSession({ returnUrl });
    await placeAt(shown.service, session, 'identity');
    const page = await openTab(shown.browser);
    await page.goto(`${session.applicationUrl}/identity`);
    await page.click('button[name="leave"]');
    await page.waitForURL(`${home()}/return?page=a%20b&status=cancelled`);
    equal(await page.title(), 'Home');
    await page.context().close();
  });
});
