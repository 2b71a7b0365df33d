import type { PartnerSession, PartnerSessionRequest } from '../../contract/index.js';
import { appearanceOf } from '../surface/appearance.js';
import type { ApplicationNews } from '../status/application-news.js';
import { keepAway } from './away.js';
import { type ErrorCode, LicensingApplyError } from '../events/errors.js';
import {
  type CloseCause,
  LicensingBlockedEvent,
  LicensingModeChangeEvent,
  LicensingReadyEvent,
} from '../events/events.js';
import type { FlowEvent } from '../flow.js';
import type { Frame } from '../surface/frame.js';
import type { Language } from '../locales/language.js';
import { type ModeSource, modesOf, type OpenMode } from '../mode.js';
import type { SessionKeeper } from './session-keeper.js';
import type { SessionSource } from './session-source.js';
import { createSurface, type Surface, type SurfaceOptions } from '../surface/surface.js';
import { judgeUrl } from '../url-policy.js';

/** How the application is asked for. */
export interface OpenOptions {
  /** Default: the element's own. */
  mode?: OpenMode | 'auto' | undefined;
  /** A session that the page makes itself, for this opening. */
  session?: PartnerSession | Promise<PartnerSession> | undefined;
}

/** What an opening is for. */
export interface OpeningRequest extends OpenOptions {
  reason: PartnerSessionRequest['reason'];
  /** Opens this page instead of the application. */
  actionUrl?: string | undefined;
  /** The window of its own, if it was opened already. */
  popup?: Window | null | undefined;
  /** The frame, if it is there already. `licensing-beforeopen` was fired for one that loads. */
  frame?: Frame | undefined;
  /** When the user asked, in milliseconds since the page was there: the code for it may have taken its time since. Default: now. */
  askedAt?: number | undefined;
}

/** The element that is opened in. */
export interface OpeningHost extends HTMLElement, SessionSource, ModeSource {
  statusUrl: string;
  eventsUrl: string;
  locale: string;
  requestUpdate(): void;
}

/** What an opening needs, and what it does to the flow that it belongs to. */
export interface OpeningOptions extends Pick<SurfaceOptions['report'], 'onMessage' | 'onRejected'> {
  host: OpeningHost;
  news: ApplicationNews;
  sessions: SessionKeeper;
  asked: OpeningRequest;
  language(): Language;
  announce(text: string): void;
  move(event: FlowEvent): void;
  /** Called before the page is loaded that may come back to this site. */
  listen(): void;
  close(by: CloseCause): void;
  shut(by: CloseCause): void;
  fail(problem: unknown): Promise<boolean>;
}

/** One opening: what is on the screen, in the first mode that works. */
export interface Opening {
  readonly asked: OpeningRequest;
  readonly mode: OpenMode;
  readonly surface: Surface | undefined;
  /** Shows it; resolves with whether it is loading. A window of its own opens within this call. */
  present(): Promise<boolean>;
  /** Goes on in the next mode; undefined when there is none. */
  fallBack(reason: ErrorCode): Promise<boolean> | undefined;
  /** Goes on, in its place, with what the partner's backend gives for the session that ends. Resolves with whether it does. */
  renew(isOver: boolean): Promise<boolean>;
  end(): void;
}

/** Creates an opening that shows nothing yet. */
export function createOpening(options: OpeningOptions): Opening {
  const { host, news, sessions, asked, language } = options;
  const ending = new AbortController();
  const modes = modesOf(host, asked.mode);
  const address = asked.actionUrl === undefined ? applicationUrl() : Promise.resolve(asked.actionUrl);
  // Who closes it before it is presented leaves nobody to hear that it failed.
  address.catch(() => undefined);
  let showing = ending;
  let surface: Surface | undefined;
  let first = '';
  let loaded = '';
  let isReady = false;
  let next: Promise<boolean> | undefined;
  let renewing: Promise<boolean> | undefined;

  async function applicationUrl(): Promise<string> {
    const before = sessions.session;
    const session = await sessions.obtain(host, asked.reason, ending.signal, asked.session);
    if (before && before.applicationId !== session.applicationId) news.reset();
    const { applicationId, progress } = session;
    if (session !== before && progress)
      news.learn({ source: 'server', application: { applicationId, progress, states: [] } });
    return session.applicationUrl;
  }

  const hasEnded = () => ending.signal.aborted;

  async function present(): Promise<boolean> {
    const [mode] = modes;
    showing = new AbortController();
    const { signal } = showing;
    if (!hasEnded()) options.move({ type: 'open' });
    // Who hears of that, or of another mode, may have closed it.
    if (hasEnded()) return false;
    try {
      surface = mode === 'redirect' ? undefined : createSurface({ ...surfaceOptions(mode), signal });
      host.requestUpdate();
      const [value] = await Promise.all([address, surface?.opened]);
      signal.throwIfAborted();
      const { url, refusal } = judgeUrl(value, surface?.isFrame ? location.origin : '');
      if (!url) throw new LicensingApplyError('url_refused', refusal);
      first = loaded = value;
      options.move({ type: 'load' });
      signal.throwIfAborted();
      const appearance = () => appearanceOf(host, mode);
      // Before the channel tells a window of its own, and where none does: in the part of an address that no server sees.
      if (!surface?.isFrame) url.hash ||= String(new URLSearchParams({ ...appearance() }));
      if (surface) {
        options.listen();
        if (mode === 'popup') options.announce(language().texts.elsewhere);
        surface.load(url, appearance);
      } else leave(url, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) return options.fail(error);
      return hasEnded() ? false : (next ?? false);
    }
  }

  /** Gives this page up for the application. */
  function leave(url: URL, signal: AbortSignal): void {
    const { applicationId = '', statusUrl = host.statusUrl, eventsUrl = host.eventsUrl } = sessions.session ?? {};
    keepAway({ element: host.id, state: sessions.returnState, applicationId, statusUrl, eventsUrl });
    // Back may show this very page again, as it was while it opened.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      options.shut('return');
      void news.refresh();
    };
    addEventListener('pageshow', onPageShow, { signal });
    location.assign(url);
  }

  function surfaceOptions(mode: Exclude<OpenMode, 'redirect'>): Omit<SurfaceOptions, 'signal'> {
    return {
      ...asked,
      mode,
      language,
      // Another mode begins with an empty one.
      frame: surface ? undefined : asked.frame,
      takesFocus: host.matches(':focus-within'),
      report: {
        onChange() {
          host.requestUpdate();
        },
        onCloseRequest: options.close,
        onConnect(info) {
          options.move({ type: 'show' });
          // The page connects anew with every document; for the partner it became ready once.
          if (!isReady) host.dispatchEvent(new LicensingReadyEvent(info));
          isReady = true;
        },
        onPlain() {
          options.move({ type: 'show' });
          // Nobody will tell us how far the user is, so the server has to.
          news.follow();
        },
        onFailed: (problem) => void options.fail(problem),
        onBlocked(retry) {
          const isOurs = host.dispatchEvent(new LicensingBlockedEvent({ retry }));
          if (isOurs && !fallBack('popup_blocked')) options.announce(language().texts.error_popup_blocked);
          return isOurs;
        },
        onGone: (isCertain) => void outlive(isCertain),
        onElsewhere(event) {
          // A frame that is refused looks to us like one that does not speak the channel: it is the user who sees which.
          if (fallBack('frame_blocked_by_application')) event.preventDefault();
        },
        onMessage: options.onMessage,
        onRejected: options.onRejected,
      },
    };
  }

  /** The window is gone, which says nothing by itself: the server is asked whether the application was submitted there. */
  async function outlive(isCertain: boolean): Promise<void> {
    const { signal } = showing;
    await news.refresh();
    // Without a word from its page it may only be cut off from us: then the user says when it is over.
    if (!signal.aborted && (isCertain || isReady || news.phase() !== 'unsubmitted')) options.shut('window');
  }

  function fallBack(reason: ErrorCode): Promise<boolean> | undefined {
    const [from, to] = modes;
    if (!to) return undefined;
    modes.shift();
    showing.abort();
    host.dispatchEvent(new LicensingModeChangeEvent({ from, to, reason }));
    return (next = present());
  }

  async function goOn(isOver: boolean): Promise<boolean> {
    const end = sessions.session?.expiresAt;
    const session = await sessions.renew(host, ending.signal).catch(() => undefined);
    if (!session || !surface) return false;
    const { applicationUrl, expiresAt } = session;
    const isSame = applicationUrl === first;
    if (isSame && (isOver || !expiresAt || expiresAt === end)) return false;
    const told = expiresAt && { expiresAt: new Date(expiresAt).toISOString(), ...(!isSame && { applicationUrl }) };
    const taken = told ? await surface.connection?.renew(told) : false;
    if (isSame) return true;
    const url = new URL(applicationUrl);
    if (!taken) {
      // The steps are saved and this page is not: as long as it works, the user may finish it. One that went away was sent.
      if (!isOver && (taken === undefined || news.snapshot().dirty)) return false;
      // The connection is to one origin; and what was loaded already has just said that it is over.
      if (hasEnded() || url.origin !== new URL(first).origin || applicationUrl === loaded) return false;
      loaded = applicationUrl;
    }
    surface.move(url, taken);
    return true;
  }

  return {
    asked,
    get mode() {
      return modes[0];
    },
    get surface() {
      return surface;
    },
    present,
    fallBack,
    async renew(isOver) {
      // The return page of a frame is heard twice, from the frame and from the site: one session is enough.
      if (await renewing) return true;
      return (renewing = goOn(isOver)
        // What a backend sends may be neither an address nor a date.
        .catch(() => false)
        .finally(() => (renewing = undefined)));
    },
    end() {
      ending.abort();
      showing.abort();
    },
  };
}
