import type { ErrorCode } from '../../src/element/errors.js';

/** What a developer should do about each failure of the element. Where each one's `docsUrl` points to. */
export const errorGuide: Readonly<Record<ErrorCode, string>> = {
  not_configured: 'Set session-url, application-url or sessionProvider.',
  url_refused:
    'The application URL must be https (http on localhost), without credentials, and on another origin than this page.',
  offline: 'The browser is offline.',
  load_failed:
    'A part of licensing-apply could not be loaded. Publish its chunks beside the entry and allow them in script-src.',
  session_unreachable: 'The session URL could not be reached.',
  session_failed: 'The session URL or sessionProvider did not make a session.',
  session_unreadable: 'The session has no applicationUrl, or is not JSON.',
  session_expired: 'The session ran out. A new one is made when the user starts again.',
  frame_blocked_by_page:
    "This page's Content-Security-Policy blocks the frame. Add the application's origin to frame-src.",
  timeout: 'The hosted application did not load within 20 seconds.',
  application_failed: 'The hosted application cannot go on.',
};
