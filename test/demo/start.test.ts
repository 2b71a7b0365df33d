import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const startScript = fileURLToPath(new URL('../../demo/start.ts', import.meta.url));
const variables = ['DEMO_PORT', 'BRIDGE_PORT', 'APPLY_PORT'] as const;

describe('npm start', () => {
  it('starts bridge, hosted application and demo, prints their addresses, and Ctrl-C stops all three', async (t) => {
    const { ports, start } = await setup(t);
    const demo = start();
    await demo.says('Press Ctrl-C');

    const addresses = [...demo.output().matchAll(/http:\/\/[^\s]+/g)].map(([address]) => address);
    assert.deepEqual(
      addresses.map((address) => Number(new URL(address).port)),
      [ports.BRIDGE_PORT, ports.APPLY_PORT, ports.DEMO_PORT],
    );
    const [bridgeUrl, , demoUrl] = addresses;
    assert.equal((await fetch(`${String(bridgeUrl)}/readyz`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${String(ports.APPLY_PORT)}/s/nobody`)).status < 500, true);
    assert.match(await (await fetch(String(demoUrl))).text(), /<licensing-apply/);

    demo.child.kill('SIGINT');
    assert.equal(await demo.ended, 0);
    await assertNothingListens(ports);
  });

  it('keeps the credential of its agency to itself and uses it again', async (t) => {
    const { dataFolder, start } = await setup(t);
    const credentials: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const demo = start();
      await demo.says('Press Ctrl-C');
      const file = join(dataFolder, 'demo-credential.json');
      const { mode, mtimeMs } = await stat(file);
      assert.equal(mode & 0o777, 0o600);
      credentials.push(String(mtimeMs));
      demo.child.kill('SIGTERM');
      assert.equal(await demo.ended, 0);
    }
    assert.equal(credentials[0], credentials[1]);
  });

  for (const variable of variables) {
    it(`names ${variable} when its port is taken, and leaves nothing running`, async (t) => {
      const { ports, dataFolder, start } = await setup(t);
      const holder = await listen(ports[variable]);
      t.after(() => holder.close());
      const demo = start();
      assert.equal(await demo.ended, 1);
      assert.match(demo.output(), new RegExp(`${String(ports[variable])} is taken.*${variable}=`));
      assert.deepEqual(await readdir(dataFolder), []);
      holder.close();
      await assertNothingListens(ports);
    });
  }

  it('says so and stops when the bridge dies', async (t) => {
    const { ports, start } = await setup(t, { BRIDGE_SESSION_TTL: 'soon' });
    const demo = start();
    assert.equal(await demo.ended, 1);
    assert.match(demo.output(), /bridge stopped by itself.*[\s\S]*BRIDGE_SESSION_TTL/);
    await assertNothingListens(ports);
  });
});

async function setup(t: TestContext, environment: Record<string, string> = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'demo-'));
  t.after(() => rm(dataFolder, { recursive: true, force: true }));
  const numbers = await freePorts(variables.length);
  const ports = Object.fromEntries(variables.map((name, index) => [name, numbers[index]])) as Record<
    (typeof variables)[number],
    number
  >;
  const { DATABASE_URL: _elsewhere, BRIDGE_URL: _bridge, APPLY_URL: _apply, ...own } = process.env;
  const texts = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const env = { ...own, ...texts, BRIDGE_DATA_DIR: dataFolder, ...environment };

  function start() {
    const child = spawn(process.execPath, [startScript], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    return watch(child);
  }
  return { ports, dataFolder, start };
}

function watch(child: ChildProcess) {
  let output = '';
  let told: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      told();
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
      told();
    });
  });
  return {
    child,
    ended,
    output: () => output,
    says: (words: string) =>
      new Promise<void>((resolve, reject) => {
        told = () => {
          if (output.includes(words)) resolve();
          else if (child.exitCode !== null) reject(new Error(`It ended before it said “${words}”:\n${output}`));
        };
        told();
      }),
  };
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function assertNothingListens(ports: Record<string, number>): Promise<void> {
  for (const port of Object.values(ports)) {
    await assert.doesNotReject(
      async () => {
        const server = await listen(port);
        await new Promise((resolve) => server.close(resolve));
      },
      `Something still listens on port ${String(port)}.`,
    );
  }
}
