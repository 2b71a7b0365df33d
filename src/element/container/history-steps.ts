/** The steps that the pages in a frame add to the Back button of the page. */
export interface HistorySteps {
  /** Must be called when a page has loaded in the frame. `isFirst`: in place of the empty document. */
  onLoad(isFirst: boolean): void;
  /**
   * Takes the steps back, once the frame was removed: otherwise the Back button does nothing as often.
   * Firefox does it by itself.
   */
  takeBack(): void;
}

/**
 * The time in which the page may start to leave, such as from a listener of `licensing-close`: a step
 * back cancels a navigation that has begun.
 */
const delayMs = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Counts the steps of one frame. Call it before the frame is in the document. */
export function countHistorySteps(): HistorySteps {
  // A frame of another opening would be moved by the steps.
  clearTimeout(timer);
  const { href } = location;
  const before = history.length;
  let steps = 0;
  let isKnown = true;

  return {
    onLoad(isFirst) {
      const added = history.length - before - steps;
      // After a step back in the frame, or at the limit of 50, the length does not show the position.
      // WebKit counts the step from the empty document, too.
      if (added !== 1 && !(isFirst && added === 0)) isKnown = false;
      steps += added;
    },
    takeBack() {
      if (!isKnown || steps < 1) return;
      const ended = new AbortController();
      timer = setTimeout(() => {
        ended.abort();
        // Not if the page has moved by itself: from there the steps would lead elsewhere.
        if (location.href === href && history.length === before + steps) history.go(-steps);
      }, delayMs);
      const stay = () => {
        clearTimeout(timer);
      };
      addEventListener('beforeunload', stay, { once: true, signal: ended.signal });
    },
  };
}
