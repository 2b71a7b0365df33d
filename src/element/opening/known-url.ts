import type { Application } from '../application.js';
import type { OpenOptions } from './opening.js';
import type { SessionSource } from './session-source.js';
import { judgeUrl } from '../url-policy.js';

/** The address that an opening in a frame comes to, when nobody has to be asked for it; undefined as well when nothing will open. */
export function knownUrl(source: SessionSource, application?: Application, asked?: OpenOptions): URL | undefined {
  const { sessionProvider, sessionUrl, applicationUrl } = source;
  const { flow, sessions, news } = application ?? {};
  if (asked?.session ?? (flow?.isOpen || news?.snapshot().submitted)) return undefined;
  const address = sessions?.usable()?.applicationUrl ?? ((sessionProvider ?? sessionUrl) ? '' : applicationUrl);
  return judgeUrl(address, location.origin).url;
}
