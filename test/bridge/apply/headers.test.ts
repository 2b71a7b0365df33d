import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApplyApp } from '../../../src/bridge/apply/index.js';
import { createTestProcessor } from '../../../src/bridge/domain/payments/test-processor.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createBodyBudget } from '../../../src/bridge/domain/limits/limiter.js';
import { createVisitor, walkTo } from './support/visitor.js';
import { readEnvironment } from '../../../src/bridge/environment.js';
import { readOperator } from '../../../src/bridge/pages/operator.js';

describe('the security headers of the pages', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService({ built: true });
  });
  after(() => service.stop());

  it('The security headers are sent with every page.', async () => {
    const { applicationUrl } = await service.createSession();
    const visitor = createVisitor();
    await walkTo(visitor, { applicationUrl, isSlow: true }, 'receipt');
    await visitor.get(`${service.applyUrl}/s/unknown`);
    for (const { headers, url, html } of visitor.seen) {
      const isKnown = !url.endsWith('/unknown');
      const policy = headers.get('content-security-policy') ?? '';
      match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/, url);
      match(policy, /base-uri 'none'/);
      match(policy, /form-action 'self';/);
      match(policy, isKnown ? /frame-ancestors http:\/\/localhost:5999$/ : /frame-ancestors 'none'$/);
      equal(headers.get('referrer-policy'), 'no-referrer');
      equal(headers.get('cache-control'), 'no-store');
      equal(headers.get('x-content-type-options'), 'nosniff');
      ok(headers.get('permissions-policy'));
      ok(!headers.has('set-cookie') && !headers.has('cross-origin-opener-policy'));
      ok(!/<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+="/.test(html), `${url} has something inline`);
    }
  });

  it('Browsers are kept on https where the pages are served over https.', async () => {
    const transportOf = async (applyUrl: string) => {
      const parts = {
        assets: { href: () => '', at: () => undefined },
        operator: readOperator(readEnvironment({})),
        testProcessor: createTestProcessor(service.context),
        budget: createBodyBudget(),
      };
      const { headers } = await createApplyApp({ ...service.context, applyUrl }, parts).request('/s/unknown');
      return headers.get('strict-transport-security');
    };
    equal(await transportOf('http://127.0.0.1:5172'), null);
    match((await transportOf('https://apply.example')) ?? '', /^max-age=31536000$/);
  });

  it('The script and the style can be cached at a URL that contains their hash.', async () => {
    const { applicationUrl } = await service.createSession();
    const { html } = await createVisitor().get(applicationUrl);
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((found) => found[1] ?? '');
    equal(paths.length, 2);
    for (const path of paths) {
      const asset = await fetch(`${service.applyUrl}${path}`);
      equal(asset.status, 200);
      match(asset.headers.get('cache-control') ?? '', /immutable/);
      equal(asset.headers.get('x-content-type-options'), 'nosniff');
    }
    equal((await fetch(`${service.applyUrl}/assets/0000.apply.js`)).status, 404);
  });

  it('Forms of other sites, and bodies that no form sends, are refused.', async () => {
    const { applicationUrl } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'profile');
    const post = async (
      headers: Record<string, string>,
      body: string | URLSearchParams = new URLSearchParams({ firstName: 'Ana', lastName: 'Rivera' }),
    ) => (await fetch(`${applicationUrl}/profile/names`, { method: 'POST', redirect: 'manual', headers, body })).status;
    equal(await post({ origin: 'https://attacker.example' }), 403);
    equal(await post({ 'content-type': 'application/json' }, '{}'), 415);
    equal(await post({ 'content-type': 'application/x-www-form-urlencoded' }, `x=${'y'.repeat(300_000)}`), 413);
    // A form of our page, as browsers send it under our referrer policy.
    equal(await post({ origin: 'null', 'sec-fetch-site': 'same-origin' }), 303);
    equal(await post({ origin: service.applyUrl }), 303);
  });

  it('Every text of a partner or a user is escaped.', async () => {
    const hostile = `"><script>alert(1)</script>`;
    const { applicationUrl } = await service.createSession(
      {},
      { profile: { lastName: hostile, firstName: "O'Hara & <b>" } },
    );
    const visitor = createVisitor();
    const page = await walkTo(visitor, { applicationUrl }, 'profile');
    match(page.html, /O&#39;Hara &amp; &lt;b&gt;/);
    const names = { firstName: 'Ana', lastName: hostile, middleName: hostile, otherNames: hostile };
    await visitor.post(page.url, { ...names, firstName: '' });
    await visitor.post(page.url, names);
    await visitor.get(page.url);
    for (const { html } of visitor.seen) ok(!html.includes('<script>'));
  });

  it('No link is logged.', async () => {
    const { applicationUrl } = await service.createSession();
    await createVisitor().get(`${applicationUrl}/identity`);
    const token = applicationUrl.split('/').at(-1) ?? '';
    ok(service.logged.some((line) => line.includes('"app":"apply"') && line.includes('/identity')));
    ok(!service.logged.some((line) => line.includes(token)));
  });
});
