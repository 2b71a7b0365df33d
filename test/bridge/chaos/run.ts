/**
 * `npm run test:chaos`: two bridges on one PostgreSQL handle bulk onboardings, webhooks, and
 * applications with payments and documents. Meanwhile they are killed at random, the database is
 * restarted, also as after a crash, the connection pools are exhausted and the receiver of the
 * webhooks fails. After recovery, all data is checked. Ends with a table, and with exit code 1
 * after a violation.
 *
 * `-- --minutes N --seed N --standby`. A seed repeats the choices, not the timing. With `--standby`
 * the database has a standby, which replaces it instead of a restart.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { createAgency } from '../../../src/bridge/index.js';
import { migrateJobs } from '../../../src/bridge/service/jobs.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { migrate } from '../../../src/bridge/store/migrate.js';
import { walkApplications, type WalkedApplication } from './applicants.js';
import { checkApplications } from './application-verdict.js';
import { checkJobs, loadWithJobs } from './bulk-load.js';
import { startFickleReceiver } from './fickle-receiver.js';
import { startFleet } from './fleet.js';
import { startReplaced, startRestarted } from './disturbed-database.js';
import { createPartner } from './partner.js';
import { addBareProducers } from './producers.js';
import { createRandom } from './random.js';
import { checkWebhooks } from './webhook-verdict.js';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string' }, standby: { type: 'boolean' } },
});
const seed = Number(values.seed ?? randomBytes(4).readUInt32LE());
const minutes = Number(values.minutes ?? 1);
/**
 * The duration of a lock that blocks every query on applications: longer than the connection
 * timeout.
 */
const exhaustionMs = 4_000;
/** The minimum numbers of the long form, also on a slow machine. */
const leastApplications = minutes >= 5 ? 200 : 0;
/** The time limit for all work after the faults. */
const recoveryMs = 120_000;

const startedAt = Date.now();
const say = (text: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
const random = createRandom(seed);
say(`Seed ${seed}, faults for ${minutes} min.`);

const database = await (values.standby === true ? startReplaced() : startRestarted());
const db = openDatabase(database.url);
await migrate(db);
await migrateJobs({ databaseUrl: database.url });
const clock = () => new Date();
const secretKey = randomBytes(32);
const known = await addBareProducers(db);
const receiver = await startFickleReceiver(random);
const fleet = await startFleet(
  2,
  {
    DATABASE_URL: database.url,
    BRIDGE_SECRET_KEY: secretKey.toString('base64'),
    BRIDGE_POOL_SIZE: '3',
    BRIDGE_CONNECT_TIMEOUT: '2',
    BRIDGE_RATE_LIMIT: '1000000',
    BRIDGE_PAGE_LIMIT: '1000000',
    // The second try after a few milliseconds, the sixth after nine seconds, the last one after
    // more than a minute.
    BRIDGE_WEBHOOK_RETRY_SCALE: '0.0005',
    LOG_LEVEL: 'info',
  },
  random,
);
const agencies = await Promise.all(['First Agency', 'Second Agency'].map((name) => createAgency({ db, clock }, name)));
const partners = await Promise.all(agencies.map(({ agencyId }) => createPartner(fleet.bridgeUrl, agencyId)));
say('Two bridges are serving.');

const endsAt = Date.now() + minutes * 60_000;
const areFaultsOn = () => Date.now() < endsAt;
let disturbances = 0;
async function killInstances(): Promise<void> {
  while (areFaultsOn()) {
    await pause(random.between(2_000, 8_000));
    fleet.killOne();
  }
}
async function disturbDatabase(): Promise<void> {
  // Three times per minute. The last third is quiet, so that restarted processes meet the other
  // faults.
  for (let count = 0; count < 3 * minutes - 1; count += 1) {
    await pause(20_000);
    say(await database.disturb());
    disturbances += 1;
  }
}
let locks = 0;
async function exhaustPools(): Promise<void> {
  while (areFaultsOn()) {
    await pause(random.between(8_000, 20_000));
    const lock = db.transaction().execute(async (trx) => {
      await sql`lock table application in access exclusive mode`.execute(trx);
      await pause(exhaustionMs);
      locks += 1;
    });
    // The database may be restarted meanwhile.
    await lock.catch(() => undefined);
  }
}
async function changeMoods(): Promise<void> {
  while (areFaultsOn()) {
    await pause(random.between(500, 4_000));
    receiver.changeMood();
  }
}

const wrong: string[] = [];
try {
  const jobs = Promise.all(partners.map((partner) => loadWithJobs(partner, known, areFaultsOn)));
  const goesOn = (started: number) => areFaultsOn() || started < leastApplications;
  const applications = walkApplications(partners[0]!, goesOn, receiver.url);
  // An early failure ends the run without waiting for the faults.
  await Promise.race([
    Promise.all([killInstances(), disturbDatabase(), exhaustPools(), changeMoods()]),
    Promise.all([jobs, applications]).then(() => new Promise(() => undefined)),
  ]);
  receiver.recover();
  const { length: walkedSoFar } = await db
    .selectFrom('application')
    .select('id')
    .where('submittedAt', 'is not', null)
    .execute();
  say(`The faults are over. ${walkedSoFar} applications are submitted so far.`);
  const deadline = pause(recoveryMs, undefined, { ref: false }).then(() => {
    throw new Error(`Not everything came to its end within ${recoveryMs / 1_000} s.`);
  });
  const started = (await Promise.race([jobs, deadline])).flat();
  say(`${started.length} bulk onboardings have finished.`);
  const walked = await Promise.race([applications, deadline]);
  await Promise.race([fleet.complete(), deadline]);
  say('Every application is submitted.');
  await Promise.race([settled(walked), deadline]).catch(async (error: unknown) => {
    console.dir(await unsettled(walked), { depth: 4 });
    throw error;
  });
  say('Every webhook has been delivered.');
  const verdict = await checkWebhooks(db, walked, receiver.arrivals);
  wrong.push(...verdict.wrong, ...(await checkJobs(db, started, new Set(known))));
  const written = await db.selectFrom('application').select('id').execute();
  if (written.length !== walked.length) wrong.push(`There are ${written.length} applications.`);
  const kept = await checkApplications(db, secretKey, walked);
  wrong.push(...kept.wrong);
  const batches = await db.selectFrom('bulkBatch').select('attempts').execute();
  const codes = await fleet.stop();
  if (codes.some((code) => code !== 0)) wrong.push(`The graceful stop ended with ${codes.join(', ')}.`);
  console.table({
    'instances killed': fleet.kills,
    'instances restarted': fleet.restarts,
    'instances that ended by themselves': fleet.crashes.length,
    [values.standby === true ? 'replacements of the database' : 'restarts of the database']: disturbances,
    'locks that exhausted the pools': locks,
    'queries that got no connection': fleet.exhaustions,
    'bulk onboardings of 10,000': started.length,
    'NPNs onboarded': started.reduce((count, { npns }) => count + npns.length, 0),
    'batches that failed and came again': batches.filter(({ attempts }) => attempts > 0).length,
    'applications submitted': walked.length,
    'payments that the processor holds': kept.charged,
    'documents read again': kept.documents,
    'states that received an application': kept.filed,
    'calls repeated by the partners': partners.reduce((count, { repeated }) => count + repeated, 0),
    events: verdict.events,
    'webhooks that arrived': verdict.arrivals,
    'refused by the receiver': receiver.arrivals.filter(({ isAccepted }) => !isAccepted).length,
    'duplicates (the same id again)': verdict.duplicates,
    lost: verdict.lost,
    'out of order': verdict.orderViolations,
    violations: wrong.length + fleet.crashes.length,
    'duration, seconds': Math.round((Date.now() - startedAt) / 1_000),
    seed,
  });
} catch (error) {
  wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  fleet.abandon();
  receiver.close();
  await db.destroy();
  await database.stop();
}
for (const text of [...wrong, ...fleet.crashes]) console.error(text);
process.exit(wrong.length + fleet.crashes.length > 0 ? 1 : 0);

/** Resolves after all decisions and payments, when every event was delivered or dead-lettered. */
async function settled(walked: readonly WalkedApplication[]): Promise<void> {
  for (;;) {
    const { undecided, open, uncaptured } = await unsettled(walked);
    if (undecided.length + open.length + uncaptured.length === 0) return;
    await pause(250);
  }
}

/** Some unfinished items of each kind, shown at the time limit. */
async function unsettled(walked: readonly WalkedApplication[]) {
  const decided = walked.filter(({ isDecided }) => isDecided).map(({ applicationId }) => applicationId);
  const undecided = await db
    .selectFrom('applicationState')
    .select(['applicationId', 'state', 'status'])
    .where('applicationId', 'in', decided)
    .where('status', '<>', 'approved')
    .limit(5)
    .execute();
  const open = await db
    .selectFrom('webhookEvent')
    .select(['id', 'streamId', 'type', 'createdAt'])
    .where('deliveredAt', 'is', null)
    .where('deadAt', 'is', null)
    .limit(5)
    .execute();
  const uncaptured = await db
    .selectFrom('payment')
    .select(['id', 'status'])
    .where('status', 'in', ['authorized', 'capturing'])
    .limit(5)
    .execute();
  return { undecided, open, uncaptured };
}
