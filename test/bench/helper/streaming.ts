/** Serves event streams of an application: ours, or, with the argument `node`, a bare `node:http` that writes the same text once. */
import type { StoredState } from 'licensing-apply/server';
import { memoryStore } from 'licensing-apply/server';
import { toNodeListener } from 'licensing-apply/server/node';
import { setImmediate } from 'node:timers/promises';
import { applicationText } from './application.js';
import { createPartner } from './partner.js';
import { serveMeasured } from './usage.js';

/** Together far more than what sockets hold back for a reader that does not read. */
const changes = 3_000;

if (process.argv[2] === 'node') {
  serveMeasured((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: application\nid: 1\ndata: ${applicationText('app_1')}\n\n`);
  });
} else {
  const store = memoryStore();
  const partner = createPartner('http://localhost', 'memory', false, store);
  const addresses = await partner.begin(1);
  const applicationId = addresses[0]?.applicationId ?? '';
  serveMeasured(toNodeListener(partner.handle), { addresses, change });

  /** As a webhook does it, without waiting for a bridge between two. */
  async function change(): Promise<void> {
    for (let done = 0; done < changes; done += 1) {
      const before = (await store.readState(applicationId)) as StoredState;
      const states = Array.from({ length: 56 }, (_, index) => ({
        state: `S${String(index)}`,
        status: 'pending_review',
        updatedAt: new Date(done).toISOString(),
      }));
      const next = { version: before.version + 1, application: { ...before.application, states } };
      await store.replaceState(applicationId, before.version, next, []);
      await store.publish(applicationId);
      await setImmediate();
    }
  }
}
