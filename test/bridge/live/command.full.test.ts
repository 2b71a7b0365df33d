import { equal, match, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgencyCredential, LoginResponse, Session } from '../../../src/contract/index.js';
import { testDatabase } from '../../support/database.js';
import { runHere, serveInProcess } from '../process.js';

const processorAdapter = new URL('../../support/processor-adapter.ts', import.meta.url).href;
const [processorKey, kmsKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

/** A module like an operator's: a payment processor, and a key that a KMS decrypts. */
const adapters = `
import { createProcessorAdapter } from '${processorAdapter}';

export default async () => ({
  paymentProcessor: createProcessorAdapter({ url: 'http://127.0.0.1:9', apiKey: '${processorKey}' }),
  keyProvider: { source: 'The KMS', loadKeys: async () => [Buffer.from('${kmsKey}', 'hex')] },
});
`;

test('With BRIDGE_ADAPTERS, licensing-bridge accepts live sessions that users pay, and its commands use the same key.', async (t) => {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'bridge-live-'));
  t.after(() => Promise.all([database.stop(), rm(folder, { recursive: true })]));
  const file = join(folder, 'adapters.mjs');
  await writeFile(file, adapters);
  // No variable has a key, so the commands start only with the adapter's key.
  const variables = {
    DATABASE_URL: database.url,
    BRIDGE_ADAPTERS: file,
    NODE_ENV: 'production',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
  };
  const agencyId = (await runHere(['agency', 'create', '--name', 'Example Agency'], variables)).out.trim();
  const serving = await serveInProcess(variables, t.signal);
  const post = async <Body>(path: string, body: object, token?: string) => {
    const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const answer = await fetch(`${serving.bridgeUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    equal(answer.status, 200, text);
    return JSON.parse(text) as Body;
  };
  const credential = await post<AgencyCredential>(`/v1/account/account-credential?agencyId=${agencyId}`, {});
  const { clientId, liveClientSecret: clientSecret } = credential;
  const { accessToken } = await post<LoginResponse>('/v1/auth/login', { clientId, clientSecret });
  const request = {
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life_health',
    states: ['TX'],
    returnUrl: 'https://partner.example/done',
    paymentMethod: 'user_pays',
  };
  // Without a processor, a live session that the user pays is refused.
  await post<Session>('/v1/applications/sessions', request, accessToken);

  const { out } = await runHere(['keys', 're-encrypt'], variables);
  match(out, /The old keys are not needed any more\./);
  equal(await serving.end('SIGTERM'), 0);
  ok(!serving.output().includes(processorKey) && !serving.output().includes(kmsKey));
});
