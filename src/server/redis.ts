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
 * In production, give the client a time limit as in docs/server/stores.md: a server that vanishes closes
 * no connection.
 *
 * Acknowledged webhooks must survive a crash: run Redis with `appendonly yes`, `appendfsync always`
 * and `maxmemory-policy noeviction`. The default `appendfsync everysec` can lose the last second.
 *
 * A record is a hash of two fields, `version` and `record` (JSON). Three sorted sets of ids are the
 * indexes: the records of a user and of an application by their creation, and the open records by
 * id. Every key expires; an index removes the ids of expired records when it is read.
 */
import type { ApplicationRecord, LicensingStore } from './store/licensing-store.js';
import { z } from 'zod';
import { parseGiven } from './configuration.js';
import { orUnavailable } from './store/store-unavailable-error.js';

export type { LicensingStore } from './store/licensing-store.js';

/** The methods of a client of the package `redis` that the store uses. */
export interface RedisClient {
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Prefix of all keys. Default: `{licensing-apply}:`. A cluster needs the
   * braces: they keep all keys on one node.
   */
  prefix?: string;
  /** Days that a record is kept after its last change. Default: 400. */
  keepDays?: number;
}

const optionsSchema = z.strictObject({
  prefix: z.string().optional(),
  keepDays: z.number().positive().optional(),
} satisfies Record<keyof RedisStoreOptions, z.ZodType>);

/**
 * Errors of a server that is a replica, out of memory, loading its data, without its master or its
 * cluster, busy, or cannot write its disk. A script adds words before the name.
 */
const outageNames = /(^|[ -])(READONLY|OOM|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|NOREPLICAS|MISCONF)( |$)/;
/** Errors of the package `redis` about its connection. They have no code. */
const outageMessages =
  /^(The client is closed|The client is offline|Socket closed unexpectedly|Socket timeout|Connection timeout|Disconnects client)/;

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

/**
 * Creates a store in Redis 6.2 or later, for any number of instances. Takes a connected client of
 * the package `redis`. Run Redis with `appendonly yes`, `appendfsync always` and
 * `maxmemory-policy noeviction`: what is acknowledged must survive.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): LicensingStore {
  parseGiven('redisStore', optionsSchema, options);
  const { prefix = '{licensing-apply}:', keepDays = 400 } = options;
  const keepSeconds = String(Math.ceil(keepDays * secondsPerDay));
  const records = `${prefix}record:`;
  const open = `${prefix}open`;
  const ofUser = (userId: string) => `${prefix}user:${userId}`;
  const ofApplication = (applicationId: string) => `${prefix}application:${applicationId}`;

  function evaluate(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> {
    return orUnavailable(
      () => client.eval(script, options),
      ({ message }) => outageNames.test(message) || outageMessages.test(message),
    );
  }

  async function list(index: string, ...range: string[]): Promise<ApplicationRecord[]> {
    const found = await evaluate(listScript, { keys: [index], arguments: [records, ...range] });
    return (found as string[]).map(parseRecord);
  }

  return {
    async get(id) {
      const found = await evaluate(`return redis.call('HGET', KEYS[1], 'record')`, {
        keys: [`${records}${id}`],
        arguments: [],
      });
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
      return (await evaluate(putScript, { keys, arguments: values })) === 1;
    },
    byApplication: async (applicationId) => (await list(ofApplication(applicationId), '0', '0'))[0],
    byUser: (userId, limit) => list(ofUser(userId), '0', String(limit - 1), 'REV'),
    listOpen: (after, limit) =>
      list(open, after === undefined ? '-' : `(${after}`, '+', 'BYLEX', 'LIMIT', '0', String(limit)),
  };
}

function parseRecord(text: string): ApplicationRecord {
  return JSON.parse(text) as ApplicationRecord;
}
