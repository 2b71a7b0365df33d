import pino, { type Logger } from 'pino';
import { openCore, type BridgeCore, type CoreOptions } from '../core.js';
import type { BridgeContext } from '../domain/context.js';
import { randomId } from '../domain/keys/keys.js';
import { createLinks } from '../domain/keys/links.js';
import { withRequestId } from '../domain/request-id.js';
import type { Environment } from '../environment.js';
import { createLogger } from '../log.js';
import type { Invocation } from './command.js';

/** What the operator's commands work with: everything but the running service. */
export type OperatorContext = Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'links' | 'wakeOutbox'>;

/** Opens the bridge's database for one command, whether a bridge is serving or not, and closes it again. */
export async function withCore(
  { environment }: Invocation,
  work: (context: OperatorContext) => Promise<void>,
  options: CoreOptions = {},
): Promise<void> {
  const core = await openCore(withoutTimeouts(environment), commandLog(environment), options);
  try {
    await withRequestId(randomId('cmd'), () => work(operatorContext(core, environment.APPLY_URL ?? '')));
  } finally {
    await core.close();
  }
}

/** The log of a command: standard output is for results. */
export function commandLog({ LOG_LEVEL }: Environment): Logger {
  return createLogger(LOG_LEVEL === 'silent' ? 'silent' : 'warn', pino.destination({ dest: 2, sync: true }));
}

/** A command may look through a whole table, or build an index: longer than any statement of a serving bridge may take. */
export function withoutTimeouts(environment: Environment): Environment {
  return { ...environment, BRIDGE_STATEMENT_TIMEOUT: 0, BRIDGE_IDLE_TRANSACTION_TIMEOUT: 0 };
}

function operatorContext({ db, keys }: BridgeCore, applyUrl: string): OperatorContext {
  return {
    db,
    keys,
    clock: () => new Date(),
    // Only the hashes of links are used here: the address of the pages is the serving bridge's business.
    links: createLinks(keys, applyUrl),
    // The serving bridge finds new events at its next poll, within a second.
    wakeOutbox: () => undefined,
  };
}
