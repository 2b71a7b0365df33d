import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeUrl } from '../../src/element/url-policy.js';

const page = 'https://agency.example';

describe('the address of a frame', () => {
  for (const address of [
    'https://apply.example/s/1',
    'http://localhost:5172/s/1',
    'http://127.0.0.1:5172/s/1',
    'http://apply.localhost/s/1',
    'http://[::1]:5172/s/1',
    'https://agency.example:444/s/1',
  ]) {
    it(`may be ${address}`, () => {
      assert.equal(judgeUrl(address, page).url?.href, address);
    });
  }

  const refused: [string, string][] = [
    ['', 'malformed'],
    ['//apply.example', 'malformed'],
    ['javascript:alert(1)', 'scheme'],
    ['JaVaScRiPt:alert(1)', 'scheme'],
    ['data:text/html,1', 'scheme'],
    ['blob:https://apply.example/1', 'scheme'],
    ['http://apply.example', 'scheme'],
    ['http://localhost.evil.example', 'scheme'],
    ['http://127.0.0.1.evil.example', 'scheme'],
    ['https://localhost@evil.example', 'credentials'],
    ['https://user:word@apply.example', 'credentials'],
    ['https://agency.example/s/1', 'same-origin'],
    ['https://AGENCY.example:443/s/1', 'same-origin'],
  ];
  for (const [address, refusal] of refused) {
    it(`must not be ${JSON.stringify(address)}: ${refusal}`, () => {
      assert.deepEqual(judgeUrl(address, page), { refusal });
    });
  }
});
