import type { HostedErrorCode, PageMessages, Snapshot } from '../../channel/index.js';
import type { ApplicationNews } from '../status/application-news.js';

/** Whom the messages of the hosted page concern. */
export interface PageMessageOptions {
  news: Pick<ApplicationNews, 'hear' | 'follow'>;
  /** Called for each of them. */
  onHear(type: string): void;
  onExpiring(inSeconds: number): Promise<void>;
  onCloseRequest(by: 'escape' | 'page'): void;
  onExpired(): void;
  /** Called when the page cannot go on. What the user can put right, the page itself tells them. */
  onFailed(code: HostedErrorCode): void;
}

/** Creates what takes the messages of the hosted pages of one element. `resize` and `scrollTo` are the surface's. */
export function createPageMessageHandler({ news, ...options }: PageMessageOptions) {
  const handlers: { [Type in keyof PageMessages]?: (payload: PageMessages[Type]) => void } = {
    ready: hear,
    progress: hear,
    submitted(snapshot) {
      news.hear({ snapshot, submitted: true });
    },
    dirty: news.hear,
    requiresAction(action) {
      news.hear({ action });
    },
    sessionExpiring({ inSeconds }) {
      void options.onExpiring(inSeconds);
    },
    closeRequest({ by }) {
      options.onCloseRequest(by === 'escape' ? by : 'page');
    },
    error({ code, recoverable }) {
      if (code === 'session_expired' || code === 'session_invalid') options.onExpired();
      else if (code === 'already_submitted') news.follow();
      else if (!recoverable) options.onFailed(code);
    },
  };

  function hear(snapshot: Snapshot): void {
    news.hear({ snapshot });
  }

  return function onMessage<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void {
    options.onHear(type);
    handlers[type]?.(payload);
  };
}
