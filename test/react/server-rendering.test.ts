import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import manifest from 'licensing-apply/custom-elements.json' with { type: 'json' };
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { minify } from 'vite';
import { LicensingApplications, LicensingApply } from '../../src/react/index.js';
import { listAttributes, listEvents, listProperties } from '../../src/react/list-props.js';
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

/** The attributes and events of a tag, as the manifest lists them. */
function inManifest(tag: string): { attributes: string[]; events: string[] } {
  const [element] = manifest.modules.flatMap(({ declarations }) =>
    declarations.flatMap((declaration) =>
      'events' in declaration && declaration.tagName === tag ? [declaration] : [],
    ),
  );
  const namesOf = (list: readonly { name: string }[] = []) => list.map(({ name }) => name).sort();
  return { attributes: namesOf(element?.attributes), events: namesOf(element?.events) };
}

/** The attributes of all props, but those of every tag and the one without an attribute. */
function attributesOf({ className: _class, ...own }: Record<string, string>, properties: readonly string[]): string[] {
  const others = properties.filter((name) => name !== 'sessionProvider');
  const names = others.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  return [...Object.values(own), ...names].sort();
}

it('the component has a prop for each property and event of the element', () => {
  const element = inManifest('licensing-apply');
  assert.deepEqual(attributesOf(attributes, properties), element.attributes);
  assert.deepEqual(Object.values(events).sort(), element.events);
});

it('the component of the list has a prop for each property and event of the list and of its cards', () => {
  const list = inManifest('licensing-applications');
  assert.deepEqual(attributesOf(listAttributes, listProperties), list.attributes);
  assert.deepEqual(Object.values(listEvents).sort(), [...inManifest('licensing-apply').events, ...list.events].sort());
});

it('the component of the list renders on a server as the tag with its attributes and children', () => {
  const markup = renderToString(
    createElement(
      LicensingApplications,
      { sessionUrl: '/sessions', allowNew: true, onListChange: () => undefined },
      'Wait',
    ),
  );
  assert.equal(markup, '<licensing-applications session-url="/sessions">Wait</licensing-applications>');
});

it('the components are less than 1.2 kB beyond the elements', async () => {
  const text = await readFile(fileURLToPath(new URL('../../dist/react.js', import.meta.url)), 'utf8');
  const { code } = await minify('react.js', text, { module: true });
  const bytes = gzipSync(code, { level: 9 }).length;
  assert.ok(bytes < 1_200, `${bytes} bytes`);
  assert.match(text, /^['"]use client['"];/);
});
