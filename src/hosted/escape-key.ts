/**
 * Calls `onEscape` for an Escape that nobody on the page wanted. Needed because a key that is pressed in a frame never reaches the
 * dialog around it, in any browser.
 */
export function relayEscape(root: HTMLElement, signal: AbortSignal, onEscape: () => void): void {
  const view = root.ownerDocument.defaultView ?? window;

  // On the window and in the bubble phase: whoever handles Escape on the page has been asked before us.
  view.addEventListener('keydown', onKeydown, { signal });

  function onKeydown(event: KeyboardEvent): void {
    // While text is composed, Escape ends the composition.
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    // `:is` forgives what an older browser does not know.
    if (!root.ownerDocument.querySelector(':is(dialog[open], :popover-open)')) onEscape();
  }
}
