import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBridgeClient, isBridgeError } from 'licensing-apply/server';
import { askBridge } from './bridge-process.ts';
import { dataFile } from './data-file.ts';

/** What the demo's backend needs of its own, as any partner would keep it in a secret store. */
export interface DemoCredential {
  /** The client id that operation 3 issued. */
  clientId: string;
  /** The test secret. The live one is not kept: the demo has no use for it. */
  clientSecret: string;
  /** The key of the addresses that webhooks are sent to. */
  webhookSecret: string;
}

const agencyName = 'Wren & Alder';

/** The credential of the demo agency: the kept one while it works, else that of an agency made for it. */
export async function demoCredential(bridgeUrl: string, dataFolder: string): Promise<DemoCredential> {
  const file = join(dataFolder, 'demo-credential.json');
  const kept = await readKept(file);
  if (kept && (await canLogIn(bridgeUrl, kept))) return kept;
  const credential = await newCredential(bridgeUrl);
  await mkdir(dataFolder, { recursive: true });
  await writeFile(file, JSON.stringify(credential), { mode: 0o600 });
  return credential;
}

async function readKept(file: string): Promise<DemoCredential | undefined> {
  return readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as DemoCredential,
    () => undefined,
  );
}

/** Whether the bridge still takes the credential: a fresh database does not know it. */
async function canLogIn(bridgeUrl: string, { clientId, clientSecret }: DemoCredential): Promise<boolean> {
  try {
    await createBridgeClient({ baseUrl: bridgeUrl, clientId, clientSecret }).login();
    return true;
  } catch (problem) {
    if (isBridgeError(problem) && problem.status === 401) return false;
    throw problem;
  }
}

async function newCredential(bridgeUrl: string): Promise<DemoCredential> {
  // An agency that has a credential gives no second one away. One that has none yet is left from a start that was interrupted.
  const known = await askBridge<{ agencyId: string; name: string }[]>('agency', 'list');
  for (const agency of known.filter(({ name }) => name === agencyName)) {
    const credential = await equipAgency(bridgeUrl, agency.agencyId);
    if (credential) return credential;
  }
  const { agencyId } = await askBridge<{ agencyId: string }>(
    'agency',
    'create',
    '--name',
    agencyName,
    '--onboard-types',
    'lookup,subscribe,team',
  );
  const credential = await equipAgency(bridgeUrl, agencyId);
  if (!credential) throw new Error('The bridge refused a credential to the new demo agency.');
  return credential;
}

/** A credential of the agency, and territories for it; undefined when it has a credential already. */
async function equipAgency(bridgeUrl: string, agencyId: string): Promise<DemoCredential | undefined> {
  const credential = await issueCredential(bridgeUrl, agencyId);
  if (credential) await askBridge('territory', 'import', dataFile('territories.json'), '--agency', agencyId);
  return credential;
}

async function issueCredential(bridgeUrl: string, agencyId: string): Promise<DemoCredential | undefined> {
  try {
    const { clientId, testClientSecret } = await createBridgeClient({ baseUrl: bridgeUrl }).createAccountCredential(
      agencyId,
    );
    return { clientId, clientSecret: testClientSecret, webhookSecret: randomBytes(32).toString('base64url') };
  } catch (problem) {
    if (isBridgeError(problem) && problem.status === 401) return undefined;
    throw problem;
  }
}
