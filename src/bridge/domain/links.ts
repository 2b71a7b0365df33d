import { hashToken, type Keys } from './keys.js';

/**
 * The capability links of the hosted application. Their 256-bit tokens are derived from ids with the bridge's key and never
 * stored, so a repeated Idempotency-Key answers with the same address and a copy of the database opens nothing.
 */
export interface Links {
  /** `{apply_url}/s/{token}` of a session. */
  applicationUrl(sessionId: string): string;
  /** `{apply_url}/a/{token}` of one request for action. `serial` counts the requests of that state. */
  actionUrl(applicationId: string, state: string, serial: number): string;
  /** What `application.link_hash` holds. */
  applicationLinkHash(sessionId: string): Buffer;
  /** What `application_state.action_hash` holds. */
  actionLinkHash(applicationId: string, state: string, serial: number): Buffer;
}

/** Makes links below `applyUrl`, the origin of the hosted application. */
export function createLinks(keys: Keys, applyUrl: string): Links {
  const sessionToken = (sessionId: string) => keys.mac('link', `session:${sessionId}`).toString('base64url');
  const actionToken = (applicationId: string, state: string, serial: number) =>
    keys.mac('link', `action:${applicationId}:${state}:${String(serial)}`).toString('base64url');
  return {
    applicationUrl: (sessionId) => `${applyUrl}/s/${sessionToken(sessionId)}`,
    actionUrl: (...action) => `${applyUrl}/a/${actionToken(...action)}`,
    applicationLinkHash: (sessionId) => hashToken(sessionToken(sessionId)),
    actionLinkHash: (...action) => hashToken(actionToken(...action)),
  };
}
