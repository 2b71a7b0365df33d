import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startConsole, type ConsoleService } from '../console/support.js';

let service: ConsoleService;
before(async () => {
  service = await startConsole({ environment: { BRIDGE_TRUSTED_PROXIES: '1' } });
});
after(() => service.stop());

async function login(forwardedFor: string): Promise<number> {
  const body = { clientId: 'nobody', clientSecret: 'wrong' };
  const headers = { 'x-forwarded-for': forwardedFor };
  return (await service.call('POST', '/v1/auth/login', { body, headers, token: null })).status;
}

test('Behind a proxy that adds ports, failed logins lock out their own address only.', async () => {
  for (const [guesser, neighbor] of [
    ['203.0.113.5', '203.0.113.6'],
    ['[2001:db8:1::5]', '[2001:db8:2::5]'],
  ] as const) {
    for (let port = 50_001; port <= 50_010; port += 1) assert.equal(await login(`${guesser}:${port}`), 401);
    assert.equal(await login(`${guesser}:50011`), 429);
    assert.equal(await login(`${neighbor}:50012`), 401);
  }
});

test('An entry of a trusted proxy that is no address is logged once, without the entry.', async () => {
  for (const entry of ['unknown', '_hidden', '203.0.113.5:port']) await login(entry);
  const warnings = service.logged.filter((line) => line.includes('X-Forwarded-For'));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /"app":"api"/);
  assert.doesNotMatch(service.logged.join('\n'), /_hidden|203\.0\.113\.5:port/);
});

test('The console does not trust the proxies of the API, so a header that changes does not hide guesses.', async () => {
  const statuses: number[] = [];
  for (let guess = 1; guess <= 12; guess += 1) {
    const body = new URLSearchParams({ name: 'Filer', password: `guess number ${guess}` });
    const headers = { 'x-forwarded-for': `198.51.100.${guess}` };
    const { status } = await fetch(`${service.consoleUrl}/sign-in`, { method: 'POST', body, headers });
    statuses.push(status);
  }
  assert.deepEqual(statuses.slice(9), [422, 429, 429]);
});
