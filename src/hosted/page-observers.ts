/*
 * Observers of the hosted page, which need no change of its forms and scripts. Each function stops
 * when its signal aborts.
 */

const mostPixels = 50_000;

/**
 * Calls `onHeight` with the height of the content in whole CSS pixels, now and whenever it changes.
 */
export function observeHeight(root: HTMLElement, signal: AbortSignal, onHeight: (height: number) => void): void {
  const view = viewOf(root);
  let lastHeight = -1;
  // The callback comes once for the start of the observation too.
  const observer = new ResizeObserver(() => {
    // From the top of the document to the end of the content: `scrollHeight` would never fall below
    // the height of the frame.
    const height = Math.min(mostPixels, Math.max(0, Math.ceil(root.getBoundingClientRect().bottom + view.scrollY)));
    if (height === lastHeight) return;
    lastHeight = height;
    onHeight(height);
  });
  observer.observe(root);
  signal.addEventListener('abort', () => {
    observer.disconnect();
  });
}

/**
 * Calls `onEscape` for an Escape that the page itself did not use. Needed because a key that is
 * pressed in a frame never reaches the dialog around it, in any browser.
 */
export function relayEscape(root: HTMLElement, signal: AbortSignal, onEscape: () => void): void {
  // On the window and in the bubble phase: every handler of the page has run before.
  viewOf(root).addEventListener('keydown', onKeydown, { signal });

  function onKeydown(event: KeyboardEvent): void {
    // While text is composed, Escape ends the composition.
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    // `:is` ignores a selector that an older browser does not support.
    if (!root.ownerDocument.querySelector(':is(dialog[open], :popover-open)')) onEscape();
  }
}

/**
 * Restores the focus of a control after something over the frame took it, such as the question
 * whether to leave. Chromium gives it back to the frame as a whole, so a user who types would have
 * to find the place again.
 */
export function returnLostFocus(root: HTMLElement, signal: AbortSignal): void {
  const { ownerDocument } = root;
  const view = viewOf(root);
  let left: HTMLElement | undefined;
  let lost: HTMLElement | undefined;

  root.addEventListener('focusout', onFocusOut, { signal });
  view.addEventListener('blur', onWindowBlur, { signal });
  view.addEventListener('focus', onWindowFocus, { signal });

  function onFocusOut({ target }: FocusEvent): void {
    left = target instanceof HTMLElement ? target : undefined;
    // A user who clicks beside a control leaves it on purpose: only the focus that the window loses
    // at the same time was taken.
    setTimeout(() => {
      left = undefined;
    });
  }

  function onWindowBlur(): void {
    // In the other cases, such as a user who switches to another window, the control stays the
    // active one and browsers restore it.
    lost = hasNoFocus() ? left : undefined;
  }

  function onWindowFocus(): void {
    if (hasNoFocus()) lost?.focus({ preventScroll: true });
    lost = undefined;
  }

  function hasNoFocus(): boolean {
    return ownerDocument.activeElement === ownerDocument.body;
  }
}

/** Called when the input of the forms changes. */
export interface FormObserver {
  /** Called with whether a form holds input that would be lost. */
  onDirty(dirty: boolean): void;
  /** Called when a form is sent. Its input is safe only once the server has it. */
  onSend(): void;
}

/**
 * Watches the forms for input that would be lost. It notices only that there was input: no value,
 * name or length is read.
 */
export function trackForms(root: HTMLElement, signal: AbortSignal, { onDirty, onSend }: FormObserver): void {
  const view = viewOf(root);
  const isWatched = (event: Event) =>
    !event.defaultPrevented && event.target instanceof Node && root.contains(event.target);
  let isSent = false;

  root.addEventListener('input', onInput, { signal });
  // On the window: a listener of the page that prevents the submission has run before.
  view.addEventListener('submit', onSubmit, { signal });
  view.addEventListener('reset', onReset, { signal });
  view.addEventListener('pageshow', onPageShow, { signal });

  function onInput(event: Event): void {
    // The value of a control outside of any form is never saved.
    if (!(event.target as Partial<HTMLInputElement>).form) return;
    isSent = false;
    onDirty(true);
  }

  function onSubmit(event: Event): void {
    if (!isWatched(event)) return;
    isSent = true;
    onSend();
  }

  function onReset(event: Event): void {
    if (isWatched(event)) onDirty(false);
  }

  function onPageShow({ persisted }: PageTransitionEvent): void {
    // The answer to what was sent had replaced this page.
    if (persisted && isSent) onDirty(false);
  }
}

/**
 * Returns a function that switches the browser's question before the page is left. A page that
 * listens without need may be kept out of the back/forward cache.
 */
export function createUnloadQuestion(root: HTMLElement, signal: AbortSignal): (isAsking: boolean) => void {
  const view = viewOf(root);
  const ask = (event: Event) => {
    event.preventDefault();
  };
  return function setAsking(isAsking) {
    if (isAsking) view.addEventListener('beforeunload', ask, { signal });
    else view.removeEventListener('beforeunload', ask);
  };
}

function viewOf({ ownerDocument }: HTMLElement): Window {
  return ownerDocument.defaultView ?? window;
}
