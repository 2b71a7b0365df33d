/**
 * Calls `onDirty` with whether a form holds input that would be lost. Only that something was typed is noticed: no value, name or
 * length is read.
 */
export function trackForms(root: HTMLElement, signal: AbortSignal, onDirty: (dirty: boolean) => void): void {
  const view = root.ownerDocument.defaultView ?? window;
  const isWatched = ({ target }: Event) => target instanceof Node && root.contains(target);

  root.addEventListener('input', onInput, { signal });
  // On the window: a listener of the page that prevents the submission has run before us.
  view.addEventListener('submit', onEnd, { signal });
  view.addEventListener('reset', onEnd, { signal });

  function onInput(event: Event): void {
    // A control outside of any form is not something that gets saved.
    if ((event.target as Partial<HTMLInputElement>).form) onDirty(true);
  }

  function onEnd(event: Event): void {
    if (!event.defaultPrevented && isWatched(event)) onDirty(false);
  }
}
