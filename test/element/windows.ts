import { html } from '@open-wc/testing';
import type { FakeTimers } from './clock.js';
import { addCleanup, hosted, hostedOrigin, inState, setup, type Stage } from './stage.js';

/** An element that opens the application in a popup. */
export const popupTemplate = html`<licensing-apply mode="popup"></licensing-apply>`;

/** The windows that this page opened during a test. */
export interface Windows {
  readonly opened: Window[];
  /** Blocks the next windows, as many as `count`. */
  block(count: number): void;
  /** Has the hosted page in the last window run one of its functions. */
  command(call: string, ...args: unknown[]): void;
  /** The last window. */
  last(): Window;
}

/**
 * Records the windows that this page opens until the test has ended, and can block them as a
 * browser does.
 */
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
  addCleanup(() => {
    for (const popup of opened) popup.close();
    window.open = original;
  });
  return {
    opened,
    block(count) {
      toBlock = count;
    },
    command(call, ...args) {
      last().postMessage({ call, args }, hostedOrigin);
    },
    last,
  };
}

/**
 * Opens the popup of a host without the messaging protocol, and waits until the element has
 * noticed.
 */
export async function openWithoutProtocol(clock: FakeTimers): Promise<Stage> {
  const stage = await setup({ template: popupTemplate, session: { applicationUrl: hosted('plain.html') } });
  await stage.element.show();
  clock.advance(2_000);
  await inState(stage, 'active');
  return stage;
}
