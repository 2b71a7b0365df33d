import type { TemplateResult } from 'lit';
import type { Appearance } from '../../channel/index.js';
import { connect, type Connection, type ConnectionReport } from './connection.js';
import { createModalDialog } from './dialog.js';
import { createFrame, type Frame, loadFrame } from './frame.js';
import type { Language } from '../locales/language.js';
import type { SurfaceMode } from '../mode.js';
import { createPopupWindow } from './popup-window.js';
import { renderSurface, type SurfaceState, type SurfaceView } from './surface-template.js';

/** How a surface is made. */
export interface SurfaceOptions {
  mode: SurfaceMode;
  language(): Language;
  /** For the mode `popup`: the window, if it was opened in the task of the click already. */
  popup?: Window | null | undefined;
  /** For the modes with a frame: it, if it is there already. */
  frame?: Frame | undefined;
  /** When it was asked for, in milliseconds since the page was there. Default: now. */
  askedAt?: number | undefined;
  /** Whether the user opened it, so that the focus may move: it stays where it is when the page did by itself. */
  takesFocus: boolean;
  /** Ends the opening. */
  signal: AbortSignal;
  report: Omit<ConnectionReport, 'onSlow'> & {
    onChange(): void;
    onCloseRequest(by: 'button' | 'escape'): void;
    /** The browser blocks the window. Returns whether the surface should say so and offer `retry`. */
    onBlocked(retry: () => void): boolean;
    /** The window was closed, or looks so. */
    onGone(isCertain: boolean): void;
    /** The user asks for the way around a frame that stays silent; the event's default is a window that nobody follows. */
    onElsewhere(event: Event): void;
  };
}

/** One opening of the application on the screen. Ends with its signal. */
export interface Surface {
  readonly mode: SurfaceMode;
  /** Whether it is a frame of this page. */
  readonly isFrame: boolean;
  /** Resolves once there is something to load in. */
  readonly opened: Promise<unknown> | undefined;
  /** The window of the frame, or the one of its own; `null` as long as the browser blocks it. */
  window(): Window | null;
  /** Loads the application. */
  load(url: URL, appearance: () => Appearance): void;
  /** Goes to another address of the same application, in the same place, unless the page went there by itself. */
  move(url: URL, isThere?: boolean): void;
  /** The connection, once it loads. */
  readonly connection: Connection | undefined;
  render(view: SurfaceView): TemplateResult;
  /** To be called after each rendering. */
  rendered(root: ShadowRoot): void;
  /** Asks the user whether to leave unsaved work. */
  askToLeave(savedAt: string | undefined): Promise<boolean>;
}

/** A page in this one tells where it begins, then its height, once it is connected: what the user sees of it first stays in its place. */
const placedWithinMs = 500;

/**
 * A modal that has nothing to show waits this long after the click: to draw one over the page takes a good part of what a page that is
 * quick to come does, and a tenth of a second passes for at once.
 */
const drawnAfterMs = 100;

/** Creates a surface; it shows a skeleton until it is given something to load. */
export function createSurface({
  mode,
  language,
  askedAt = performance.now(),
  takesFocus,
  signal,
  report,
  ...options
}: SurfaceOptions): Surface {
  const popup =
    mode === 'popup'
      ? createPopupWindow({
          language,
          popup: options.popup,
          signal,
          onSettle(retry) {
            change({ blocked: retry !== undefined && report.onBlocked(retry) });
          },
          onGone: report.onGone,
        })
      : undefined;
  const loading = popup ? undefined : (options.frame ?? createFrame(mode));
  const frame = loading?.element;
  if (frame) frame.title = language().texts.title;
  const modal =
    mode === 'modal'
      ? createModalDialog(() => {
          report.onCloseRequest('escape');
        })
      : undefined;
  let connection: Connection | undefined;
  let initialFocus: Element | null | undefined;
  let root: ShadowRoot | undefined;
  let placing: ReturnType<typeof setTimeout> | undefined;

  const state: SurfaceState = {
    mode,
    frame,
    url: loading?.url,
    due: !modal,
    onClose() {
      report.onCloseRequest('button');
    },
    onShow: popup?.show,
    onElsewhere: report.onElsewhere,
  };

  function change(changes: Partial<SurfaceState>): void {
    if (signal.aborted) return;
    Object.assign(state, changes);
    report.onChange();
  }

  function show(): void {
    if (!state.visible) change({ due: true, visible: true });
  }

  setTimeout(change, askedAt + drawnAfterMs - performance.now(), { due: true });

  signal.addEventListener('abort', () => {
    modal?.release();
    // It holds the frame.
    clearTimeout(placing);
    state.question?.answer(false);
  });

  const view = () => (frame ? frame.contentWindow : (popup?.window() ?? null));

  return {
    mode,
    isFrame: frame !== undefined,
    opened: popup?.opened,
    window: view,
    load(url, appearance) {
      popup?.load(url);
      if (loading && loading.url?.href !== url.href) loadFrame(loading, url);
      connection = connect({
        frame: loading,
        target: view,
        url,
        appearance,
        signal,
        report: {
          ...report,
          onConnect(info) {
            state.slow = false;
            report.onConnect(info);
            if (modal) show();
            else placing ??= setTimeout(show, placedWithinMs);
          },
          onPlain() {
            show();
            report.onPlain();
          },
          onSlow() {
            change({ slow: true });
          },
          onMessage(type, payload) {
            if (frame && !modal) {
              // One that opens with its page, further down, must not take the user there who has come for something else.
              if ('top' in payload && navigator.userActivation.hasBeenActive) reveal(frame, payload.top);
              if ('height' in payload) {
                // Through the object model, which a strict style-src allows; the number comes from another site, so the style sheet has limits.
                frame.style.height = `${payload.height}px`;
                show();
              }
            }
            report.onMessage(type, payload);
          },
        },
      });
      change({ url });
    },
    move(url, isThere) {
      // In the place of the page that is there: an address that a frame goes to by `src` would be one more for the Back button.
      if (!isThere) view()?.location.replace(url.href);
      change({ url });
    },
    get connection() {
      return connection;
    },
    render: (view) => renderSurface(state, view),
    rendered(renderRoot) {
      root = renderRoot;
      const { due, visible } = state;
      const surface = root.querySelector<HTMLDialogElement>('.surface');
      if (!due || !surface) return;
      modal?.ensureOpen(surface);
      if (initialFocus === undefined) {
        // Inline replaces the button that had the focus; a modal has taken it already.
        if (!modal && takesFocus) surface.focus();
        initialFocus = root.activeElement;
      }
      if (visible) {
        // Only from where the opening left it: a user who went on to another control must not be pulled away.
        if (initialFocus && root.activeElement === initialFocus) frame?.focus();
        initialFocus = null;
      }
      const question = root.querySelector<HTMLDialogElement>('.question');
      if (question && !question.open) question.showModal();
    },
    askToLeave(savedAt) {
      const before = (root?.activeElement ?? frame) as HTMLElement | undefined;
      return new Promise((resolve) => {
        change({
          question: {
            savedAt,
            answer(leave) {
              resolve(leave);
              root?.querySelector<HTMLDialogElement>('.question')?.close();
              // Chromium gives the focus back only to a frame that has it from a script, not to one that the user went into.
              if (!leave) before?.focus();
              change({ question: undefined });
            },
          },
        });
      });
    },
  };
}

/** How far below the top of the window a step starts: under our own header, which says which step it is. */
const headerPx = 96;

/** Brings a point of the frame into view, unless it is there already: a page that scrolls without need makes people lose their place. */
function reveal(frame: HTMLIFrameElement, topPx: number): void {
  const y = frame.getBoundingClientRect().top + topPx;
  if (y > headerPx && y < innerHeight * 0.7) return;
  // The page may scroll in a part of itself, and have a header of its own that stays (scroll-padding): scrollIntoView knows both.
  frame.style.scrollMarginTop = `${headerPx - topPx}px`;
  frame.scrollIntoView({ behavior: 'instant' });
}
