import { hashToken, tokenOf, type Keys } from './keys.js';

/**
 * The capability links of the hosted application. Their 256-bit tokens are derived from ids with the bridge's key and never
 * stored, so a repeated Idempotency-Key answers with the same address and a copy of the database opens nothing.
 *
 * What is stored is the hash of the token. It also says which key the token came from, so that a link stays what it was when
 * the bridge gets a new key.
 */
export interface Links {
  /** `{apply_url}/s/{token}` of a session, whose `link_hash` is given. */
  applicationUrl(sessionId: string, linkHash: Buffer): string;
  /** `{apply_url}/a/{token}` of one request for action, whose `action_hash` is given; null when it is no longer open. */
  actionUrl(action: LinkedAction, actionHash: Buffer | null): string;
  /** What `application.link_hash` holds for a new session. */
  applicationLinkHash(sessionId: string): Buffer;
  /** What `application_state.action_hash` holds for a new request. */
  actionLinkHash(action: LinkedAction): Buffer;
}

/** One request for action. */
export interface LinkedAction {
  applicationId: string;
  state: string;
  /** Counts the requests of that state. */
  serial: number;
}

/** Makes links below `applyUrl`, the origin of the hosted application. */
export function createLinks(keys: Keys, applyUrl: string): Links {
  const ofSession = (sessionId: string) => `session:${sessionId}`;
  const ofAction = ({ applicationId, state, serial }: LinkedAction) =>
    `action:${applicationId}:${state}:${String(serial)}`;
  const newToken = (text: string) => tokenOf(keys.mac('link', text));
  // When no key fits, because an old one was taken away too soon, the newest one's link stands there: it opens once
  // `keys reseal --links renew` has put its hash in place.
  const tokenFor = (text: string, hash: Buffer | null) =>
    keys
      .macs('link', text)
      .map(tokenOf)
      .find((token) => hash?.equals(hashToken(token))) ?? newToken(text);
  return {
    applicationUrl: (sessionId, linkHash) => `${applyUrl}/s/${tokenFor(ofSession(sessionId), linkHash)}`,
    actionUrl: (action, actionHash) => `${applyUrl}/a/${tokenFor(ofAction(action), actionHash)}`,
    applicationLinkHash: (sessionId) => hashToken(newToken(ofSession(sessionId))),
    actionLinkHash: (action) => hashToken(newToken(ofAction(action))),
  };
}
