/**
 * Two bridges on two PostgreSQL servers, of which one replaces the other: planned, after a crash,
 * after one vanished without closing its connections, and while the former primary answers as a
 * standby. Users apply all the time, and partners write.
 * Nothing that was acknowledged may be missing, no webhook may be lost or out of order, and
 * `/readyz` must be true. Ends with a table, and with exit code 1 after a violation.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAgency } from '../../../src/bridge/index.js';
import { migrateJobs } from '../../../src/bridge/service/jobs.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { migrate } from '../../../src/bridge/store/migrate.js';
import { freePorts } from '../../support/free-ports.mjs';
import { walkApplications } from '../chaos/applicants.js';
import { checkApplications } from '../chaos/application-verdict.js';
import { startBalancer } from '../chaos/balancer.js';
import { startFickleReceiver } from '../chaos/fickle-receiver.js';
import { createPartner } from '../chaos/partner.js';
import { createRandom } from '../chaos/random.js';
import { checkWebhooks } from '../chaos/webhook-verdict.js';
import { serveInProcess } from '../process.js';
import { startTwoServers } from './two-servers.js';
import { startWitness } from './witness.js';

/** A switch must be over for partners within this time. */
const longestOutageMs = 10_000;
/** The time between two switches. */
const calmMs = 3_000;
/** The time limit for all work after the last switch: a payment without an answer is settled after a minute. */
const recoveryMs = 90_000;

const startedAt = Date.now();
const say = (text: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
const wrong: string[] = [];
const outages: Record<string, number> = {};

const servers = await startTwoServers();
say(servers.version);
const secretKey = randomBytes(32);
const db = openDatabase(servers.url);
await migrate(db);
await migrateJobs({ databaseUrl: servers.url });
const { agencyId } = await createAgency({ db, clock: () => new Date() }, 'Example Agency');
const receiver = await startFickleReceiver({ ...createRandom(1), next: () => 1 });

const built = [fileURLToPath(new URL('../../../src/bridge/dist/cli.js', import.meta.url))];
const ports = await freePorts(4);
const [api, apply] = [await startBalancer(ports.slice(0, 2)), await startBalancer(ports.slice(2))];
const bridges = await Promise.all(
  [0, 1].map((place) =>
    serveInProcess(
      {
        DATABASE_URL: servers.url,
        BRIDGE_SECRET_KEY: secretKey.toString('base64'),
        BRIDGE_PORT: String(ports[place]),
        APPLY_PORT: String(ports[place + 2]),
        BRIDGE_URL: api.url,
        APPLY_URL: apply.url,
        BRIDGE_RATE_LIMIT: '1000000',
        BRIDGE_PAGE_LIMIT: '1000000',
        BRIDGE_WEBHOOK_RETRY_SCALE: '0.001',
        LOG_LEVEL: 'info',
      },
      undefined,
      built,
    ),
  ),
);
const partner = await createPartner(api.url, agencyId);
const witness = startWitness(
  ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}`),
  partner,
);
let isOver = false;
const walking = walkApplications(partner, () => !isOver, receiver.url);
say('Two bridges are serving.');

/** Waits until both instances write again, which starts when the address leads to the primary. */
async function answering(name: string): Promise<void> {
  const outageMs = await Promise.race([
    witness.nextWrites(),
    pause(longestOutageMs + 20_000, Infinity, { ref: false }),
  ]);
  outages[name] = outageMs;
  if (outageMs > longestOutageMs) wrong.push(`After "${name}" the bridges wrote again after ${outageMs} ms.`);
  say(`${name}: both bridges wrote again after ${outageMs} ms.`);
}

async function assertNotReady(violation: string): Promise<void> {
  const ready = await witness.areReady();
  if (ready.includes(true)) wrong.push(violation);
}

try {
  await pause(calmMs);

  await servers.stopPrimary();
  await servers.promoteStandby();
  servers.moveProxy();
  await answering('planned switch');
  await servers.rejoin();
  await pause(calmMs);

  await servers.killPrimary();
  await servers.promoteStandby();
  servers.moveProxy();
  await answering('primary killed');
  await servers.rejoin();
  await pause(calmMs);

  await servers.losePrimary();
  await servers.promoteStandby();
  servers.moveProxy();
  await answering('primary vanished');
  await servers.rejoin();
  await pause(calmMs);

  // Until the switch, old connections and new ones are silent.
  await servers.losePrimary();
  await pause(4 * calmMs);
  await assertNotReady('A bridge whose primary has vanished was ready.');
  await servers.promoteStandby();
  servers.moveProxy();
  await answering('primary vanished long before');
  await servers.rejoin();
  await pause(calmMs);

  // The bridges connect to the former primary, which answers as a standby, until the proxy moves.
  await servers.stopPrimary();
  await servers.promoteStandby();
  await servers.rejoin();
  await pause(calmMs);
  await assertNotReady('A bridge that reaches a standby only was ready.');
  servers.moveProxy();
  await answering('former primary as a standby');
  await pause(calmMs);

  // The primary waits for a confirmation of each commit that it does not get. What it then
  // acknowledged would be lost with it.
  servers.cutReplication();
  await pause(4 * calmMs);
  await servers.killPrimary();
  await servers.promoteStandby();
  servers.moveProxy();
  await answering('primary killed after it had lost its standby');
  await servers.rejoin();
  await pause(calmMs);

  isOver = true;
  await witness.stop();
  const deadline = pause(recoveryMs, undefined, { ref: false }).then(() => {
    throw new Error(`Not everything came to its end within ${recoveryMs / 1_000} s.`);
  });
  const walked = await Promise.race([walking, deadline]);
  say(`${walked.length} applications are submitted.`);
  await Promise.race([delivered(), deadline]);
  say('Every webhook has been delivered.');

  const kept = new Set((await db.selectFrom('application').select('id').execute()).map(({ id }) => id));
  const lost = [...witness.acknowledged].filter((id) => !kept.has(id));
  if (lost.length > 0) wrong.push(`${lost.length} acknowledged applications are lost.`);
  const verdict = await checkWebhooks(db, walked, receiver.arrivals);
  const applications = await checkApplications(db, secretKey, walked);
  wrong.push(...witness.wrong, ...verdict.wrong, ...applications.wrong);
  const codes = await Promise.all(bridges.map((bridge) => bridge.end('SIGTERM')));
  if (codes.some((code) => code !== 0)) wrong.push(`The graceful stop ended with ${codes.join(', ')}.`);
  const failures = bridges.flatMap((bridge) =>
    bridge
      .output()
      .split('\n')
      .filter((line) => line.includes('A request failed.')),
  );
  wrong.push(...failures.slice(0, 5));
  console.table({
    ...Object.fromEntries(Object.entries(outages).map(([name, ms]) => [`${name}: milliseconds until both wrote`, ms])),
    'applications submitted': walked.length,
    'applications acknowledged to the witness': witness.acknowledged.size,
    'acknowledged and lost': lost.length,
    'calls repeated by the partner': partner.repeated,
    'questions to /readyz': witness.samples.asked,
    'of these answered 200': witness.samples.ready,
    events: verdict.events,
    'webhooks that arrived': verdict.arrivals,
    'duplicates (the same id again)': verdict.duplicates,
    'lost webhooks': verdict.lost,
    'out of order': verdict.orderViolations,
    'requests answered with 500': failures.length,
    violations: wrong.length,
    'duration, seconds': Math.round((Date.now() - startedAt) / 1_000),
  });
} catch (error) {
  wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  for (const { child } of bridges) child.kill('SIGKILL');
  api.close();
  apply.close();
  receiver.close();
  await db.destroy();
  await servers.stop();
}
for (const text of wrong.slice(0, 20)) console.error(text);
process.exit(wrong.length > 0 ? 1 : 0);

/** Resolves when every event was delivered or dead-lettered, and every state is decided. */
async function delivered(): Promise<void> {
  for (;;) {
    const open = await db
      .selectFrom('webhookEvent')
      .select('id')
      .where('deliveredAt', 'is', null)
      .where('deadAt', 'is', null)
      .limit(1)
      .execute();
    const paid = await db
      .selectFrom('payment')
      .select('id')
      .where('status', 'in', ['authorized', 'capturing'])
      .limit(1)
      .execute();
    if (open.length + paid.length === 0) return;
    await pause(250);
  }
}
