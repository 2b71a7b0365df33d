import assert from 'node:assert/strict';
import { it } from 'node:test';
import { originOf, validateApplicationUrl } from '../../src/element/url-policy.js';

const page = 'https://agency.example';

for (const url of [
  'https://apply.example/s/1',
  'http://localhost:5172/s/1',
  'http://a.b.localhost/s/1',
  'http://127.0.0.1:5172/s/1',
  'http://apply.localhost/s/1',
  'http://[::1]:5172/s/1',
  'https://agency.example:444/s/1',
]) {
  it(`validateApplicationUrl() accepts ${url}`, () => {
    assert.equal(validateApplicationUrl(url, page).url?.href, url);
  });
}

const refused: [url: string, problem: RegExp][] = [
  ['', /absolute/],
  ['//apply.example', /absolute/],
  ['javascript:alert(1)', /https:/],
  ['JaVaScRiPt:alert(1)', /https:/],
  ['data:text/html,1', /https:/],
  ['blob:https://apply.example/1', /https:/],
  ['http://apply.example', /https:/],
  ['http://localhost.evil.example', /https:/],
  ['http://127.0.0.1.evil.example', /https:/],
  ['http://evil-localhost', /https:/],
  ['http://127.0.0.10', /https:/],
  ['http://[::11]', /https:/],
  ['ftp://localhost/', /https:/],
  ['ws://localhost/', /https:/],
  ['https://user@apply.example', /user name/],
  ['https://:word@apply.example', /user name/],
  ['/s/1', /absolute/],
  ['https://localhost@evil.example', /user name/],
  ['https://user:word@apply.example', /user name/],
  ['https://agency.example/s/1', /origin of this page/],
  ['https://AGENCY.example:443/s/1', /origin of this page/],
];
for (const [url, problem] of refused) {
  it(`validateApplicationUrl() refuses ${JSON.stringify(url)} in a frame`, () => {
    const result = validateApplicationUrl(url, page);
    assert.equal(result.url, undefined);
    assert.match(result.problem, problem);
  });
}

it('validateApplicationUrl() accepts the origin of the page outside of a frame', () => {
  assert.equal(validateApplicationUrl('https://agency.example/s/1', '').url?.pathname, '/s/1');
});

it('originOf() returns the origin of a URL only, and nothing for a text that is none', () => {
  assert.deepEqual(['https://user:word@apply.example:8443/s/1?a=b', '/s/1', ''].map(originOf), [
    'https://apply.example:8443',
    '',
    '',
  ]);
});
