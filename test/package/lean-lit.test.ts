import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leanLit } from '../config/lean-lit.js';

const transform = leanLit.transform as (code: string, id: string) => unknown;

describe('what the CDN build leaves out of Lit', () => {
  const templates: [what: string, template: string][] = [
    ['an attribute of text and a hole', 'class="card ${name}"'],
    ['an attribute of two holes', 'class=${one}${other}'],
    ['a property', '.value=${value}'],
    ['an attribute with capitals', 'viewBox=${box}'],
    ['a text that looks like an attribute', '>a=${b}'],
    ['a listener that says `this`', '@click=${this.open}'],
  ].map(([what = '', hole = '']) => [what, `html\`<p ${hole}></p>\``]);
  for (const [what, template] of templates)
    it(`stops the build for ${what}`, () => {
      assert.throws(() => transform(template, '/src/element/x.ts'), /src\/element\/x\.ts: /);
    });

  it('lets all others pass', () => {
    const template = 'html`<p class=${name} ?hidden=${isHidden} @click=${onClick} aria-label=${text}>${text}</p>`';
    assert.equal(transform(template, '/src/element/x.ts'), null);
  });

  it('stops the build for another version of it', () => {
    assert.throws(() => transform('const t=1', '/node_modules/lit-html/lit-html.js'), /Lit has changed/);
  });
});
