import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { Hono } from 'hono';
import { pageAfter } from '../../../src/bridge/console/session.js';
import { isCrossOriginPost } from '../../../src/bridge/pages/cross-origin-post.js';
import { collectErrors, readForm } from '../../../src/bridge/pages/forms.js';
import { secureHeaders } from '../../../src/bridge/pages/headers.js';

const own = 'https://apply.example';
for (const [what, origin, site, isForeign] of [
  ['without both headers', undefined, undefined, false],
  ['of the same origin', own, 'same-origin', false],
  ['of the same origin without Sec-Fetch-Site', own, undefined, false],
  ['that the user typed', undefined, 'none', false],
  ['without a referrer', 'null', 'same-origin', false],
  ['of another origin', 'https://evil.example', undefined, true],
  ['of another scheme', 'http://apply.example', undefined, true],
  ['of another origin that claims to be the same', 'https://evil.example', 'same-origin', true],
  ['of a hidden origin without Sec-Fetch-Site', 'null', undefined, true],
  ['of a hidden origin of another site', 'null', 'cross-site', true],
  ['of another site', own, 'cross-site', true],
  ['of a neighbor of the site', undefined, 'same-site', true],
] as const) {
  test(`A post ${what} is ${isForeign ? 'refused' : 'accepted'}.`, () => {
    const headers = new Map(Object.entries({ origin, 'sec-fetch-site': site }));
    assert.equal(isCrossOriginPost({ header: (name) => headers.get(name) }, own), isForeign);
  });
}

test('A form has its fields trimmed with LF line breaks, and the length of the longest as sent.', () => {
  const form = readForm('a=+x%0D%0Ay%0Dz+&b=1&b=22&long=%20%20%20%20%20%20%20%20');
  assert.deepEqual(
    [form.text('a'), form.text('none'), form.text('b'), form.all('b'), form.longest, form.isLeaving],
    ['x\ny\nz', '', '1', ['1', '22'], 8, false],
  );
  assert.equal(readForm('leave=').isLeaving, true);
  assert.equal(readForm('').longest, 0);
});

test('Each field has one error: the first one.', () => {
  const { errors, check } = collectErrors();
  check(true, 'a', 'fine');
  check(false, 'a', 'first');
  check(false, 'a', 'second');
  check(false, 'b', 'other');
  assert.deepEqual(errors, [
    { field: 'a', message: 'first' },
    { field: 'b', message: 'other' },
  ]);
});

for (const [next, page] of [
  [undefined, '/'],
  ['', '/'],
  ['/applications?status=open&after=2026-01-01~a%3A', '/applications?status=open&after=2026-01-01~a%3A'],
  [`/${'a'.repeat(500)}`, `/${'a'.repeat(500)}`],
  [`/${'a'.repeat(501)}`, '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example/', '/'],
  ['evil', '/'],
  ['/a:b', '/'],
  ['/a\nb', '/'],
  ['/"><script>', '/'],
] as const) {
  test(`The page after the sign-in for ${JSON.stringify(next?.slice(0, 60))} of ${String(next?.length)} characters is ${page === '/' ? 'the home page' : 'that page'}.`, () => {
    assert.equal(pageAfter(next), page);
  });
}

const headersOf = async (...options: Parameters<typeof secureHeaders>) => {
  const app = new Hono();
  app.use(secureHeaders(...options));
  app.get('/', (c) => c.text('page'));
  app.get('/asset', (c) => c.text('asset', 200, { 'cache-control': 'public' }));
  return { page: (await app.request('/')).headers, asset: (await app.request('/asset')).headers };
};

it('The headers of a page allow only its own files, no frame, no cache and no referrer.', async () => {
  const { page, asset } = await headersOf(false);
  assert.equal(
    page.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  assert.deepEqual(
    ['referrer-policy', 'x-content-type-options', 'cache-control', 'strict-transport-security'].map((name) =>
      page.get(name),
    ),
    ['no-referrer', 'nosniff', 'no-store', null],
  );
  assert.match(page.get('permissions-policy') ?? '', /camera=\(\), geolocation=\(\), microphone=\(\)/);
  assert.equal(asset.get('cache-control'), 'public');
});

it('The headers of a page over https demand https, and name the origins of its frame and its scripts.', async () => {
  const { page } = await headersOf(
    true,
    () => 'https://partner.example',
    () => ['https://pay.example'],
  );
  assert.equal(page.get('strict-transport-security'), 'max-age=31536000');
  const policy = page.get('content-security-policy') ?? '';
  for (const part of [
    "script-src 'self' https://pay.example;",
    "connect-src 'self' https://pay.example;",
    'frame-src https://pay.example;',
    'frame-ancestors https://partner.example',
  ]) {
    assert.ok(policy.includes(part), part);
  }
});

it('The headers of a page let a cross-origin isolated page frame it, if it may be framed and loads no scripts of others.', async () => {
  const isolation = async (...options: Parameters<typeof secureHeaders>) => {
    const { page } = await headersOf(...options);
    return ['cross-origin-embedder-policy', 'cross-origin-resource-policy'].map((name) => page.get(name));
  };
  const framedBy = () => 'https://partner.example';
  assert.deepEqual(await isolation(true, framedBy), ['require-corp', 'cross-origin']);
  assert.deepEqual(await isolation(true), [null, null]);
  assert.deepEqual(await isolation(true, framedBy, () => ['https://pay.example']), [null, null]);
});
