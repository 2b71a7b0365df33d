import pino from 'pino';
import { openCore, type BridgeCore } from '../core.js';
import type { BridgeContext } from '../domain/context.js';
import { randomId } from '../domain/keys/keys.js';
import { createLinks } from '../domain/keys/links.js';
import { withRequestId } from '../domain/request-id.js';
import { createLogger } from '../log.js';
import type { Invocation } from './command.js';

/** What the operator's commands work with: everything but the running service. */
export type OperatorContext = Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'links' | 'wakeOutbox'>;

/** Opens the bridge's database for one command, whether a bridge is serving or not, and closes it again. `isKeyTrusted` as in `openCore`. */
export async function withCore(
  { environment }: Invocation,
  work: (context: OperatorContext) => Promise<void>,
  isKeyTrusted = false,
): Promise<void> {
  // Standard output is for results.
  const log = createLogger(
    environment.LOG_LEVEL === 'silent' ? 'silent' : 'warn',
    pino.destination({ dest: 2, sync: true }),
  );
  const core = await openCore(environment, log, isKeyTrusted);
  try {
    await withRequestId(randomId('cmd'), () => work(operatorContext(core, environment.APPLY_URL ?? '')));
  } finally {
    await core.close();
  }
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
