import type { Application, ApplicationHost } from './application.js';
import { LicensingBeforeOpenEvent } from './events/before-open-event.js';
import { connectEarly } from './surface/early-connection.js';
import { LicensingErrorEvent } from './events/error-event.js';
import { LicensingApplyError } from './events/errors.js';
import { createFrame, type Frame, loadFrame } from './surface/frame.js';
import { knownUrl } from './opening/known-url.js';
import { localeOf } from './locales/locale.js';
import { languageFor } from './locales/language.js';
import { isFramed, modesOf, type OpenMode } from './mode.js';
import type { OpenOptions } from './opening/opening.js';
import { openPopup } from './surface/popup.js';
import { failureText } from './locales/texts.js';
import { judgeUrl } from './url-policy.js';

/** What an entrance is made of. */
export interface EntranceOptions {
  host: ApplicationHost & { readonly applicationOrigin: string; readonly renderRoot: Node };
  /** Where the state goes as a custom state. */
  internals: ElementInternals;
  /** Renders at once. */
  render(): void;
}

/** What an element can do before most of its code is there: begin to open. */
export interface Entrance {
  /** The rest of the element, once it was needed. */
  application?: Application;
  /** From the call until it loads, or does not. */
  isOpening?: boolean;
  /** What the user reads when the code did not come. */
  failure?: string | undefined;
  /** The frame of the next opening, if it is there already. */
  frame?: Frame | undefined;
  /** Resolves with the rest of the element; rejects when it cannot be loaded. The next call then tries again. */
  load(): Promise<Application>;
  /** Does what an opening does first, for a user who seems about to open. */
  prepare(): void;
  /** Resolves with whether the application is loading: never where there is no document around the element. */
  show(reason: 'open' | 'resume', options?: OpenOptions): Promise<boolean>;
  /** Closes, also what has not begun yet; undefined when there is nothing else to close. */
  close(force: boolean): Promise<boolean> | undefined;
  /** Ends without asking: the element left the document. */
  abandon(): void;
}

/** Creates the entrance of one element. */
export function createEntrance({ host, internals, render }: EntranceOptions): Entrance {
  const language = () => languageFor(localeOf(host));

  let loading: Promise<Application> | undefined;

  const isWanted = () => entrance.isOpening;

  /** Makes the frame that will be needed, and the connection for it. */
  function prepareFrame(mode: OpenMode): void {
    entrance.frame = createFrame(mode);
    const url = knownUrl(host, entrance.application) ?? judgeUrl(host.applicationOrigin, location.origin).url;
    if (url) connectEarly(url.origin, host.renderRoot);
    host.requestUpdate();
  }

  const entrance: Entrance = {
    load() {
      // Asked for once at a time: WebKit fails the second of two imports as long as the module waits for something,
      // https://bugs.webkit.org/show_bug.cgi?id=242740.
      return (loading ??= import('./application.js')
        .then(({ createApplication }) => (entrance.application ??= createApplication({ host, language, internals })))
        .finally(() => (loading = undefined)));
    },
    prepare() {
      entrance.load().catch(() => undefined);
      const [mode] = modesOf(host);
      // Nor behind an opening: the page is not inert before a modal is drawn.
      if (!entrance.frame && !host.open && isFramed(mode)) prepareFrame(mode);
    },
    async show(reason, options) {
      if (!host.isConnected) return false;
      const askedAt = performance.now();
      const { application, isOpening } = entrance;
      const [mode] = modesOf(host, options?.mode);
      // It may fail before there is the code that tells so.
      Promise.resolve(options?.session).catch(() => undefined);
      // Before anything is waited for: a window that does not open in the task of the click is blocked.
      const popup = !application && !isOpening && mode === 'popup' ? openPopup(language()) : undefined;
      const url = isOpening || !isFramed(mode) ? undefined : knownUrl(host, application, options);
      if (url && !host.dispatchEvent(new LicensingBeforeOpenEvent({ mode }))) return false;
      entrance.isOpening = true;
      entrance.failure = undefined;
      host.requestUpdate();
      if (url) {
        // The page of an address that is known loads beside the code, not after it; and before anything is drawn.
        if (entrance.frame?.mode !== mode) entrance.frame = createFrame(mode);
        const { frame } = entrance;
        loadFrame(frame, url);
        if (!frame.element.isConnected) render();
      } else if (!(application ?? entrance.frame) && isFramed(mode)) prepareFrame(mode);
      try {
        const { flow } = application ?? (await entrance.load());
        // Closed meanwhile, or gone from the document.
        if (!isWanted()) {
          popup?.close();
          return false;
        }
        const opened = flow.open({ reason, popup, frame: entrance.frame, askedAt, ...options });
        // It is the opening's from here on: a modal that stayed after a failure would keep the focus from the card.
        entrance.frame = undefined;
        return await opened;
      } catch (cause) {
        popup?.close();
        const error = new LicensingApplyError(navigator.onLine ? 'load_failed' : 'offline', '', { cause });
        entrance.failure = failureText(language().texts, error);
        host.dispatchEvent(new LicensingErrorEvent(error, entrance.failure));
        return false;
      } finally {
        entrance.isOpening = false;
        entrance.frame = undefined;
        host.requestUpdate();
      }
    },
    close(force) {
      entrance.isOpening = false;
      return entrance.application?.flow.close('call', force);
    },
    abandon() {
      entrance.isOpening = false;
      entrance.application?.flow.abandon();
    },
  };
  return entrance;
}
