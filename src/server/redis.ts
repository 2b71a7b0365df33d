/**
 * A store in Redis, for several instances of a backend. Takes a connected client of the package
 * `redis`, version 5.
 *
 * ```ts
 * import { createClient } from 'redis';
 * import { redisStore } from 'licensing-apply/server/redis';
 *
 * const client = await createClient({ url: process.env.REDIS_URL }).on('error', console.error).connect();
 * const licensing = createLicensingHandler({ ..., store: redisStore(client) });
 * ```
 *
 * Acknowledged webhooks must survive a crash: run Redis with `appendonly yes`, `appendfsync always`
 * and `maxmemory-policy noeviction`. The default `appendfsync everysec` can lose the last second.
 *
 * A record is a hash of two fields, `version` and `record` (JSON). Three sorted sets of ids are the
 * indexes: the records of a user and of an application by their creation, and the open records by
 * id. Every key expires; an index removes the ids of expired records when it is read.
 */
import type { ApplicationRecord } from './applications/record.js';
import { assertGroup } from './configuration.js';
import { shareConnection, type ChangeConnection, type ChangeListeners } from './store/changes.js';
import type { LicensingStore } from './store/licensing-store.js';

export type { LicensingStore } from './store/licensing-store.js';

/** What the store needs of a client of the package `redis`. */
export interface RedisClient {
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Creates another connection to the same server, for subscriptions. */
  duplicate(): RedisSubscriber;
}

/** What the store needs of a connection for subscriptions. */
export interface RedisSubscriber {
  /** Connects. From then on the client reconnects and subscribes again by itself. */
  connect(): Promise<unknown>;
  /** Subscribes to a channel. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Calls back at `error` and `ready`. */
  on(event: 'error' | 'ready', listener: () => void): unknown;
  /** Closes the connection at once. */
  destroy(): void;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Prefix of all keys and of the channel. Default: `{licensing-apply}:`. A cluster needs the
   * braces: they keep all keys on one node.
   */
  prefix?: string;
  /** Days that a record is kept after its last change. Default: 400. */
  keepDays?: number;
}

const secondsPerDay = 24 * 60 * 60;

/**
 * KEYS: record, indexes. ARGV: id, expected version, version, record, seconds to keep, a score for
 * each index or "".
 */
const putScript = `
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'record', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
for index = 2, #KEYS do
  local score = ARGV[index + 4]
  if score == '' then
    redis.call('ZREM', KEYS[index], ARGV[1])
  else
    redis.call('ZADD', KEYS[index], score, ARGV[1])
    redis.call('EXPIRE', KEYS[index], ARGV[5])
  end
end
return 1`;

/** KEYS: record. */
const getScript = `return redis.call('HGET', KEYS[1], 'record')`;

/**
 * KEYS: index. ARGV: prefix of records, arguments of ZRANGE. Reads again after it removed ids of
 * expired records.
 */
const listScript = `
local records, expired
repeat
  records, expired = {}, {}
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1], unpack(ARGV, 2))) do
    local record = redis.call('HGET', ARGV[1] .. id, 'record')
    if record then records[#records + 1] = record else expired[#expired + 1] = id end
  end
  if #expired > 0 then redis.call('ZREM', KEYS[1], unpack(expired)) end
until #expired == 0
return records`;

const publishScript = `return redis.call('PUBLISH', ARGV[1], ARGV[2])`;

/**
 * Creates a store in Redis 6.2 or later, for any number of instances. Takes a connected client of
 * the package `redis`.
 *
 * What is acknowledged must survive: run Redis with `appendonly yes`, `appendfsync always` and
 * `maxmemory-policy noeviction`. With the default `appendfsync everysec`, a crash can lose the
 * writes of the last second, and so can a failover to a replica. Then events of that second are
 * dispatched again, and the webhooks of an application that was begun in it find no record.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Required<LicensingStore> {
  assertGroup('options', options);
  const { prefix = '{licensing-apply}:', keepDays = 400 } = options;
  if (!(keepDays > 0)) throw new TypeError('keepDays must be a positive number.');
  const keepSeconds = String(Math.ceil(keepDays * secondsPerDay));
  const records = `${prefix}record:`;
  const open = `${prefix}open`;
  const channel = `${prefix}changes`;
  const ofUser = (userId: string) => `${prefix}user:${userId}`;
  const ofApplication = (applicationId: string) => `${prefix}application:${applicationId}`;

  async function list(index: string, ...range: string[]): Promise<ApplicationRecord[]> {
    const found = await client.eval(listScript, { keys: [index], arguments: [records, ...range] });
    return (found as string[]).map(parseRecord);
  }

  return {
    async get(id) {
      const found = await client.eval(getScript, { keys: [`${records}${id}`], arguments: [] });
      return typeof found === 'string' ? parseRecord(found) : undefined;
    },
    async put(record) {
      const { id, version, userId, applicationId, isOpen, supersededBy } = record;
      const creation = supersededBy === undefined ? String(Date.parse(record.createdAt)) : '';
      const keys = [`${records}${id}`, open, ofUser(userId)];
      const values = [id, String(version - 1), String(version), JSON.stringify(record), keepSeconds];
      values.push(isOpen ? '0' : '', creation);
      if (applicationId !== undefined) {
        keys.push(ofApplication(applicationId));
        values.push(creation);
      }
      return (await client.eval(putScript, { keys, arguments: values })) === 1;
    },
    byApplication: async (applicationId) => (await list(ofApplication(applicationId), '0', '0'))[0],
    byUser: (userId, limit) => list(ofUser(userId), '0', String(limit - 1), 'REV'),
    listOpen: (after, limit) =>
      list(open, after === undefined ? '-' : `(${after}`, '+', 'BYLEX', 'LIMIT', '0', String(limit)),
    async notify(id) {
      await client.eval(publishScript, { keys: [], arguments: [channel, id] });
    },
    ...shareConnection((emit) => connectSubscriber(client, channel, emit)),
  };
}

function parseRecord(text: string): ApplicationRecord {
  return JSON.parse(text) as ApplicationRecord;
}

function connectSubscriber(client: RedisClient, channel: string, emit: ChangeListeners['emit']): ChangeConnection {
  const subscriber = client.duplicate();
  let wasReady = false;
  // Without a listener an error would end the process. The client reconnects by itself.
  subscriber.on('error', () => undefined);
  subscriber.on('ready', () => {
    // Redis keeps no messages for a connection that is away.
    if (wasReady) emit();
    wasReady = true;
  });
  // While the server is away, the client goes on connecting without an end.
  let reject: (error: Error) => void;
  const closed = new Promise<never>((_, rejectClosed) => (reject = rejectClosed));
  return {
    ready: Promise.race([subscriber.connect().then(() => subscriber.subscribe(channel, emit)), closed]),
    close() {
      reject(new Error('The store was closed while it connected to Redis.'));
      try {
        subscriber.destroy();
      } catch {
        // It was closed already.
      }
    },
  };
}
