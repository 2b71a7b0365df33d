import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EnvironmentError, readEnvironment } from '../../../src/bridge/config/environment.js';
import { contrast, deriveBrandColors, readableColor, surfaces } from '../../../src/bridge/config/brand-colors.js';
import { describeMissingOperator, phoneHref, readOperator } from '../../../src/bridge/pages/operator.js';

const folder = mkdtempSync(join(tmpdir(), 'licensing-operator-'));

function writeLogo(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const mark = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>';

test('A color with too little contrast on light pages is refused; the nearest readable one is named and accepted.', () => {
  const nearest = readableColor('#ffb300');
  assert.throws(
    () => readEnvironment({ BRIDGE_OPERATOR_COLOR: '#FFB300' }),
    new RegExp(`the nearest one is ${nearest}`),
  );
  assert.ok(readEnvironment({ BRIDGE_OPERATOR_COLOR: nearest }).BRIDGE_OPERATOR_COLOR);
});

for (const color of ['#0c5460', '#1b2a6b', '#8a0f2d', '#000000', '#2f6b1f', '#5b21b6', '#b3261e']) {
  test(`Text and buttons in both themes that are derived from ${color} have a contrast of at least 4.5:1.`, () => {
    const colors = deriveBrandColors(color);
    assert.ok(colors);
    for (const theme of ['light', 'dark'] as const) {
      const { accent, accentStrong, onAccent, tint } = colors[theme];
      for (const text of [accent, accentStrong]) {
        for (const surface of [...Object.values(surfaces[theme]), tint]) {
          assert.ok(contrast(text, surface) >= 4.5, `${theme}: ${text} on ${surface}`);
        }
        assert.ok(contrast(text, onAccent) >= 4.5, `${theme}: ${onAccent} on ${text}`);
      }
    }
  });
}

test('Colors are checked against the surfaces of the style sheet.', () => {
  const sheet = readFileSync(new URL('../../../src/bridge/apply/client/style/colors.css', import.meta.url), 'utf8');
  for (const name of ['paper', 'sheet'] as const) {
    assert.ok(sheet.includes(`--${name}: light-dark(${surfaces.light[name]}, ${surfaces.dark[name]});`), name);
  }
});

test('A logo is served from the pages’ own origin at an address that changes with its content.', () => {
  const { logoHref = '', fileAt } = readOperator(
    readEnvironment({ BRIDGE_OPERATOR_LOGO: writeLogo('mark.svg', mark) }),
  );
  assert.match(logoHref, /^\/assets\/[0-9a-f]{16}\.operator\.svg$/);
  assert.equal(fileAt(logoHref)?.contentType, 'image/svg+xml');
  assert.equal(fileAt(logoHref)?.body.toString(), mark);
  assert.equal(fileAt('/assets/0000000000000000.operator.svg'), undefined);
});

for (const [what, name, content, expected] of [
  ['that is no PNG but says so', 'lie.png', mark, /BRIDGE_OPERATOR_LOGO: expected a PNG image/],
  ['without the namespace of SVG', 'bare.svg', '<svg viewBox="0 0 8 8"></svg>', /an SVG image with its xmlns/],
  ['without a size', 'free.svg', mark.replace('viewBox', 'data-box'), /an SVG image with a viewBox/],
  [
    'that is not UTF-8',
    'peña.svg',
    Buffer.from(mark.replace('><', '><!-- Peña --><'), 'latin1'),
    /an SVG image in UTF-8/,
  ],
  ['that is too large', 'large.svg', mark + ' '.repeat(256 * 1_024), /a file of at most 256 KiB/],
] as const) {
  test(`A logo ${what} stops the start.`, () => {
    const environment = readEnvironment({ BRIDGE_OPERATOR_LOGO: writeLogo(name, content) });
    assert.throws(() => readOperator(environment), expected);
  });
}

test('A missing logo stops the start, and the error shows no path.', () => {
  const environment = readEnvironment({ BRIDGE_OPERATOR_LOGO: join(folder, 'missing-hunter2.svg') });
  assert.throws(
    () => readOperator(environment),
    (error: unknown) => error instanceof EnvironmentError && !error.message.includes('hunter2'),
  );
});

test('Missing settings of the operator that users need are named, and nothing is invented in their place.', () => {
  const unset = readOperator(readEnvironment({}));
  assert.equal(unset.name, undefined);
  assert.match(
    describeMissingOperator(unset) ?? '',
    /NAME, BRIDGE_OPERATOR_PRIVACY_URL, .*TERMS_URL, one of .*HELP_URL/,
  );
  const enough = readOperator(
    readEnvironment({
      BRIDGE_OPERATOR_NAME: 'Fernhill Licensing',
      BRIDGE_OPERATOR_PRIVACY_URL: 'https://fernhill.example/privacy',
      BRIDGE_OPERATOR_TERMS_URL: 'https://fernhill.example/terms',
      BRIDGE_OPERATOR_PHONE: '+1 (512) 555-0100',
    }),
  );
  assert.equal(describeMissingOperator(enough), undefined);
  assert.equal(phoneHref(enough.phone ?? ''), 'tel:+15125550100');
});
