import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Application } from '../../../src/contract/index.js';
import { inputLimits } from '../../../src/bridge/domain/limits/limits.js';
import { freePorts } from '../../support/free-ports.mjs';
import { programPath } from '../../support/programs.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { signedIn, startConsole } from '../console/support.js';

const configuration = readFileSync(fileURLToPath(new URL('../../../deploy/nginx.conf', import.meta.url)), 'utf8');

interface Ports {
  api: number;
  apply: number;
  operators: number;
}

/** Starts nginx with deploy/nginx.conf, on plain HTTP and loopback ports, in front of instances. */
async function startNginx(t: TestContext, ports: Ports, instances: readonly Ports[]) {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-nginx-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [plainPort] = await freePorts(1);
  const changes: [from: RegExp, to: string][] = [
    [/listen 80 default_server;/, `listen 127.0.0.1:${String(plainPort)};`],
    [/listen 443 ssl;\s*server_name bridge\.example\.com;/, `listen 127.0.0.1:${ports.api};`],
    [/listen 443 ssl;\s*server_name apply\.example\.com;/, `listen 127.0.0.1:${ports.apply};`],
    [/listen 8443 ssl;\s*server_name console\.example\.com;/, `listen 127.0.0.1:${ports.operators};`],
    [/^ *ssl_.*$/gm, ''],
    ...(
      [
        ['api', 5171],
        ['apply', 5172],
        ['operators', 5173],
      ] as const
    ).map(([name, port]): [RegExp, string] => [
      new RegExp(`server bridge-1:${port}( .+)?;\\s*server bridge-2:${port}\\1;`),
      instances.map((instance) => `server 127.0.0.1:${instance[name]}$1;`).join('\n'),
    ]),
    [/\/var\/log\/nginx/g, folder],
    [/\/var\/run/g, folder],
    [/^worker_processes auto;$/m, `worker_processes 1; daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''}`],
  ];
  let text = configuration;
  for (const [from, to] of changes) {
    assert.match(text, from);
    text = text.replace(from, to);
  }
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  const words = ['-p', folder, '-c', file, '-e', join(folder, 'error.log')];
  const checked = spawnSync(programPath('nginx'), ['-t', ...words], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stderr);
  const child = spawn(programPath('nginx'), words, { stdio: 'ignore' });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGQUIT');
    await exit;
  };
  t.after(stop);
  const healthz = `http://127.0.0.1:${ports.api}/healthz`;
  while ((await fetch(healthz).catch(() => undefined)) === undefined) await pause(25);
  const log = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    stop,
    plainUrl: `http://127.0.0.1:${String(plainPort)}`,
    access: () => log('access.log'),
    errors: () => log('error.log'),
  };
}

/** A bridge with a console, and nginx in front of its three origins. */
async function startBehindNginx(t: TestContext) {
  const [api = 0, apply = 0, operators = 0, ...instances] = await freePorts(6);
  const [instanceApi = 0, instanceApply = 0, instanceOperators = 0] = instances;
  const consoleUrl = `http://127.0.0.1:${operators}`;
  const service = await startConsole({
    environment: {
      BRIDGE_PORT: String(instanceApi),
      APPLY_PORT: String(instanceApply),
      APPLY_URL: `http://127.0.0.1:${apply}`,
      CONSOLE_PORT: String(instanceOperators),
      CONSOLE_URL: consoleUrl,
      BRIDGE_TRUSTED_PROXIES: '1',
      CONSOLE_TRUSTED_PROXIES: '1',
    },
  });
  t.after(() => service.stop());
  const instance = { api: instanceApi, apply: instanceApply, operators: instanceOperators };
  return { service, api, apply, consoleUrl, nginx: await startNginx(t, { api, apply, operators }, [instance]) };
}

test('Behind nginx, an application with the largest document is filled in, seen by an operator and answered, and no log of nginx contains a link.', async (t) => {
  const { service, consoleUrl, nginx, api, apply } = await startBehindNginx(t);
  const applyUrl = `http://127.0.0.1:${apply}`;
  const { applicationUrl, applicationId } = await service.createSession();
  assert.ok(applicationUrl.startsWith(`${applyUrl}/s/`));
  const visitor = createVisitor();
  await walkTo(visitor, { applicationUrl, isSlow: true }, 'disclosures');
  const file = Buffer.alloc(inputLimits.documentBytes.max, ' ');
  file.write('%PDF-1.7\n');
  file.write('%%EOF\n', file.length - 6);
  const document = new FormData();
  document.append('file', new Blob([file]), 'court order.pdf');
  const headers = { accept: 'application/json' };
  const uploaded = await fetch(`${applicationUrl}/background/documents`, { method: 'POST', body: document, headers });
  assert.equal(uploaded.status, 200);
  const keep = { identity: { ...typed.identity, use: 'keep' } };
  const receipt = await walkTo(visitor, { applicationUrl, isSlow: true }, 'receipt', keep);
  assert.equal(receipt.heading, 'Application submitted');
  const operator = await signedIn({ ...service, consoleUrl }, 'Filer', 'file');
  const seen = await operator.get(`/applications/${applicationId}`);
  assert.deepEqual([seen.status, seen.heading], [200, 'Application']);
  assert.match(seen.html, /1\. PDF/);
  const path = `/v1/test_helpers/applications/${applicationId}/states/TX`;
  const { body } = await service.call('POST', path, { body: { status: 'requires_action' } });
  const actionUrl = (body as Application).states.find(({ state }) => state === 'TX')?.actionUrl ?? '';
  const answered = await visitor.post(actionUrl, { answer: 'Here it is', confirm: 'yes' });
  assert.equal(answered.heading, 'Your answer was sent');
  const throughApi = `http://127.0.0.1:${api}/v1/applications/${applicationId}`;
  const authorization = `Bearer ${service.tokens.test}`;
  assert.equal((await fetch(throughApi, { headers: { authorization } })).status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${api}/readyz`)).status, 404);

  // Other ways by which a link could reach a log: another spelling, a referrer, a redirect, and
  // errors.
  const [session = '', action = ''] = [applicationUrl, actionUrl].map((url) => url.split('/').at(-1));
  const spelled = [
    `//s/${session}`,
    `/%73/${session}/profile`,
    `/x/../s/${session}`,
    `/s/${session}?lang=es`,
    `/a/${action}/`,
  ];
  for (const odd of spelled) await get(apply, odd);
  await fetch(`${nginx.plainUrl}/s/${session}`, { redirect: 'manual' });
  await fetch(throughApi, { headers: { authorization, referer: applicationUrl } });
  await service.stop();
  assert.equal((await fetch(applicationUrl)).status, 502);
  await fetch(applicationUrl, { method: 'POST', body: 'x'.repeat(2_000_000) }).catch(() => undefined);
  await nginx.stop();

  assert.match(nginx.access(), /"GET \/s\/-" 200/);
  assert.match(nginx.access(), /"POST \/s\/-\/identity" 303/);
  assert.match(nginx.access(), /"POST \/a\/-" 303/);
  assert.match(nginx.access(), new RegExp(`"GET /v1/applications/${applicationId}" 200`));
  for (const token of [session, action]) {
    assert.equal(token.length, 43);
    assert.doesNotMatch(nginx.access(), new RegExp(token));
    assert.doesNotMatch(nginx.errors(), new RegExp(token));
  }
});

/** A server that answers 204 on a port. Resolves with a function that stops it at once. */
async function startInstance(
  t: TestContext,
  port: number,
  respond: RequestListener = (_, answer) => answer.writeHead(204).end(),
): Promise<() => Promise<void>> {
  const server = createServer(respond);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  t.after(() => (server.listening ? stop() : undefined));
  return stop;
}

test('Behind nginx, instances that restart one after the other at once fail no request, also none that writes.', async (t) => {
  const [api = 0, apply = 0, operators = 0, first = 0, second = 0] = await freePorts(5);
  const ports = [first, second];
  const stops = [await startInstance(t, first), await startInstance(t, second)];
  const instances = ports.map((port) => ({ api: port, apply: port, operators: port }));
  await startNginx(t, { api, apply, operators }, instances);
  for (let round = 0; round < 4; round += 1) {
    const at = round % 2;
    await stops[at]?.();
    const statuses = [];
    for (const [port, method] of [api, apply, operators].flatMap((port) =>
      ['GET', 'POST', 'POST'].map((method) => [port, method] as const),
    )) {
      statuses.push((await fetch(`http://127.0.0.1:${port}/`, { method })).status);
    }
    assert.deepEqual(statuses, Array(9).fill(204), `round ${round}`);
    stops[at] = await startInstance(t, ports[at] ?? 0);
  }
});

test('Behind nginx, a POST that an instance received is not sent to another one, and a GET is.', async (t) => {
  const [api = 0, apply = 0, operators = 0, first = 0, second = 0] = await freePorts(5);
  const received: string[] = [];
  // Each ends the connection of the first request that it receives.
  for (const port of [first, second]) {
    await startInstance(t, port, ({ method = '', url, socket }, answer) => {
      if (url === '/healthz') return answer.writeHead(204).end();
      received.push(method);
      if (received.length === 1) return socket.destroy();
      return answer.writeHead(204).end();
    });
  }
  const instances = [first, second].map((port) => ({ api: port, apply: port, operators: port }));
  await startNginx(t, { api, apply, operators }, instances);
  for (const [method, expected] of [
    ['POST', [502, 'POST']],
    ['GET', [204, 'GET', 'GET']],
  ] as const) {
    received.length = 0;
    const { status } = await fetch(`http://127.0.0.1:${api}/`, { method });
    assert.deepEqual([status, ...received], expected);
  }
});

/** The raw path, which fetch would normalize. */
function get(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        resolve(answer.statusCode);
      });
    })
      .once('error', reject)
      .end();
  });
}
