import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { Comparison } from '../report.js';
import { measure, type Contender } from '../rounds.js';
import { sessionBody } from './sessions.js';
import type { Stage } from './stage.js';

const applications = 200;
const eventsEach = 5;
const count = applications * eventsEach;
/** The number of concurrent deliveries of the bridge. */
const concurrency = 32;

/**
 * Compares webhooks per second, from the first arrival to the last, with a loop that only fetches.
 */
export async function compareWebhooks(stage: Stage, rounds: number): Promise<Comparison> {
  const receiver = await startReceiver();
  try {
    const ours: Contender = {
      name: 'bridge',
      async round() {
        const all = receiver.expect(count);
        await enqueue(stage, receiver.url);
        return await all;
      },
    };
    const reference: Contender = {
      name: 'fetch loop',
      async round() {
        const all = receiver.expect(count);
        await fetchLoop(receiver.url);
        return await all;
      },
    };
    const [first, second] = await measure([ours, reference], rounds);
    if (first === undefined || second === undefined) throw new Error('Two contenders give two results.');
    // No target, because the record of each delivery and the order have a cost.
    return { what: 'webhooks', unit: 'webhooks/s', ours: first, reference: second, target: undefined };
  } finally {
    receiver.close();
  }
}

/**
 * Writes events of many applications at once, as the outbox would hold them after an outage of the
 * receivers.
 */
async function enqueue({ db, agencyId }: Stage, url: string): Promise<void> {
  const { userId } = JSON.parse(sessionBody()) as { userId: string };
  await db.transaction().execute(async (trx) => {
    await sql`insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
      values (${agencyId}, 'test', ${userId}, '{}', now(), now())`.execute(trx);
    await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
        catalogue_version, payment_method, return_url, webhook_url, link_hash, step, created_at, expires_at)
      select 'app_' || ${userId} || n, 'ses_' || ${userId} || n, ${agencyId}, 'test', ${userId}, 'new', 'life_health', '{TX}', n::text, '',
        'user_pays', 'https://partner.example/done', ${url}, convert_to(${userId} || n, 'utf8'), 'profile', now(), now()
      from generate_series(1, ${applications}) n`.execute(trx);
    await sql`insert into webhook_stream (application_id, agency_id, mode, url, next_seq, due_at)
      select 'app_' || ${userId} || n, ${agencyId}, 'test', ${url}, ${eventsEach + 1}, now()
      from generate_series(1, ${applications}) n`.execute(trx);
    await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
      select 'app_' || ${userId} || n, seq, 'evt_' || ${userId} || n || '_' || seq, 'application.progress_updated',
        jsonb_build_object('applicationId', 'app_' || ${userId} || n, 'step', 'profile', 'index', 1, 'count', 6), now()
      from generate_series(1, ${applications}) n, generate_series(1, ${eventsEach}) seq`.execute(trx);
  });
}

async function fetchLoop(url: string): Promise<void> {
  const body = JSON.stringify({
    id: 'evt',
    type: 'application.progress_updated',
    data: { step: 'profile', index: 1, count: 6 },
  });
  let sent = 0;
  const work = async () => {
    while (sent < count) {
      sent += 1;
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Counts the arrivals. `expect` resolves with arrivals per second when all have arrived. */
async function startReceiver() {
  let onArrival: () => void = () => undefined;
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      response.end();
      onArrival();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    expect(total: number): Promise<number> {
      let [arrived, firstAt] = [0, 0];
      return new Promise((resolve) => {
        onArrival = () => {
          arrived += 1;
          if (arrived === 1) firstAt = performance.now();
          if (arrived === total) resolve((total - 1) / ((performance.now() - firstAt) / 1_000));
        };
      });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
