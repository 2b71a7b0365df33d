import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { licensing, type Licensing, type LicensingOptions } from 'licensing-apply/testing';
import { chromiumArguments, programPath } from '../support/programs.js';

/** A partner's page with the element on it, and the fixture. */
export interface Agency {
  page: Page;
  user: Licensing;
}

/** The options of the page. */
export interface AgencyOptions extends Omit<LicensingOptions, 'returnUrl'> {
  /** Further attributes of the tag. */
  attributes?: string;
  /** The tag of the page. Default: that of one application. */
  tag?: 'licensing-apply' | 'licensing-applications';
  /** Whether the user returns to a page of the site. */
  returns?: boolean;
  /** An existing page. */
  page?: Page;
}

const dist = fileURLToPath(new URL('../../dist/cdn', import.meta.url));

/** One browser and one site for all tests of a file; each call is a separate visitor. */
export function useAgency(): (options?: AgencyOptions) => Promise<Agency> {
  let browser: Browser;
  let server: Server;
  before(async () => {
    browser = await chromium.launch({ executablePath: programPath('chromium'), args: chromiumArguments });
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      void fileOf(decodeURIComponent(pathname)).then(([type, body]) =>
        response.writeHead(200, { 'content-type': type }).end(body),
      );
    }).listen(0, 'localhost');
    await once(server, 'listening');
  });
  after(async () => {
    await browser.close();
    server.close();
  });
  // Three files share two cores: a step that takes a second alone may take ten there.
  return async ({
    tag = 'licensing-apply',
    attributes = '',
    returns = false,
    page: given,
    timeoutMs = 30_000,
    ...others
  } = {}) => {
    const options = { ...others, element: tag, timeoutMs };
    const site = `http://localhost:${(server.address() as AddressInfo).port}`;
    const page = given ?? (await (await browser.newContext({ reducedMotion: 'reduce' })).newPage());
    const address = `${site}/apply/${encodeURIComponent(`${tag} ${attributes}`)}`;
    // In redirect mode the user returns to the page with the element.
    const back = attributes.includes('redirect') ? address : '/done';
    const user = await licensing(page, returns ? { ...options, returnUrl: back } : options);
    await page.goto(address);
    return { page, user };
  };
}

async function fileOf(pathname: string): Promise<[type: string, body: string]> {
  if (pathname.endsWith('.js')) return ['text/javascript', await readFile(dist + pathname, 'utf8')];
  const opening = pathname.replace('/apply/', '');
  const [tag = ''] = opening.split(' ');
  const content =
    pathname === '/done'
      ? '<script type="module" src="/return.js"></script><p>Thank you.</p>'
      : `<script type="module" src="/${tag}.js"></script>
         <${opening} session-url="/licensing/sessions"></${tag}>`;
  return [
    'text/html',
    `<!doctype html><html lang="en"><title>Agency</title><link rel="icon" href="data:,"><body>${content}`,
  ];
}
