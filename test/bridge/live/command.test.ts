import { equal, match, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgencyCredential, LoginResponse, Session } from '../../../src/contract/index.js';
import { testDatabase } from '../../support/database.js';
import { startProcessorServer } from '../../support/processor-server.js';
import { createVisitor, walkTo } from '../apply/support/visitor.js';
import { runCommand, serveInProcess } from '../process.js';

const processorAdapter = new URL('../../support/processor-adapter.ts', import.meta.url).href;

/** A module like an operator's: a payment processor, and a key that a KMS decrypts. */
const adapters = `
import { createProcessorAdapter } from '${processorAdapter}';

export default async () => ({
  paymentProcessor: createProcessorAdapter({ url: process.env.PROCESSOR_URL, apiKey: process.env.PROCESSOR_KEY }),
  keyProvider: { source: 'The KMS', loadKeys: async () => [Buffer.from(process.env.KMS_KEY, 'hex')] },
});
`;

test('With BRIDGE_ADAPTERS, licensing-bridge accepts live applications that users pay, and its commands use the same key.', async (t) => {
  const [database, processor] = await Promise.all([testDatabase(), startProcessorServer()]);
  const folder = await mkdtemp(join(tmpdir(), 'bridge-live-'));
  t.after(() => Promise.all([database.stop(), processor.stop(), rm(folder, { recursive: true })]));
  await writeFile(join(folder, 'adapters.mjs'), adapters);
  const variables = {
    DATABASE_URL: database.url,
    BRIDGE_ADAPTERS: join(folder, 'adapters.mjs'),
    BRIDGE_PAGE_LIMIT: '100000',
    // No variable has a key, so the commands start only with the adapter's key.
    NODE_ENV: 'production',
    PROCESSOR_URL: processor.url,
    PROCESSOR_KEY: processor.apiKey,
    KMS_KEY: randomBytes(32).toString('hex'),
  };
  const command = async (...words: string[]) => {
    const { code, out, err } = await runCommand(words, variables);
    equal(code, 0, err);
    return out;
  };
  const agencyId = (await command('agency', 'create', '--name', 'Example Agency')).trim();
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
  const { applicationUrl } = await post<Session>('/v1/applications/sessions', request, accessToken);

  const visitor = createVisitor();
  const identity = { ssn: '234-56-7891', ssnAgain: '234-56-7891' };
  await walkTo(visitor, { applicationUrl, states: ['TX'] }, 'payment', { identity });
  const led = await visitor.post(`${applicationUrl}/payment`, { method: 'card' });
  equal(new URL(led.url).origin, processor.url);
  equal([...processor.ledger.values()].map(({ status }) => status).join(), 'page');

  match(await command('keys', 're-encrypt'), /The old keys are not needed any more\./);
  equal(await serving.end('SIGTERM'), 0);
  ok(!serving.output().includes(variables.PROCESSOR_KEY) && !serving.output().includes(variables.KMS_KEY));
});
