import type { PartnerSession, PartnerSessionRequest } from '../../contract/index.js';
import type { ModeSource, OpenMode } from '../modes.js';
import type { SessionSource } from './session-source.js';

/** The options of `show()`. */
export interface OpenOptions {
  /** The mode of this opening. Default: the element's own. */
  mode?: OpenMode | 'auto' | undefined;
  /** A session that the page created for this opening. Default: one from the element's source. */
  session?: PartnerSession | Promise<PartnerSession> | undefined;
}

/** The page to open. */
export interface OpenRequest extends OpenOptions {
  reason: PartnerSessionRequest['reason'];
  /** Opens this page of the application, on which the user answers what a state requires. */
  actionUrl?: string | undefined;
  /** The popup that was opened in the task of the click; `null` if it was blocked. */
  popup?: Window | null | undefined;
}

/** The element, as its opening needs it. */
export interface OpeningHost extends HTMLElement, SessionSource, ModeSource {
  statusUrl: string;
  eventsUrl: string;
  locale: string;
  allow: string;
  requestUpdate(): void;
}
