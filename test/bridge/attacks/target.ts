import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationId } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation, type CallParts, type OperationAnswer } from '../../support/call-operation.js';
import { runCommand, serveInProcess, type Finished, type ServingProcess } from '../process.js';

const eventLoop = new URL('event-loop.mjs', import.meta.url).href;

/** The attacked bridge in a separate process, and the data for attacks. */
export interface Target {
  serving: ServingProcess;
  /** Another bridge on the same database, in this process: it creates agencies and producers. */
  known: TestBridge;
  call<Id extends OperationId>(id: Id, parts?: CallParts): Promise<OperationAnswer<Id>>;
  /** Runs a command of `licensing-bridge` on the same database. */
  command(...words: string[]): Promise<Finished>;
  /** Creates a session of the test mode. Resolves to its `applicationUrl`. */
  createSession(userId: string, body?: object): Promise<string>;
  /**
   * Runs something and resolves to the longest delay of the event loop meanwhile, in milliseconds.
   */
  delayDuring(attack: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the attacked bridge. It trusts one proxy, so that an attack can use many IP addresses. */
export async function startTarget(): Promise<Target> {
  const key = randomBytes(32).toString('base64');
  const known = await startBridge({ environment: { BRIDGE_SECRET_KEY: key } });
  const shared = { DATABASE_URL: known.databaseUrl, BRIDGE_SECRET_KEY: key, LOG_LEVEL: 'info' };
  const serving = await serveInProcess({
    ...shared,
    BRIDGE_TRUSTED_PROXIES: '1',
    // Empty is the default, as in production. The other tests allow loopback.
    BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: '',
    NODE_OPTIONS: `--import=${eventLoop}`,
  });
  const call: Target['call'] = (id, parts) =>
    callOperation(serving.bridgeUrl, id, { token: known.tokens.test, ...parts });

  async function longestDelay(): Promise<number> {
    const seen = serving.output().length;
    serving.child.kill('SIGUSR2');
    for (;;) {
      const printed = /event loop: (\d+) ms/.exec(serving.output().slice(seen));
      if (printed) return Number(printed[1]);
      await pause(10);
    }
  }

  return {
    serving,
    known,
    call,
    command: (...words) => runCommand(words, shared),
    async createSession(userId, body = {}) {
      const { body: session } = await call('createSession', {
        body: {
          userId,
          applicationType: 'new',
          licenseType: 'life_health',
          states: ['TX'],
          returnUrl: 'https://partner.example/done',
          ...body,
        },
      });
      return session.applicationUrl;
    },
    async delayDuring(attack) {
      await longestDelay();
      await attack();
      return longestDelay();
    },
    async stop() {
      await serving.end('SIGTERM');
      await known.stop();
    },
  };
}
