import type { Fact } from '../../applications/facts.js';
import { assertGroup } from '../../assert-options.js';
import { capabilityLifetimeSeconds } from '../../webhooks/capability.js';
import type { Acceptance, AcknowledgedDelivery, LicensingStore, StoredState } from '../store.js';
import type { ApplicationLink } from '../../applications/application-link.js';
import { createRedisChanges } from './redis-changes.js';
import type { RedisClient } from './redis-client.js';
import * as scripts from './redis-scripts.js';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * What all keys and the channel begin with. Default: `{licensing-apply}:`. The braces keep all keys on one node of a cluster,
   * which is needed there.
   */
  prefix?: string;
  /** How long an application is kept after its last change, in days. Default: 400. */
  keepDays?: number;
}

/** A store in Redis. */
export interface RedisStore extends LicensingStore {
  /** Ends the connection on which the store listens. The client that was given stays open. */
  close(): Promise<void>;
}

const secondsOfDay = 24 * 60 * 60;

/** A store in Redis 6.2 or later, for any number of instances. */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RedisStore {
  assertGroup('options', options);
  const { prefix = '{licensing-apply}:', keepDays = 400 } = options;
  if (!(keepDays > 0)) throw new TypeError('keepDays must be a positive number.');
  const keepSeconds = Math.ceil(keepDays * secondsOfDay);
  const keep = String(keepSeconds);
  // The application may change until then, and is found by what stands in the address.
  const keepReference = String(Math.max(keepSeconds, capabilityLifetimeSeconds));
  const applications = `${prefix}application:`;
  const open = `${prefix}open`;
  const untold = `${prefix}untold`;
  const arrears = `${prefix}arrears`;
  const channel = `${prefix}changes`;
  const userKey = (userId: string) => `${prefix}user:${userId}`;
  const keyOf = (kind: 'facts' | 'lease' | 'unsettled' | 'seen' | 'bookmark', id: string) => `${prefix}${kind}:${id}`;
  const factKeys = (id: string) => [keyOf('facts', id), keyOf('lease', id), untold];
  const changes = createRedisChanges(client, channel);

  const run = (script: string, keys: string[], ...values: string[]) => client.eval(script, { keys, arguments: values });

  async function read<Value>(script: string, keys: string[], ...values: string[]): Promise<Value | undefined> {
    const text = await run(script, keys, ...values);
    return typeof text === 'string' ? (JSON.parse(text) as Value) : undefined;
  }

  async function readList<Value>(script: string, keys: string[], ...values: string[]): Promise<Value[]> {
    const texts = (await run(script, keys, ...values)) as string[];
    return texts.map((text) => JSON.parse(text) as Value);
  }

  return {
    async saveLink(link) {
      const { applicationId, reference, userId, createdAt } = link;
      const keys = [`${applications}${applicationId}`, `${prefix}reference:${reference}`, userKey(userId), open];
      const created = String(Date.parse(createdAt));
      await run(scripts.saveLink, keys, applicationId, JSON.stringify(link), created, keep, keepReference);
    },
    linkOfApplication: (id) => read<ApplicationLink>(scripts.readField, [`${applications}${id}`], 'link'),
    linkOfReference: (reference) =>
      read<ApplicationLink>(scripts.linkOfReference, [`${prefix}reference:${reference}`], applications),
    linksOfUser: (userId, limit) =>
      readList<ApplicationLink>(scripts.linksOfUser, [userKey(userId)], applications, String(limit)),
    openLinks: (after, limit) =>
      readList<ApplicationLink>(
        scripts.openLinks,
        [open],
        applications,
        after === undefined ? '-' : `(${after}`,
        String(limit),
      ),
    async finish(id) {
      await run(scripts.finish, [open], id);
    },

    readState: (id) => read<StoredState>(scripts.readField, [`${applications}${id}`], 'state'),
    async replaceState(id, expectedVersion, state, facts) {
      const keys = [`${applications}${id}`, keyOf('facts', id), untold, userKey(state.application.userId)];
      const versions = [String(expectedVersion), String(state.version)];
      const kept = facts.map((item) => `${item.fact.factId}|${JSON.stringify(item)}`);
      return (await run(scripts.replaceState, keys, id, ...versions, JSON.stringify(state), keep, ...kept)) === 1;
    },

    async acceptDelivery(id, delivery) {
      const keys = [`${applications}${id}`, keyOf('unsettled', id), keyOf('seen', id), arrears];
      const arrival = String(Date.parse(delivery.receivedAt));
      const kept = JSON.stringify(delivery);
      return (await run(scripts.acceptDelivery, keys, id, delivery.id, arrival, kept, keep)) as Acceptance;
    },
    async unsettledDeliveries(id) {
      const kept = (await run(scripts.unsettledDeliveries, [keyOf('unsettled', id)])) as string[];
      return kept.map((text) => JSON.parse(afterBar(text)) as AcknowledgedDelivery);
    },
    async settleDeliveries(id, deliveryIds) {
      await run(scripts.settleDeliveries, [keyOf('unsettled', id), arrears], id, ...deliveryIds);
    },

    async claimFacts(id, holder, leaseMs) {
      const kept = (await run(scripts.claimFacts, factKeys(id), id, holder, String(leaseMs))) as string[] | null;
      return kept?.map((text) => JSON.parse(afterBar(text)) as Fact);
    },
    strikeFact: async (id, holder, factId) => (await run(scripts.strikeFact, factKeys(id), id, holder, factId)) === 1,
    async releaseFacts(id, holder) {
      await run(scripts.releaseFacts, factKeys(id), id, holder);
    },

    async applicationsWithLeftWork({ receivedBefore, after = '', limit }) {
      const before = String(Date.parse(receivedBefore));
      const values = [before, after, String(limit)];
      const prefixes = [applications, keyOf('bookmark', ''), keyOf('facts', ''), keyOf('unsettled', '')];
      return (await run(scripts.leftWork, [untold, arrears], ...values, ...prefixes)) as string[];
    },

    async publish(id) {
      await run(scripts.publish, [], channel, id);
    },
    subscribe: changes.subscribe,
    close: changes.close,
  };
}

/** What was kept behind its name or time. It is an object, so its text begins with a brace. */
function afterBar(text: string): string {
  return text.slice(text.indexOf('|{') + 1);
}
