import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { runCli } from '../../../src/bridge/cli/run.js';
import type { OldKeyUse } from '../../../src/bridge/domain/keys/key-use.js';
import type { ReEncryptedColumn } from '../../../src/bridge/domain/keys/re-encrypt.js';
import { createLogger, readEnvironment, startBridge, type RunningBridge } from '../../../src/bridge/index.js';
import type { AnyBody } from '../../support/bridge.js';
import { testDatabase } from '../../support/database.js';
import { freePorts } from '../../support/free-ports.mjs';

/** A bridge that can be restarted with other keys. Its ports stay. */
export interface RotatingBridge {
  /** Starts it, and stops a running one. */
  start(newest: string, ...old: string[]): Promise<RunningBridge>;
  /** Calls the API. */
  call(method: string, path: string, body?: object, options?: RotatingCall): Promise<{ status: number; body: AnyBody }>;
  /** Runs `keys re-encrypt` with these keys. */
  reEncrypt(keys: string[], ...words: string[]): Promise<ReEncryptResult>;
  /** Runs any command with these keys. Resolves with its `--json` output. */
  run(keys: string[], ...words: string[]): Promise<object>;
}

/** The options of a call besides its body. */
export interface RotatingCall {
  token?: string;
  headers?: Record<string, string>;
}

/** What `keys re-encrypt --json` prints. */
export interface ReEncryptResult {
  columns: ReEncryptedColumn[];
  renewedLinks: number;
  needed: OldKeyUse;
  oldKeysNeeded: boolean;
}

/** A body of createSession (operation 18). */
export const sessionRequest = {
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX', 'CA'],
  returnUrl: 'http://localhost:5999/return',
};

/** A key as `BRIDGE_SECRET_KEY` wants it. */
export const newKey = () => randomBytes(32).toString('base64');

/** Creates the database, and starts nothing yet. All is stopped when the test ends. */
export async function setUpRotation(t: TestContext): Promise<RotatingBridge> {
  const database = await testDatabase();
  const [port, applyPort] = await freePorts(2);
  let running: RunningBridge | undefined;
  t.after(async () => {
    await running?.stop();
    await database.stop();
  });
  const variables = (newest: string, old: string[]) => ({
    BRIDGE_PORT: String(port),
    APPLY_PORT: String(applyPort),
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: newest,
    BRIDGE_OLD_SECRET_KEYS: old.join(', '),
  });
  const run = async ([newest = '', ...old]: string[], ...words: string[]) => {
    let [out, err] = ['', ''];
    const code = await runCli([...words, '--json'], variables(newest, old), {
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    assert.equal(code, 0, err);
    return JSON.parse(out) as object;
  };
  return {
    run,
    async start(newest, ...old) {
      await running?.stop();
      running = await startBridge(readEnvironment(variables(newest, old)), {
        log: createLogger('silent'),
        assets: { href: (name) => name, at: () => undefined },
      });
      return running;
    },
    async call(method: string, path: string, body?: object, { token, headers }: RotatingCall = {}) {
      const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as AnyBody };
    },
    reEncrypt: async (keys, ...words) => (await run(keys, 'keys', 're-encrypt', ...words)) as ReEncryptResult,
  };
}
