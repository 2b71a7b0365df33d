import type { TemplateResult } from 'lit';
import type { Appearance } from '../channel/index.js';
import { connectFrame, type Connection, type ConnectionReport } from './connection.js';
import { createModalDialog } from './dialog.js';
import { createFrame } from './frame.js';
import type { ApplicationSnapshot } from './snapshot.js';
import { renderSurface, type SurfaceState } from './surface-template.js';
import type { Texts } from './texts.js';

/** What the element knows and the surface shows. */
export interface SurfaceView {
  texts: Texts;
  locale: string;
  snapshot: ApplicationSnapshot;
  announcement: string;
}

/** How a surface is made. */
export interface SurfaceOptions {
  mode: 'modal' | 'inline';
  title: string;
  /** Whether the user opened it, so that the focus may move: it stays where it is when the page did by itself. */
  takesFocus: boolean;
  /** Ends the opening. */
  signal: AbortSignal;
  report: Omit<ConnectionReport, 'onSlow'> & {
    onChange(): void;
    onCloseRequest(by: 'button' | 'escape'): void;
  };
}

/** One opening of the application on the screen. Ends with its signal. */
export interface Surface {
  readonly mode: 'modal' | 'inline';
  /** The window of the frame. */
  window(): Window | null;
  /** Loads the application. */
  load(url: URL, appearance: Appearance): void;
  /** The connection, once it loads. */
  readonly connection: Connection | undefined;
  render(view: SurfaceView): TemplateResult;
  /** To be called after each rendering. */
  rendered(root: ShadowRoot): void;
  /** Asks the user whether to leave unsaved work. */
  askToLeave(savedAt: string | undefined): Promise<boolean>;
}

const lowestPx = 320;
const highestPx = 8_000;

/** Creates a surface; it shows a skeleton until it is given something to load. */
export function createSurface({ mode, title, takesFocus, signal, report }: SurfaceOptions): Surface {
  const frame = createFrame(title);
  const modal =
    mode === 'modal'
      ? createModalDialog(() => {
          report.onCloseRequest('escape');
        })
      : undefined;
  let connection: Connection | undefined;
  let initialFocus: Element | null | undefined;
  let root: ShadowRoot | undefined;

  const state: SurfaceState = {
    mode,
    frame,
    url: undefined,
    visible: false,
    slow: false,
    question: undefined,
    onClose() {
      report.onCloseRequest('button');
    },
  };

  function change(changes: Partial<SurfaceState>): void {
    if (signal.aborted) return;
    Object.assign(state, changes);
    report.onChange();
  }

  function show(): void {
    if (state.visible) return;
    change({ visible: true });
    // Only from where the opening left it: a user who went on to another control must not be pulled away.
    if (initialFocus && root?.activeElement === initialFocus) frame.focus();
  }

  signal.addEventListener('abort', () => {
    modal?.release();
    state.question?.answer(false);
  });

  return {
    mode,
    window: () => frame.contentWindow,
    load(url, appearance) {
      frame.src = url.href;
      connection = connectFrame({
        frame,
        url,
        appearance,
        signal,
        report: {
          ...report,
          onConnect(info) {
            state.slow = false;
            show();
            report.onConnect(info);
          },
          onPlain() {
            show();
            report.onPlain();
          },
          onSlow() {
            change({ slow: true });
          },
          onMessage(type, payload) {
            if (mode === 'inline' && 'height' in payload) {
              // Through the object model, which a strict style-src allows; clamped, since the number comes from another site.
              frame.style.height = `${String(Math.min(Math.max(payload.height, lowestPx), highestPx))}px`;
            } else if (mode === 'inline' && 'top' in payload) {
              reveal(frame, payload.top);
            }
            report.onMessage(type, payload);
          },
        },
      });
      change({ url });
    },
    get connection() {
      return connection;
    },
    render: (view) => renderSurface(state, view),
    rendered(renderRoot) {
      root = renderRoot;
      const surface = root.querySelector<HTMLElement>('.surface');
      if (modal && surface instanceof HTMLDialogElement) modal.ensureOpen(surface);
      if (initialFocus === undefined) {
        // Inline replaces the button that had the focus; a modal has taken it already.
        if (!modal && takesFocus) surface?.focus();
        initialFocus = root.activeElement;
      }
      const question = root.querySelector<HTMLDialogElement>('.question');
      if (question && !question.open) question.showModal();
    },
    askToLeave(savedAt) {
      return new Promise((resolve) => {
        change({
          question: {
            savedAt,
            answer(leave) {
              resolve(leave);
              root?.querySelector<HTMLDialogElement>('.question')?.close();
              change({ question: undefined });
            },
          },
        });
      });
    },
  };
}

/** Brings a point of the frame into view, unless it is there already: a page that scrolls without need makes people lose their place. */
function reveal(frame: HTMLIFrameElement, topPx: number): void {
  const y = frame.getBoundingClientRect().top + topPx;
  if (y < 0 || y > window.innerHeight * 0.7) window.scrollBy({ top: y - 16, behavior: 'instant' });
}
