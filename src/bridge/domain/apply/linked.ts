import {
  findApplicationById,
  findApplicationByLink,
  lockApplicationByLink,
  lockOwnApplication,
} from '../../store/applications/application-store.js';
import { findEarlierSessionByLink } from '../../store/applications/session-store.js';
import { findAgency, shareAgency, type AgencyRow } from '../../store/accounts/agency-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { hashToken } from '../keys/keys.js';

/** The link of one session. */
export interface SessionLink {
  sessionId: string;
  /** Where it leads back to: each session has its own. */
  returnUrl: string;
  expiresAt: Date;
  /** Whether another session followed: then the link is dead after its end, whatever became of the application. */
  isEarlier: boolean;
}

/** An application and the link that it was found by. */
export interface LinkedApplication {
  application: ApplicationRow;
  link: SessionLink;
  /** Whom the application is for. */
  agency: AgencyRow;
}

/** The application behind the token of an `applicationUrl`. */
export function findLinked(db: Database, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  const linked = linkedBy(db, hash, findApplicationByLink(db, hash), (id) => findApplicationById(db, id));
  return withAgency(linked, (id) => findAgency(db, id));
}

/** As {@link findLinked}, and nobody else changes the application, nor deactivates the agency, until the transaction ends. */
export function lockLinked(trx: DatabaseTransaction, token: string): Promise<LinkedApplication | undefined> {
  const hash = hashToken(token);
  const linked = linkedBy(trx, hash, lockApplicationByLink(trx, hash), (id) => lockOwnApplication(trx, id));
  return withAgency(linked, (id) => shareAgency(trx, id));
}

async function withAgency(
  linked: Promise<Omit<LinkedApplication, 'agency'> | undefined>,
  agencyOf: (id: string) => Promise<AgencyRow | undefined>,
): Promise<LinkedApplication | undefined> {
  const found = await linked;
  const agency = found && (await agencyOf(found.application.agency_id));
  return agency && { ...found, agency };
}

async function linkedBy(
  db: Database,
  hash: Buffer,
  byNewest: Promise<ApplicationRow | undefined>,
  byId: (id: string) => Promise<ApplicationRow | undefined>,
): Promise<Omit<LinkedApplication, 'agency'> | undefined> {
  const newest = await byNewest;
  if (newest) {
    const { session_id: sessionId, return_url: returnUrl, expires_at: expiresAt } = newest;
    return { application: newest, link: { sessionId, returnUrl, expiresAt, isEarlier: false } };
  }
  // After the newest: a session that is followed by another one in between is found here.
  const earlier = await findEarlierSessionByLink(db, hash);
  const application = earlier && (await byId(earlier.application_id));
  if (!application) return undefined;
  const { session_id: sessionId, return_url: returnUrl, expires_at: expiresAt } = earlier;
  return { application, link: { sessionId, returnUrl, expiresAt, isEarlier: true } };
}
