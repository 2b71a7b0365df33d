import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import manifest from 'licensing-apply/custom-elements.json' with { type: 'json' };
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { minify } from 'vite';
import { LicensingApply } from '../../src/react/index.js';
import { attributes, events, properties } from '../../src/react/props.js';

it('the component renders on a server as the tag with its attributes and children', () => {
  const markup = renderToString(
    createElement(
      LicensingApply,
      {
        sessionUrl: '/sessions',
        className: 'wide',
        id: 'apply',
        estimatedFee: 235,
        open: true,
        sessionProvider: () => ({ applicationUrl: 'https://apply.example/', applicationId: 'app_1' }),
        onComplete: () => undefined,
      },
      createElement('a', { href: '/apply' }, 'Apply'),
    ),
  );
  assert.equal(
    markup,
    '<licensing-apply session-url="/sessions" class="wide" id="apply"><a href="/apply">Apply</a></licensing-apply>',
  );
});

it('the component has a prop for each property and event of the element', () => {
  const [element] = manifest.modules.flatMap(({ declarations }) =>
    declarations.flatMap((declaration) =>
      'events' in declaration && declaration.tagName === 'licensing-apply' ? [declaration] : [],
    ),
  );
  const { className: _class, ...ofElement } = attributes;
  const props = [...Object.values(ofElement), ...properties.map((name) => name.replace(/(?<=e|d)F/, '-f'))];
  assert.deepEqual(props.sort(), [...(element?.attributes ?? []).map(({ name }) => name), 'sessionProvider'].sort());
  assert.deepEqual(Object.values(events).sort(), (element?.events ?? []).map(({ name }) => name).sort());
});

it('the component is less than 1 kB beyond the element', async () => {
  const text = await readFile(fileURLToPath(new URL('../../dist/react.js', import.meta.url)), 'utf8');
  const { code } = await minify('react.js', text, { module: true });
  const bytes = gzipSync(code, { level: 9 }).length;
  assert.ok(bytes < 1_000, `${bytes} bytes`);
  assert.match(text, /^['"]use client['"];/);
});
