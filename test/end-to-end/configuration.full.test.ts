import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '../../src/contract/index.js';
import { startSite, type Site } from './site.js';

let site: Site;

before(async () => {
  site = await startSite();
});

after(() => site.stop());

const json = { 'content-type': 'application/json' };

const mistakes: { what: string; path: string; init?: RequestInit; status: number }[] = [
  { what: 'an unknown route', path: '/v1/nothing', status: 404 },
  { what: 'a wrong method', path: '/v1/auth/login', status: 405 },
  { what: 'no body', path: '/v1/auth/login', init: { method: 'POST', headers: json }, status: 400 },
  { what: 'broken JSON', path: '/v1/auth/login', init: { method: 'POST', headers: json, body: '{' }, status: 400 },
  {
    what: 'a list for an object',
    path: '/v1/auth/login',
    init: { method: 'POST', headers: json, body: '[]' },
    status: 400,
  },
  {
    what: 'wrong credentials',
    path: '/v1/auth/login',
    init: { method: 'POST', headers: json, body: '{"clientId":"nobody","clientSecret":"nothing"}' },
    status: 401,
  },
  { what: 'another content type', path: '/v1/auth/login', init: { method: 'POST', body: 'x' }, status: 415 },
  {
    what: 'a body over 1 MiB',
    path: '/v1/auth/login',
    init: { method: 'POST', headers: json, body: JSON.stringify({ clientId: 'x'.repeat(1_100_000) }) },
    status: 413,
  },
  { what: 'no token', path: '/v1/applications/app_1', status: 401 },
  {
    what: 'a wrong token',
    path: '/v1/applications/app_1',
    init: { headers: { authorization: 'Bearer nothing' } },
    status: 401,
  },
  { what: 'no agency id', path: '/v1/account/account-credential', init: { method: 'POST' }, status: 400 },
  {
    what: 'a wrong agency id',
    path: '/v1/account/account-credential?agencyId=agc_x',
    init: { method: 'POST' },
    status: 400,
  },
];

for (const { what, path, init, status } of mistakes) {
  test(`the bridge answers ${what} with ${String(status)} in the documented error format, without internals`, async () => {
    const answer = await fetch(site.bridgeUrl + path, init);
    const body = (await answer.json()) as ErrorBody;
    assert.equal(answer.status, status);
    assert.deepEqual(Object.keys(body).sort(), ['code', 'details', 'errorMessage']);
    assert.equal(Math.floor(body.code / 100), status);
    assert.ok(answer.headers.get('x-request-id'));
    assert.doesNotMatch(JSON.stringify(body), /node_modules|\.ts|\.js:|select |insert |Error:/);
  });
}

test('the partner’s backend answers mistakes with a message that says what to do', async () => {
  const post = (path: string, init: RequestInit) =>
    fetch(`${site.demoUrl}/licensing${path}`, { method: 'POST', ...init });
  const answers = await Promise.all([
    post('/sessions', { headers: json, body: '{}' }),
    post('/sessions', {
      headers: { ...json, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      body: '{}',
    }),
    post('/webhooks/guessed', { headers: json, body: '{}' }),
    fetch(`${site.demoUrl}/licensing/applications/app_of_somebody_else`),
    fetch(`${site.demoUrl}/licensing/nothing`),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [401, 403, 404, 401, 404],
  );
  for (const answer of answers) {
    const { message } = (await answer.json()) as { message: string };
    assert.match(message, /\w+ \w+/);
  }
});

test('wrong settings stop the start, and the message names each', async () => {
  const { code, output } = await runBridge(['serve'], {
    BRIDGE_PORT: 'eighty',
    BRIDGE_TOKEN_TTL: '-1',
    APPLY_URL: 'not a url',
  });
  assert.notEqual(code, 0);
  for (const name of ['BRIDGE_PORT', 'BRIDGE_TOKEN_TTL', 'APPLY_URL']) assert.match(output, new RegExp(name));
});

test('an unknown command prints the commands that exist', async () => {
  const { code, output } = await runBridge(['serf'], {});
  assert.equal(code, 2);
  assert.match(output, /serve/);
});

function runBridge(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['dist/bridge/cli.js', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BRIDGE_DATA_DIR: site.dataFolder, ...environment },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}
