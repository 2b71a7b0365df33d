import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { developmentTool, testTool, type Consumer } from '../support/consumer.js';
import { addPackages, createExamples, exampleNames, readExample, startExample } from '../runtimes/examples.js';
import { exerciseBackend } from '../runtimes/exercise.js';
import { until } from '../../src/testing/until.js';
import { freePorts } from '../support/free-ports.mjs';
import { startService } from '../support/service.js';
import { snippet } from './snippets.js';

let consumer: Consumer;
let bridge: TestBridge;
before(async () => {
  [consumer, bridge] = await Promise.all([createExamples(), startBridge()]);
  await addPackages(consumer, developmentTool(''), ['hono', '@hono/node-server', '@types/node']);
  await addPackages(consumer, testTool(''), ['express', 'fastify', '@types/express']);
});
after(async () => {
  await bridge.stop();
  await consumer.remove();
});

it('the examples of backends have 20 lines at most', async () => {
  for (const name of exampleNames) {
    const lines = (await readExample(name)).split('\n').length - 1;
    assert.ok(lines <= 20, `${name} has ${lines} lines.`);
  }
});

it('the examples of backends have no type error in a strict project', async () => {
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    // Our declarations are checked at the entry points. Those of the frameworks are not ours.
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  for (const name of ['identify.ts', 'own-webhooks.ts']) await consumer.write(name, snippet(name));
  // Next.js has its own module resolution and checks its example during the build.
  const files = [...exampleNames.filter((name) => name !== 'next.ts'), 'identify.ts', 'own-webhooks.ts'];
  await consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const { code, stdout } = await consumer.run('node', [developmentTool('typescript/bin/tsc'), '-p', '.']);
  assert.equal(code, 0, stdout);
});

async function exercise(file: string): Promise<void> {
  const start = { command: process.execPath, words: () => [join(consumer.folder, file)] };
  const backend = await startExample(consumer, bridge, start);
  try {
    await exerciseBackend(backend, bridge);
  } catch (error) {
    assert.fail(new Error(backend.output(), { cause: error }));
  } finally {
    await backend.stop();
  }
}

for (const framework of ['node', 'express', 'fastify', 'hono']) {
  it(`the example for ${framework} serves sessions, webhooks, the status and events`, () =>
    exercise(`${framework}.ts`));
}

/** Other places in an Express application, each replacing the line that mounts the handler. */
const mount = `app.use('/licensing', toNodeListener(licensing));`;
const expressMounts: Record<string, string> = {
  'behind express.json()': `app.use(express.json());\n${mount}`,
  'in a sub-router': `const router = express.Router();\n${mount.replace('app', 'router')}\napp.use(router);`,
  'behind a logger that listens along': `app.use((request, _response, next) => {
  request.on('data', (bytes) => console.log(bytes.length));
  next();
});\n${mount}`,
};
for (const [where, lines] of Object.entries(expressMounts)) {
  it(`the example for express serves the same ${where}`, async () => {
    const example = await readExample('express.ts');
    assert.ok(example.includes(mount));
    const file = `express-${where.replaceAll(/\W+/g, '-')}.ts`;
    await consumer.write(file, example.replace(mount, lines));
    await exercise(file);
  });
}

it('the example of webhooks without the handler receives webhooks, and rejects forged ones', async () => {
  await consumer.write('own-webhooks.ts', snippet('own-webhooks.ts'));
  // The same process starts the application, because the example keeps its tables in memory.
  await consumer.write(
    'start-application.ts',
    `import { server, startApplication } from './own-webhooks.ts';
server.on('listening', async () => console.log((await startApplication('usr_1')).applicationUrl));`,
  );
  const [port = 0] = await freePorts(1);
  const { clientId, testClientSecret } = bridge.credential;
  const service = await startService(process.execPath, ['start-application.ts'], {
    cwd: consumer.folder,
    readyAt: `http://localhost:${port}/`,
    variables: {
      BRIDGE_URL: bridge.bridgeUrl,
      BRIDGE_CLIENT_ID: clientId,
      BRIDGE_CLIENT_SECRET: testClientSecret,
      LICENSING_SECRET: 'a secret of the example, 32 characters',
      SITE_URL: `http://localhost:${port}`,
      PORT: String(port),
    },
  });
  try {
    const output = (pattern: RegExp) =>
      until(
        () => pattern.exec(service.output())?.[0],
        10_000,
        () => service.output(),
      );
    // Opening the application sends `application.session_started`.
    await fetch(await output(/http:\S+\/s\/\S+/));
    await output(/application\.session_started/);
    const forged = await fetch(`http://localhost:${port}/webhooks/forged.token`, {
      method: 'POST',
      body: '{}',
    });
    assert.equal(forged.status, 404);
  } finally {
    await service.stop();
  }
});
