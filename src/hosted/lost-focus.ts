/**
 * Gives the focus back to the control that lost it to something over the frame, such as the question whether to leave. Chromium takes it
 * from what is in a frame that becomes inert, and gives it back to the frame as a whole: who types would have to look for the place.
 */
export function returnLostFocus(root: HTMLElement, signal: AbortSignal): void {
  const { ownerDocument } = root;
  const view = ownerDocument.defaultView ?? window;
  let left: HTMLElement | undefined;
  let lost: HTMLElement | undefined;

  root.addEventListener('focusout', onFocusOut, { signal });
  view.addEventListener('blur', onWindowBlur, { signal });
  view.addEventListener('focus', onWindowFocus, { signal });

  function onFocusOut({ target }: FocusEvent): void {
    left = target instanceof HTMLElement ? target : undefined;
    // Whoever clicks beside a control leaves it on purpose: only what the window loses in the same moment was taken.
    setTimeout(() => {
      left = undefined;
    });
  }

  function onWindowBlur(): void {
    // Elsewhere, as in a window that is left for another one, the control stays the active one, and browsers see to it themselves.
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
