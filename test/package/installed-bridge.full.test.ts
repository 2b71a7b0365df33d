import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createBridgeClient } from '../../src/server/index.js';
import { createVisitor, walkTo } from '../bridge/apply/support/visitor.js';
import { createConsumer, runNpm, type Consumer } from '../support/consumer.js';
import { freePorts } from '../support/free-ports.mjs';
import { startService } from '../support/service.js';
import { startOwnBridge } from './own-bridge.js';
import { testPackage } from './package-suite.js';
import { snippet } from './snippets.js';

const bin = 'node_modules/.bin/licensing-bridge';

/** What an operator's project does with the types. */
const typeUses = `
import { createBridge, manualFiling, type Bridge, type DocumentStorage, type PaymentProcessor } from 'licensing-bridge';
import { testDocumentStorage } from 'licensing-bridge/conformance';
declare const paymentProcessor: PaymentProcessor;
const operated: Promise<Bridge> = createBridge({ paymentProcessor, filingGateway: manualFiling() });
// @ts-expect-error a processor says how the card is asked for
void createBridge({ paymentProcessor: { ...paymentProcessor, cardEntry: 'form' } });
declare const storage: DocumentStorage;
const defined: () => void = () => testDocumentStorage('x', async () => ({ storage, other: storage, stop: async () => {} }));
void [operated, defined];
`;

describe('the installed licensing-bridge', () => {
  let consumer: Consumer;
  before(async () => {
    consumer = await createConsumer('licensing-bridge', '--omit=optional');
  });
  after(() => consumer.remove());

  testPackage('licensing-bridge', () => consumer, /^(dist|catalogue\/data|docs|deploy)\//, typeUses);

  it('licensing-bridge prints its help', async () => {
    const { code, stdout, stderr } = await consumer.run(bin, ['--help']);
    assert.equal(code, 0, stderr);
    for (const command of ['serve', 'agency create', 'application decide']) assert.match(stdout, new RegExp(command));
  });

  it('licensing-bridge has the license of the repository', async () => {
    const [own, shared] = await Promise.all([
      readFile(join(consumer.installed, 'LICENSE'), 'utf8'),
      readFile('LICENSE', 'utf8'),
    ]);
    assert.equal(own, shared);
  });

  it('licensing-bridge has a Dockerfile that installs its command line from the unpacked package', async (t) => {
    // Apart from the consumer, whose manifest npm would find.
    const image = await mkdtemp(join(tmpdir(), 'licensing-bridge-image-'));
    t.after(() => rm(image, { recursive: true, force: true }));
    const [source, app] = [join(image, 'package'), join(image, 'app')];
    const dockerfile = await readFile(join(consumer.installed, 'deploy/Dockerfile'), 'utf8');
    for (const [, paths = ''] of dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)) {
      for (const path of paths.split(' '))
        await cp(join(consumer.installed, path), join(source, path), { recursive: true });
    }
    await mkdir(app);
    const [, words = ''] = /^RUN npm (.+)$/m.exec(dockerfile) ?? [];
    await runNpm([...words.replace('/package', source).split(' '), '--prefer-offline'], app);
    const [, entryPoint = '[]'] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
    const [, path = ''] = JSON.parse(entryPoint) as string[];
    const { code, stdout, stderr } = await consumer.run('node', [join(app, path), 'catalogue', '--help']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /catalogue import/);
  });

  describe('its database', () => {
    before(async () => {
      const ports = await freeBridgePorts();
      const { code, stdout, stderr } = await consumer.run(bin, ['serve'], { ...ports, DATABASE_URL: '' });
      assert.notEqual(code, 0);
      const [, words = ''] = /run "npm install ([^"]*)"/.exec(stderr + stdout) ?? [];
      assert.notEqual(words, '', stderr + stdout);
      await consumer.install(...words.split(' '));
    });

    it('licensing-bridge serves alone, on the database that its error message installs, and stops on a signal', async () => {
      const ports = await freeBridgePorts();
      const url = `http://127.0.0.1:${ports.BRIDGE_PORT}`;
      const bridge = await startService(join(consumer.folder, bin), ['serve'], {
        cwd: consumer.folder,
        variables: { ...ports, DATABASE_URL: '', BRIDGE_DATA_DIR: join(consumer.folder, '.data') },
        readyAt: `${url}/readyz`,
      });
      const docs = await fetch(`${url}/docs`);
      const [, script = ''] = /src="([^"]+)"/.exec(await docs.text()) ?? [];
      const [health, asset] = await Promise.all([fetch(`${url}/healthz`), fetch(new URL(script, docs.url))]);
      assert.deepEqual([health.status, docs.status, asset.status], [200, 200, 200]);
      assert.equal(await bridge.stop(), 0, bridge.output());
    });

    it('licensing-bridge creates an operator, whose password a thread of the package hashes', async () => {
      const variables = { DATABASE_URL: '', BRIDGE_DATA_DIR: join(consumer.folder, '.data') };
      const words = ['operator', 'create', '--name', 'Installed', '--role', 'view'];
      const { code, stdout, stderr } = await consumer.run(bin, words, variables);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^password: \S+$/m);
    });

    it('the adapters of docs/bridge/live-mode.md serve by BRIDGE_ADAPTERS and by createBridge, and stop on a signal', async () => {
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

/** A module like an operator's. It makes no calls here. */
const someProcessor = `
const never = () => Promise.reject(new Error('No payments in this test.'));
export const createProcessor = () => ({
  serves: () => true, cardEntry: 'page', authorize: never, lookUp: never, capture: never, void: never, refund: never,
});
`;

async function freeBridgePorts() {
  const [BRIDGE_PORT, APPLY_PORT] = (await freePorts(2)).map(String) as [string, string];
  return { BRIDGE_PORT, APPLY_PORT };
}
