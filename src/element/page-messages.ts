import type { HostedErrorCode, PageMessages } from '../channel/index.js';
import type { ApplicationNews } from './application-news.js';

/** Whom the messages of the hosted page concern. */
export interface PageMessageOptions {
  news: Pick<ApplicationNews, 'hear' | 'follow'>;
  onExpiring(inSeconds: number): void;
  onCloseRequest(by: 'escape' | 'page'): void;
  onExpired(): void;
  /** Called when the page cannot go on. What the user can put right, the page itself tells them. */
  onFailed(code: HostedErrorCode): void;
}

type PageMessage = { [Type in keyof PageMessages]: { type: Type; payload: PageMessages[Type] } }[keyof PageMessages];

/** Creates what takes the messages of the hosted pages of one element. */
export function createPageMessageHandler(options: PageMessageOptions) {
  const { news } = options;

  return function onMessage<Type extends keyof PageMessages>(type: Type, payload: PageMessages[Type]): void {
    const message = { type, payload } as PageMessage;
    switch (message.type) {
      case 'ready':
      case 'progress':
      case 'submitted':
        news.hear({ snapshot: message.payload, submitted: type === 'submitted' });
        break;
      case 'dirty':
        news.hear({ dirty: message.payload.dirty });
        break;
      case 'requiresAction':
        news.hear({ action: message.payload });
        break;
      case 'sessionExpiring':
        options.onExpiring(message.payload.inSeconds);
        break;
      case 'closeRequest':
        options.onCloseRequest(message.payload.by === 'escape' ? 'escape' : 'page');
        break;
      case 'error':
        onError(message.payload);
        break;
      default: // `resize` and `scrollTo` are the surface's.
    }
  };

  function onError({ code, recoverable }: PageMessages['error']): void {
    if (code === 'session_expired' || code === 'session_invalid') options.onExpired();
    else if (code === 'already_submitted') news.follow();
    else if (!recoverable) options.onFailed(code);
  }
}
