import { createLogger } from '../log.js';
import { startBridge } from '../main.js';
import type { Command } from './command.js';

/** `licensing-bridge serve` */
export const serveCommand: Command = {
  name: 'serve',
  doc: 'Serve the API and the hosted application until SIGINT or SIGTERM.',
  options: {},
  async run({ environment }) {
    const log = createLogger(environment.LOG_LEVEL);
    // Node would print it as it is, with all that is attached to it, such as the row that a statement failed for.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'Nobody expected this error: the bridge ends.');
      process.exit(1);
    });
    // From the first moment: a signal during the start must not leave a half started database behind.
    const signal = nextSignal();
    const bridge = await startBridge(environment, { log });
    await signal;
    await bridge.stop();
    // What still holds the event loop (a slow resolver, a receiver's last bytes) is of no use any more.
    process.exit(0);
  },
};

/** Resolves at the first signal to stop. The second one ends the process at once. */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = (signal: NodeJS.Signals) => {
      count += 1;
      if (count > 1) process.exit(signal === 'SIGINT' ? 130 : 143);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
