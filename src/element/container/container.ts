import type { TemplateResult } from 'lit';
import type { ContainerMode } from '../modes.js';
import { type ContainerState, type ContainerView, renderContainer } from './template.js';

/** The container of the application: a modal, a part of the page, or a popup. */
export interface Container {
  readonly mode: ContainerMode;
  /** Whether the application is in a frame of this page. */
  readonly isFrame: boolean;
  /**
   * Resolves once a URL can be loaded; rejects when the container ends before. Absent for a frame,
   * which can at once.
   */
  readonly opened?: Promise<void>;
  /** Returns the window of the frame or the popup; `null` while the browser blocks it. */
  window(): Window | null;
  /** Loads the application. Calls `onLoad` each time a page, or the browser's error page, has loaded. */
  load(url: URL, onLoad: () => void): void;
  /** Replaces the page with another URL of the same application. */
  replace(url: URL): void;
  /** Updates the URL that the header shows and opens in a new window. */
  setUrl(url: URL): void;
  /** Reveals the page in place of the skeleton. */
  reveal(): void;
  /** Offers a way out: a new window if loading takes long, another try if the page was lost. */
  showNotice(notice: ContainerState['notice']): void;
  /** Sets the height of the frame in CSS pixels. Ignored where the page scrolls by itself. */
  resize(height: number): void;
  /**
   * Brings a point of the page into view, in CSS pixels from its top. Ignored where the page
   * scrolls.
   */
  scrollTo(top: number): void;
  render(view: ContainerView): TemplateResult;
  /** Must be called after each rendering. */
  rendered(root: ShadowRoot): void;
  /** Asks the user whether to leave unsaved input. Resolves with `true` to leave. */
  askToLeave(savedAt: string | undefined): Promise<boolean>;
}

/** The common options of all containers. */
export interface ContainerOptions {
  /** Ends the container. */
  signal: AbortSignal;
  /** Called when it must be rendered again. */
  onChange(): void;
  /** Called when the user asks to close it. */
  onCloseRequest(by: 'button' | 'escape'): void;
  /**
   * Called when the user opens the application in a new window from a frame. Returns whether to open
   * it.
   */
  onOpenInNewWindow(): boolean;
}

/** The rendered part that both kinds of containers share: header, question and live region. */
export interface ContainerFrame extends Pick<Container, 'render' | 'askToLeave' | 'setUrl' | 'reveal' | 'showNotice'> {
  readonly state: Readonly<ContainerState>;
  change(changes: Partial<ContainerState>): void;
  rendered(root: ShadowRoot): void;
}

/** Creates the shared part of a container. */
export function createContainerFrame(
  options: ContainerOptions,
  initial: Pick<ContainerState, 'mode' | 'frame' | 'onShowPopup'>,
): ContainerFrame {
  const { signal } = options;
  let root: ShadowRoot | undefined;
  const state: ContainerState = {
    ...initial,
    onClose() {
      options.onCloseRequest('button');
    },
    // No link: its `href` would show the URL of the application to every script of the page.
    onOpenInNewWindow() {
      if (options.onOpenInNewWindow() && state.url) window.open(state.url, '_blank', 'noreferrer');
    },
  };

  function change(changes: Partial<ContainerState>): void {
    if (signal.aborted) return;
    Object.assign(state, changes);
    options.onChange();
  }

  signal.addEventListener('abort', () => {
    state.question?.answer(false);
  });

  return {
    state,
    change,
    setUrl(url) {
      change({ url });
    },
    reveal() {
      if (!state.isRevealed) change({ isRevealed: true });
    },
    showNotice(notice) {
      if (state.notice !== notice) change({ notice });
    },
    render: (view) => renderContainer(state, view),
    rendered(renderRoot) {
      root = renderRoot;
      const question = root.querySelector<HTMLDialogElement>('.question');
      if (question && !question.open) question.showModal();
    },
    askToLeave(savedAt) {
      const focused = (root?.activeElement ?? state.frame) as HTMLElement | undefined;
      return new Promise((resolve) => {
        change({
          question: {
            savedAt,
            answer(leave) {
              resolve(leave);
              root?.querySelector<HTMLDialogElement>('.question')?.close();
              // Chromium restores the focus of a frame only if a script had focused it, not the
              // user.
              if (!leave) focused?.focus();
              change({ question: undefined });
            },
          },
        });
      });
    },
  };
}
