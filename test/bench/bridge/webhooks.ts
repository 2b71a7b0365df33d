import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Comparison } from '../report.js';
import { measure, summarise, type Contender, type Result } from '../rounds.js';
import { databaseMicroseconds, processorMicroseconds } from './processor.js';
import { startQueues, type Sender } from './queues.js';
import { sessionBody } from './sessions.js';
import type { Stage } from './stage.js';

const backlog = { applications: 200, eventsEach: 5 };
const count = backlog.applications * backlog.eventsEach;
/** The number of concurrent deliveries of the bridge. */
const concurrency = 32;
/** For the records of the last deliveries. */
const settlingMs = 300;

/**
 * Compares webhooks per second, from the first arrival to the last, with a loop that only fetches.
 * With job queues also by processor time, of their processes and of PostgreSQL or Redis.
 */
export async function compareWebhooks(stage: Stage, rounds: number): Promise<Comparison[]> {
  const receiver = await startReceiver();
  const queues = await startQueues(stage.databaseUrl);
  try {
    const bridge = { name: 'bridge', pids: [stage.bridgePid], enqueue: () => enqueue(stage, receiver.url) };
    const senders = [bridge, ...queues];
    const perProcessorSecond = new Map<string, number[]>(senders.map(({ name }) => [name, []]));
    const contenders = senders.map((sender): Contender => ({
      name: sender.name,
      async round() {
        const all = receiver.expect(count);
        await sender.enqueue({ ...backlog, url: receiver.url });
        const before = await spentBy(sender, stage);
        const rate = await all;
        await setTimeout(settlingMs);
        const spent = (await spentBy(sender, stage)) - before;
        perProcessorSecond.get(sender.name)?.push(count / (spent / 1_000_000));
        return rate;
      },
    }));
    const loop: Contender = {
      name: 'a loop that only fetches',
      async round() {
        const all = receiver.expect(count);
        await fetchLoop(receiver.url);
        return await all;
      },
    };
    const rates = await measure([...contenders, loop], rounds);
    // The first round is a warm-up there, too.
    const bySecond = [...perProcessorSecond].map(([name, values]) => summarise(name, values.slice(1)));
    return [...compareAll('webhooks', 'webhooks/s', rates), ...compareAll('webhooks', 'per cpu-second', bySecond)];
  } finally {
    receiver.close();
    for (const queue of queues) await queue.stop();
  }
}

/** No targets, because the record of each delivery and the order have a cost. */
function compareAll(what: string, unit: string, [ours, ...others]: readonly Result[]): Comparison[] {
  if (ours === undefined) return [];
  return others.map((reference) => ({
    what: `${what}, to ${reference.name}`,
    unit,
    ours,
    reference,
    target: undefined,
  }));
}

async function spentBy({ pids }: Sender, { db }: Stage): Promise<number> {
  return pids.reduce((sum, pid) => sum + processorMicroseconds(pid), await databaseMicroseconds(db));
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
      from generate_series(1, ${backlog.applications}) n`.execute(trx);
    await sql`insert into webhook_stream (application_id, agency_id, mode, url, next_seq, due_at)
      select 'app_' || ${userId} || n, ${agencyId}, 'test', ${url}, ${backlog.eventsEach + 1}, now()
      from generate_series(1, ${backlog.applications}) n`.execute(trx);
    await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
      select 'app_' || ${userId} || n, seq, 'evt_' || ${userId} || n || '_' || seq, 'application.progress_updated',
        jsonb_build_object('applicationId', 'app_' || ${userId} || n, 'step', 'profile', 'index', 1, 'count', 6), now()
      from generate_series(1, ${backlog.applications}) n, generate_series(1, ${backlog.eventsEach}) seq`.execute(trx);
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
