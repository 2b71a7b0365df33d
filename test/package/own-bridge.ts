import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgencyCredential } from '../../src/contract/index.js';
import type { Consumer } from '../support/consumer.js';
import { freePorts } from '../support/free-ports.mjs';
import { startService, type Service } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(join(root, 'docs/bridge/run.md'), 'utf8');

/** The bridge of the installed package, with an agency and its credential. */
export interface OwnBridge extends Pick<Service, 'stop' | 'output'> {
  bridgeUrl: string;
  credential: AgencyCredential;
}

/**
 * Starts the bridge of the installed package on its embedded database, and creates a credential as
 * docs/bridge/run.md says.
 */
export async function startOwnBridge(consumer: Consumer): Promise<OwnBridge> {
  const [bridgePort, applyPort] = (await freePorts(2)).map(String) as [string, string];
  const bridgeUrl = `http://127.0.0.1:${bridgePort}`;
  const bin = join(consumer.folder, 'node_modules/.bin/licensing-bridge');
  const variables = {
    BRIDGE_PORT: bridgePort,
    APPLY_PORT: applyPort,
    BRIDGE_DATA_DIR: join(consumer.folder, '.data'),
    DATABASE_URL: '',
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    BRIDGE_ALLOW_SAMPLE_FEES: 'true',
  };
  const service = await startService(bin, ['serve'], {
    cwd: consumer.folder,
    variables,
    readyAt: `${bridgeUrl}/readyz`,
  });
  try {
    const [, command = ''] = /AGENCY_ID=\$\(npx licensing-bridge (agency create .*)\)/.exec(page) ?? [];
    const words = (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    const made = await consumer.run(bin, words, variables);
    assert.equal(made.code, 0, made.stderr);
    // Without the line break, like a shell.
    const agencyId = made.stdout.trimEnd();
    const [, issuing = ''] = /curl -X POST "([^"]*)"/.exec(page) ?? [];
    const address = issuing.replace('$AGENCY_ID', agencyId).replace('http://127.0.0.1:5171', bridgeUrl);
    const issued = await fetch(address, { method: 'POST' });
    assert.equal(issued.status, 200);
    const credential = (await issued.json()) as AgencyCredential;
    return { bridgeUrl, credential, stop: () => service.stop(), output: () => service.output() };
  } catch (error) {
    await service.stop();
    throw error;
  }
}
