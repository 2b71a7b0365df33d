import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startApplyService } from './support/service.js';

const limit = 30;

async function setup(t: TestContext) {
  const service = await startApplyService({
    environment: { BRIDGE_PAGE_LIMIT: String(limit), BRIDGE_TRUSTED_PROXIES: '1' },
  });
  t.after(() => service.stop());
  const open = async (url: string, address: string, language = 'en') => {
    const headers = { 'x-forwarded-for': address, 'accept-language': language };
    const response = await fetch(url, { headers, redirect: 'manual' });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      policy: response.headers.get('content-security-policy') ?? '',
      text: await response.text(),
    };
  };
  return { service, open };
}

test('An IP address that opens too many pages gets a page in its language that asks to wait; others do not.', async (t) => {
  const { service, open } = await setup(t);
  const { applicationUrl } = await service.createSession();
  for (let count = 0; count < limit; count += 1) {
    const { status } = await open(applicationUrl, '203.0.113.5');
    assert.ok(status < 400, String(status));
  }
  const refused = await open(applicationUrl, '203.0.113.5');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.retryAfter) > 0 && Number(refused.retryAfter) <= 60, String(refused.retryAfter));
  assert.match(refused.text, /<html lang="en"[\s\S]*Too many pages were opened from your network/);
  // The partner of the link was not read, and the user in the modal must be able to read this page.
  assert.match(refused.policy, /frame-ancestors \*$/);
  const unknown = applicationUrl.replace(/.{43}$/, 'x'.repeat(43));
  const spanish = await open(unknown, '203.0.113.5', 'es');
  assert.equal(spanish.status, 429);
  assert.match(spanish.text, /<html lang="es"[\s\S]*Se abrieron demasiadas páginas desde su red/);
  assert.ok((await open(applicationUrl, '203.0.113.6')).status < 400);
});

test('A malformed link is answered as missing without a query, however often it is opened.', async (t) => {
  const { service, open } = await setup(t);
  // From here on every query fails.
  await service.context.db.destroy();
  for (let count = 0; count < 2 * limit; count += 1) {
    for (const path of ['/s/anything', `/s/${'x'.repeat(42)}/profile`, `/a/${'x'.repeat(44)}`]) {
      const { status, text } = await open(`${service.applyUrl}${path}`, '203.0.113.7');
      assert.equal(status, 404);
      assert.match(text, /This link doesn’t work/);
    }
  }
});
