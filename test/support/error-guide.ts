import type { ErrorCode } from '../../src/element/events/errors.js';

/** What a developer should do about each failure of the element. Where each one's `docsUrl` points to. */
export const errorGuide: Readonly<Record<ErrorCode, string>> = {
  not_configured: 'Set session-url, application-url or sessionProvider.',
  url_refused:
    'The application URL must be https (http on localhost), without credentials, and on another origin than this page.',
  offline: 'The browser is offline.',
  load_failed:
    'A part of licensing-apply could not be loaded. Publish its chunks beside the entry and allow them in script-src.',
  session_unreachable:
    'The session URL could not be reached, or not within 20 seconds. If it never is: connect-src must allow it, an address of another origin must allow this page by CORS, and it must begin with http or be relative.',
  not_signed_in:
    'The session URL answered 401, a page, or a redirect that leads to no JSON, as to a sign-in page. Answer requests for JSON with 401.',
  session_failed:
    'The session URL answered with an error, or sessionProvider threw one. `diagnose()` has the HTTP status; your backend’s log has the reason.',
  session_unreadable: 'The session has no applicationUrl, or is not JSON.',
  session_expired: 'The session ran out. A new one is made when the user starts again.',
  frame_blocked_by_page:
    "This page's Content-Security-Policy blocks the frame. Add the application's origin to frame-src.",
  frame_blocked_by_application:
    'The frame loaded, but nothing of the application answered or showed. Its `frame-ancestors` must name the origin of this page, which is that of the session’s `returnUrl`, and every site around this page. Comes as the reason of `licensing-modechange`, when the user asks for another window; a page cannot tell a refused frame from one that does not speak the channel.',
  popup_blocked:
    'The browser blocked the window. Call `show()` in the task of the click, before anything is awaited, and give it the promise of the session. Comes as the reason of `licensing-modechange`; without a `fallback` the element offers the window again, which is no failure.',
  protocol_mismatch:
    'The hosted application speaks no version of the channel that this build knows. The application works; progress comes from the server. Update licensing-apply.',
  timeout: 'The hosted application did not load within 20 seconds.',
  application_failed: 'The hosted application cannot go on.',
};
