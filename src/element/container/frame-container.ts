import type { Language } from '../locales/language.js';
import { type Container, type ContainerOptions, createContainerFrame } from './container.js';
import { countHistorySteps } from './history-steps.js';
import { createModalDialog } from './modal-dialog.js';

/** The options of a container with a frame. */
export interface FrameContainerOptions extends ContainerOptions {
  mode: 'modal' | 'inline';
  language(): Language;
  /**
   * Permissions for the frame in addition to the element's own, as in the attribute `allow` of a
   * frame.
   */
  allow: string;
  /** Whether the focus may move into the frame: not when the page opened it without the user. */
  takesFocus: boolean;
}

/**
 * An inline page is revealed in its own height, so that nothing moves. A host may not report it.
 */
const heightTimeoutMs = 300;

const permissions =
  'payment; publickey-credentials-get; publickey-credentials-create; otp-credentials; clipboard-write; storage-access';

/**
 * The frame may not navigate the top level: only the element moves this page. Scripts together with
 * same origin is safe because `validateApplicationUrl` refuses frames of this page's own origin.
 * Popups must escape the sandbox, or wallets and 3-D Secure fail in them.
 */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-storage-access-by-user-activation';

/** Creates a modal or an inline container. It shows a skeleton until a page is revealed. */
export function createFrameContainer(options: FrameContainerOptions): Container {
  const { mode, signal } = options;
  const frame = createFrame(options);
  const shared = createContainerFrame(options, { mode, frame });
  const steps = countHistorySteps();
  let url: URL | undefined;
  let onLoad: (() => void) | undefined;
  /** Whether the frame has the empty document with which it starts, also after a move. */
  let isEmpty = false;
  /** Whether the next document replaces it. */
  let isFromEmpty = true;
  const modal =
    mode === 'modal'
      ? createModalDialog(() => {
          options.onCloseRequest('escape');
        })
      : undefined;
  /**
   * The focused element after opening; `null` once the focus was moved into the frame, or must not
   * be.
   */
  let initialFocus: Element | null | undefined;
  let hasHeight = false;
  let revealTimer: ReturnType<typeof setTimeout> | undefined;

  frame.addEventListener('load', () => {
    const wasEmpty = isFromEmpty;
    // Of the other documents only the partner's return page can be looked into.
    isEmpty = isFromEmpty = frame.contentDocument?.URL === 'about:blank';
    if (!isEmpty) steps.onLoad(wasEmpty);
    if (!frame.contentDocument) onLoad?.();
    if (isEmpty) navigate();
  });

  /**
   * Loads the URL. It lets its holder continue the application, so it must not be where every script
   * and recorder of the page can read it: `src`, which also adds an entry to the resource timing.
   */
  function navigate(): void {
    if (!url) return;
    if (!isEmpty) {
      frame.contentWindow?.location.replace(url.href);
      return;
    }
    isEmpty = false;
    frame.setAttribute('sandbox', sandbox);
    // `location.replace` would send what the referrer policy of this page allows, which can be its
    // path. The empty document has no URL to send, and the link is in no document.
    const link = frame.contentDocument?.createElement('a');
    if (!link) return;
    link.href = url.href;
    link.click();
  }

  shared.change({ onRetry: navigate });

  signal.addEventListener('abort', () => {
    modal?.release();
    steps.takeBack();
    clearTimeout(revealTimer);
  });

  return {
    ...shared,
    mode,
    isFrame: true,
    window: () => frame.contentWindow,
    load(applicationUrl, onPageLoad) {
      url = applicationUrl;
      onLoad = onPageLoad;
      shared.setUrl(url);
      // Otherwise once the frame is in the document, or Firefox reports its empty document.
      if (isEmpty) navigate();
    },
    replace(next) {
      url = next;
      shared.setUrl(url);
      navigate();
    },
    setUrl(next) {
      url = next;
      shared.setUrl(next);
    },
    reveal() {
      if (modal || hasHeight) shared.reveal();
      else revealTimer ??= setTimeout(shared.reveal, heightTimeoutMs);
    },
    resize(height) {
      if (modal) return;
      // Set through the object model, which a strict style-src allows. The style sheet has limits,
      // because the number comes from another site.
      frame.style.height = `${height}px`;
      hasHeight = true;
      if (revealTimer !== undefined) shared.reveal();
    },
    scrollTo(top) {
      // Not before the user did something: a page that opens further down must not move them there.
      if (mode === 'inline' && navigator.userActivation.hasBeenActive) scrollIntoView(frame, top);
    },
    rendered(root) {
      const container = root.querySelector<HTMLDialogElement>('.container');
      if (!container) return;
      modal?.ensureOpen(container);
      if (initialFocus === undefined) {
        // Inline takes the place of the button that had the focus. A modal has the focus already.
        if (!modal && options.takesFocus) container.focus();
        initialFocus = root.activeElement;
      }
      if (shared.state.isRevealed) {
        // Only from where opening left it: a user who moved on must not be pulled back.
        if (initialFocus && root.activeElement === initialFocus) frame.focus();
        initialFocus = null;
      }
      shared.rendered(root);
    },
  };
}

/** Each opening has a new frame: navigating adds steps to the page's Back button. */
function createFrame({ allow, language }: FrameContainerOptions): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.part.add('frame');
  frame.title = language().texts.title;
  frame.allow = [permissions, allow].filter(Boolean).join('; ');
  return frame;
}

/** The distance of a step from the top of the window: below the header of the container. */
const headerPx = 96;

/**
 * Scrolls only if the point is out of view, because scrolling without need loses the user's place.
 */
function scrollIntoView(frame: HTMLIFrameElement, top: number): void {
  const y = frame.getBoundingClientRect().top + top;
  if (y > headerPx && y < innerHeight * 0.7) return;
  // `scrollIntoView` handles pages that scroll in a part of themselves, and their scroll-padding.
  frame.style.scrollMarginTop = `${headerPx - top}px`;
  frame.scrollIntoView({ behavior: 'instant' });
}
