import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { createConsumer, type Consumer } from '../support/consumer.js';
import { freePorts } from '../support/free-ports.mjs';
import { startService, type Service } from '../support/service.js';
import { applyWholly } from '../together/applicant.js';
import { startOwnBridge, type OwnBridge } from './own-bridge.js';
import { snippet } from './snippets.js';
import { startWebServer, type WebServer } from './web-server.js';

describe('README.md, followed to the letter in an empty folder', () => {
  let consumer: Consumer;
  let bridge: OwnBridge;
  let backend: Service;
  let server: WebServer;
  let browser: Browser;
  let site: string;
  before(async () => {
    consumer = await createConsumer();
    await consumer.write('backend.ts', snippet('backend.ts'));
    bridge = await startOwnBridge(consumer);
    const [port] = await freePorts(1);
    site = `http://localhost:${String(port)}`;
    backend = await startService('node', ['backend.ts'], {
      cwd: consumer.folder,
      variables: {
        BRIDGE_URL: bridge.bridgeUrl,
        BRIDGE_CLIENT_ID: bridge.credential.clientId,
        BRIDGE_CLIENT_SECRET: bridge.credential.testClientSecret,
        LICENSING_SECRET: randomBytes(32).toString('base64'),
        SITE_URL: site,
      },
      readyAt: `${site}/licensing/`,
    });
    server = await startWebServer({
      pages: { '/apply.html': snippet('apply.html'), '/licensed.html': snippet('licensed.html') },
      scripts: join(consumer.folder, 'node_modules/licensing-apply/dist/cdn'),
      backend: site,
    });
    browser = await launchChromium({
      // The backend of the README listens at the address of the site itself; the browser goes through the web server before it.
      args: [`--host-resolver-rules=MAP ${new URL(site).host} 127.0.0.1:${String(server.port)}`],
    });
  });
  after(async () => {
    await browser.close();
    server.close();
    await backend.stop();
    await bridge.stop();
    await consumer.remove();
  });

  it('the quick start of README.md lets a user apply in the modal and shows the decisions', async () => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));

    await page.goto(`${site}/apply.html`);
    const element = page.locator('licensing-apply');
    await element.getByRole('button', { name: 'Start application' }).click();
    const hosted = element.frameLocator('iframe');
    await applyWholly(hosted, { ssn: '900-11-0001' });
    await hosted.locator('#done').click();
    await element.getByRole('dialog').waitFor({ state: 'detached' });

    for (const state of ['Texas', 'California']) {
      await element.getByRole('listitem').filter({ hasText: state }).filter({ hasText: 'Approved' }).waitFor();
    }
    assert.ok(requested.includes('/licensed.html'), 'the frame came back to the return page');
    assert.ok(
      requested.some((path) => /^\/licensing\/applications\/[^/]+\/events$/.test(path)),
      'the page follows events',
    );
    assert.deepEqual(problems, []);
  });
});
