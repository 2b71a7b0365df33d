import { hostedOrigin } from './stage.js';

/** The windows that were opened during a test, and the power to block them. */
export interface Windows {
  readonly opened: Window[];
  /** Blocks the next so many windows. */
  block(count: number): void;
  /** Makes the hosted page in the last window do something. */
  command(call: string, ...args: unknown[]): void;
  /** The last window. */
  last(): Window;
  /** Closes what is open and gives the page its own `window.open` back. */
  end(): void;
}

/** Watches and, if told so, blocks the windows that this page opens. */
export function watchWindows(): Windows {
  const original = window.open;
  const opened: Window[] = [];
  let toBlock = 0;
  window.open = (...args) => {
    if (toBlock > 0) {
      toBlock -= 1;
      return null;
    }
    const popup = original.apply(window, args);
    if (popup) opened.push(popup);
    return popup;
  };
  function last(): Window {
    const popup = opened.at(-1);
    if (!popup) throw new Error('No window was opened.');
    return popup;
  }
  return {
    opened,
    block(count) {
      toBlock = count;
    },
    command(call, ...args) {
      last().postMessage({ call, args }, hostedOrigin);
    },
    last,
    end() {
      for (const popup of opened) popup.close();
      window.open = original;
    },
  };
}

/** Makes the waits for the hosted page and for its return pass at once; returns what undoes it. */
export function hurry(...waitsMs: number[]): () => void {
  const original = window.setTimeout;
  const isWait = (delayMs: number) => waitsMs.includes(delayMs);
  window.setTimeout = ((act: () => void, delayMs = 0) =>
    original(act, isWait(delayMs) ? delayMs / 100 : delayMs)) as typeof window.setTimeout;
  return () => (window.setTimeout = original);
}
