import type { Fact } from '../../applications/facts.js';
import { assertGroup } from '../../assert-options.js';
import { backgroundClock, type Clock } from '../../clock.js';
import type { AcknowledgedDelivery, LicensingStore, StoredState } from '../store.js';
import type { ApplicationLink } from '../../applications/application-link.js';
import { createPostgresChanges } from './postgres-changes.js';
import type { PostgresPool } from './postgres-pool.js';
import { postgresStatements } from './postgres-statements.js';
import { migrateTables } from './postgres-tables.js';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** The schema of the tables, also the name of the channel. Default: `licensing_apply`. */
  schema?: string;
  /** Default: the real one. */
  clock?: Clock;
}

/** A store in PostgreSQL. */
export interface PostgresStore extends LicensingStore {
  /**
   * Creates the schema and its tables, or brings them up to date. Does nothing when they are. Needs the permission to create
   * tables in the schema, and to create the schema unless that is there.
   */
  migrate(): Promise<void>;
  /** Gives back the connection on which the store listens. The pool that was given stays open. */
  close(): Promise<void>;
}

/** Notifications hold at most 8,000 bytes. */
const longestPayload = 1_000;
/** Old deliveries are forgotten now and then, not with every new one. */
const forgetEvery = 50n;

/** A store in PostgreSQL, for any number of instances. Its tables are made by {@link PostgresStore.migrate}. */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): PostgresStore {
  assertGroup('options', options);
  const { schema = 'licensing_apply', clock = backgroundClock } = options;
  // It is part of every statement.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new TypeError('schema must be a plain name: lower-case letters, digits and underscores.');
  }
  const sql = postgresStatements(schema);
  const changes = createPostgresChanges(pool, schema, clock);

  async function rowsOf<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    const { rows } = await pool.query(text, values);
    return rows as Row[];
  }

  async function linksOf(text: string, ...values: unknown[]): Promise<ApplicationLink[]> {
    const rows = await rowsOf<{ link: ApplicationLink }>(text, ...values);
    return rows.map(({ link }) => link);
  }

  return {
    migrate: () => migrateTables(pool, schema),
    async saveLink(link) {
      const { applicationId, reference, userId, createdAt } = link;
      await rowsOf(sql.saveLink, applicationId, reference, userId, createdAt, JSON.stringify(link));
    },
    // PostgreSQL refuses texts with NUL, so no application has such an id, and whoever asks for one shall hear just that.
    linkOfApplication: async (id) => (id.includes('\0') ? undefined : (await linksOf(sql.linkOfApplication, id))[0]),
    linkOfReference: async (reference) => (await linksOf(sql.linkOfReference, reference))[0],
    linksOfUser: (userId, limit) => linksOf(sql.linksOfUser, userId, limit),
    openLinks: (after, limit) => linksOf(sql.openLinks, after ?? '', limit),
    async finish(id) {
      await rowsOf(sql.finish, id);
    },

    async readState(id) {
      const [row] = await rowsOf<{ state: StoredState | null }>(sql.readState, id);
      return row?.state ?? undefined;
    },
    async replaceState(id, expectedVersion, state, facts) {
      const ids = facts.map(({ fact }) => fact.factId);
      // Text by text: to look into one for its id, PostgreSQL would have to turn NUL and half characters into text, and refuses.
      const kept = facts.map((item) => JSON.stringify(item));
      const values = [id, expectedVersion, state.version, JSON.stringify(state), ids, kept];
      const [row] = await rowsOf<{ is_replaced: boolean }>(sql.replaceState, ...values);
      return row?.is_replaced === true;
    },

    async acceptDelivery(id, delivery) {
      const values = [id, delivery.id, delivery.type, delivery.receivedAt];
      const [row] = await rowsOf<{ position: string | null; is_settled: boolean | null }>(
        sql.acceptDelivery,
        ...values,
      );
      if (row?.position == null) return row?.is_settled === true ? 'settled' : 'unsettled';
      if (BigInt(row.position) % forgetEvery === 0n) await rowsOf(sql.forgetDeliveries, id);
      return 'new';
    },
    unsettledDeliveries: (id) => rowsOf<AcknowledgedDelivery>(sql.unsettledDeliveries, id),
    async settleDeliveries(id, deliveryIds) {
      await rowsOf(sql.settleDeliveries, id, deliveryIds);
    },

    async claimFacts(id, holder, leaseMs) {
      const claimed = await rowsOf(sql.claimLease, id, holder, leaseMs);
      if (claimed.length === 0) return undefined;
      // A statement of its own: it sees all that earlier holders struck, also while the one above waited for them.
      const rows = await rowsOf<{ fact: Fact }>(sql.facts, id);
      return rows.map(({ fact }) => fact);
    },
    async strikeFact(id, holder, factId) {
      const [row] = await rowsOf<{ is_held: boolean | null }>(sql.strikeFact, id, holder, factId);
      return row?.is_held === true;
    },
    async releaseFacts(id, holder) {
      await rowsOf(sql.releaseFacts, id, holder);
    },

    async applicationsWithLeftWork({ receivedBefore, after = '', limit }) {
      const rows = await rowsOf<{ application_id: string }>(sql.leftWork, receivedBefore, limit, after);
      return rows.map((row) => row.application_id);
    },

    async publish(id) {
      await rowsOf(sql.publish, schema, id.length > longestPayload ? '' : id);
    },
    subscribe: changes.subscribe,
    close: changes.close,
  };
}
