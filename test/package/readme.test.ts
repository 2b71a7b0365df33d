import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createConsumer, developmentTool, type Consumer } from '../support/consumer.js';
import { freshReadme } from '../support/readme.js';
import { freePorts } from '../support/free-ports.js';
import { startService, type Service } from '../support/service.js';
import { snippet } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

interface ElementManifest {
  modules: {
    declarations?: {
      attributes?: { name: string }[];
      events?: { name: string }[];
      cssParts?: { name: string }[];
      cssProperties?: { name: string }[];
    }[];
  }[];
}

describe('README.md', () => {
  it('has the tables that the product gives', async () => {
    assert.equal(readme, await freshReadme());
  });

  it('names only files that are there', async () => {
    for (const [, path = ''] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      assert.ok((await stat(join(root, path))).size < 200_000, path);
    }
    for (const [, path = ''] of readme.matchAll(/`((?:src|test)\/[a-z/-]+(?:\.ts)?)`/g)) {
      assert.ok(await stat(join(root, path)), path);
    }
  });

  it('writes the tag with attributes, parts and custom properties that exist', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'dist/custom-elements.json'), 'utf8')) as ElementManifest;
    const declarations = manifest.modules.flatMap(({ declarations = [] }) => declarations);
    const names = (of: 'attributes' | 'events' | 'cssParts' | 'cssProperties') =>
      declarations.flatMap((declaration) => (declaration[of] ?? []).map(({ name }) => name));
    const written = (pattern: RegExp) => [...readme.matchAll(pattern)].map(([, name = '']) => name);
    const tags = written(/<licensing-apply([^>]*)>/g).join(' ');
    assert.match(tags, /session-url/);
    const known = [...names('attributes'), ...names('events')];
    for (const [, name = ''] of tags.matchAll(/[@\s](?:on(?=licensing-))?([a-z-]+)=/g))
      assert.ok(known.includes(name), name);
    for (const name of written(/::part\(([a-z-]+)\)/g)) assert.ok(names('cssParts').includes(name), name);
    for (const name of written(/^\s+(--[a-z-]+):/gm)) assert.ok(names('cssProperties').includes(name), name);
  });

  it('loads scripts that are in the build for pages', async () => {
    const scripts = [...readme.matchAll(/src="\/licensing-apply\/([^"]+)"/g)].map(([, path = '']) => path);
    assert.deepEqual(scripts, ['licensing-apply.js', 'return.js']);
    for (const path of scripts) assert.ok(await stat(join(root, 'dist/cdn', path)));
  });
});

describe("README.md's backend", () => {
  let consumer: Consumer;
  let data: string;
  before(async () => {
    consumer = await createConsumer();
    data = await mkdtemp(join(tmpdir(), 'licensing-apply-readme-'));
    await consumer.write('backend.ts', snippet('backend.ts'));
  });
  after(async () => {
    await consumer.remove();
    await rm(data, { recursive: true, force: true });
  });

  it('has no type error', async () => {
    const options = {
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [developmentTool('@types')],
      strict: true,
      noEmit: true,
    };
    await consumer.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['backend.ts'] }));
    const { code, stdout } = await consumer.run('node', [developmentTool('typescript/bin/tsc'), '-p', '.']);
    assert.equal(code, 0, stdout);
  });

  it('makes sessions of the bridge that the README starts', async () => {
    const [bridgePort, applyPort, sitePort] = (await freePorts(3)).map(String) as [string, string, string];
    const bridgeUrl = `http://127.0.0.1:${bridgePort}`;
    const site = `http://localhost:${sitePort}`;
    const variables = { BRIDGE_PORT: bridgePort, APPLY_PORT: applyPort, BRIDGE_DATA_DIR: data };
    const cli = join(root, 'dist/bridge/cli.js');
    const services: Service[] = [];
    try {
      services.push(
        await startService('node', [cli, 'serve'], { cwd: data, variables, readyAt: `${bridgeUrl}/readyz` }),
      );
      const words = (/npx licensing-bridge (agency create .*)/.exec(readme)?.[1] ?? '').match(/"[^"]*"|\S+/g) ?? [];
      const made = await consumer.run(
        'node',
        [cli, ...words.map((word) => word.replaceAll('"', '')), '--json'],
        variables,
      );
      assert.equal(made.code, 0, made.stderr);
      const { agencyId } = JSON.parse(made.stdout) as { agencyId: string };

      const issuing = (/curl -X POST "([^"]*)"/.exec(readme)?.[1] ?? '').replace('$AGENCY_ID', agencyId);
      const issued = await fetch(issuing.replace('http://127.0.0.1:5171', bridgeUrl), { method: 'POST' });
      assert.equal(issued.status, 200);
      const credential = (await issued.json()) as { clientId: string; testClientSecret: string };

      services.push(
        await startService('node', ['backend.ts'], {
          cwd: consumer.folder,
          variables: {
            BRIDGE_URL: bridgeUrl,
            BRIDGE_CLIENT_ID: credential.clientId,
            BRIDGE_CLIENT_SECRET: credential.testClientSecret,
            LICENSING_SECRET: Buffer.alloc(32, 7).toString('base64url'),
            SITE_URL: site,
          },
          readyAt: `${site}/licensing/`,
        }),
      );
      const answer = await fetch(`${site}/licensing/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: site },
        body: JSON.stringify({ reason: 'open', returnState: 'r'.repeat(32) }),
      });
      const session = (await answer.json()) as { applicationUrl: string; statusUrl: string };
      assert.equal(answer.status, 200, JSON.stringify(session));
      assert.equal(new URL(session.applicationUrl).origin, `http://127.0.0.1:${applyPort}`);
      const status = await fetch(new URL(session.statusUrl, site));
      assert.deepEqual(((await status.json()) as { progress: object }).progress, {
        step: 'not_started',
        index: 0,
        count: 6,
      });
    } finally {
      for (const service of services.reverse()) await service.stop();
    }
  });
});
