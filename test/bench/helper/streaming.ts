/**
 * Serves event streams of an application: ours, or, with the argument `node`, a bare `node:http`
 * that writes the same text once.
 */
import { toNodeListener } from 'licensing-apply/server/node';
import { setImmediate } from 'node:timers/promises';
import { applicationText } from './application.js';
import { createPartner } from './partner.js';
import { serveMeasured } from './usage.js';

/** Far more than what sockets buffer for a reader that does not read. */
const changes = 3_000;

if (process.argv[2] === 'node') {
  serveMeasured((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: application\nid: 1\ndata: ${applicationText('app_1', 'usr_1')}\n\n`);
  });
} else {
  const partner = createPartner('http://localhost', 'memory');
  const paths = await partner.begin(50);
  serveMeasured(toNodeListener(partner.handle), { paths, change });

  /** Changes the first application. */
  async function change(): Promise<void> {
    const [first] = paths;
    if (!first) throw new Error('There is no application.');
    for (let done = 0; done < changes; done += 1) {
      const states = Array.from({ length: 56 }, (_, index) => ({
        state: `S${index}`,
        status: 'pending_review',
        updatedAt: new Date(done).toISOString(),
      }));
      await partner.change(first, { states });
      await setImmediate();
    }
  }
}
