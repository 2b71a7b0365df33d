/**
 * A store in Redis, for several instances of a backend. Takes a connected client of the package `redis` (version 5).
 *
 * ```ts
 * import { createClient } from 'redis';
 * import { redisStore } from 'licensing-apply/server/redis';
 *
 * const client = await createClient({ url: process.env.REDIS_URL }).on('error', console.error).connect();
 * const licensing = createLicensingHandler({ ..., store: redisStore(client) });
 * ```
 *
 * What is acknowledged must survive: run Redis with `appendonly yes` and `maxmemory-policy noeviction`.
 */
export type { RedisClient, RedisSubscriber } from './store/redis/redis-client.js';
export type { RedisStore, RedisStoreOptions } from './store/redis/redis-store.js';
export { redisStore } from './store/redis/redis-store.js';
