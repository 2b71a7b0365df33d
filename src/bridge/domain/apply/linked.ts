import {
  findApplicationById,
  findApplicationByLink,
  lockApplicationByLink,
  lockOwnApplication,
} from '../../store/applications/application-store.js';
import { findEarlierSessionByLink } from '../../store/applications/renewal-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { hashToken } from '../keys/keys.js';

/** The link of one session. */
export interface SessionLink {
  /** Where it leads back to: each session has its own. */
  returnUrl: string;
  expiresAt: Date;
  /** Whether the session was renewed: then the link is dead after its end, whatever became of the application. */
  isEarlier: boolean;
}

/** An application and the link that it was found by. */
export interface LinkedApplication {
  application: ApplicationRow;
  link: SessionLink;
}

/** The application behind the token of an `applicationUrl`. */
export function findLinked(db: Database, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  return linkedBy(db, hash, findApplicationByLink(db, hash), (id) => findApplicationById(db, id));
}

/** As {@link findLinked}, and nobody else changes the application until the transaction ends. */
export function lockLinked(trx: DatabaseTransaction, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  return linkedBy(trx, hash, lockApplicationByLink(trx, hash), (id) => lockOwnApplication(trx, id));
}

async function linkedBy(
  db: Database,
  hash: Buffer,
  byNewest: Promise<ApplicationRow | undefined>,
  byId: (id: string) => Promise<ApplicationRow | undefined>,
): Promise<LinkedApplication | undefined> {
  const newest = await byNewest;
  if (newest) {
    const { return_url: returnUrl, expires_at: expiresAt } = newest;
    return { application: newest, link: { returnUrl, expiresAt, isEarlier: false } };
  }
  // After the newest: a session that is renewed in between is found here.
  const earlier = await findEarlierSessionByLink(db, hash);
  const application = earlier && (await byId(earlier.application_id));
  if (!application) return undefined;
  return { application, link: { returnUrl: earlier.return_url, expiresAt: earlier.expires_at, isEarlier: true } };
}
