import type { Page } from 'playwright-core';

/** The repeated action. */
export interface Cycles {
  count: number;
  mode: 'modal' | 'inline' | 'popup';
  /** Whether each cycle has a new element. */
  element: 'new' | 'same';
  applicationUrl: string;
  /** Plants a leak that the test must find: a listener that keeps the element of its cycle. */
  isLeaking: boolean;
}

/** Opens and closes the application this number of times, connected each time. */
export async function openAndClose(page: Page, cycles: Cycles): Promise<void> {
  await page.evaluate(async ({ count, mode, element: which, applicationUrl, isLeaking }: Cycles) => {
    const place = document.querySelector('main');
    const used = document.querySelector('licensing-apply');
    let element = which === 'same' ? used : null;
    for (let cycle = 0; cycle < count; cycle += 1) {
      if (!element) {
        element = document.createElement('licensing-apply');
        place?.append(element);
      }
      const current = element;
      Object.assign(current, { mode, applicationUrl });
      const ready = new Promise((resolve) => {
        current.addEventListener('licensing-ready', resolve, { once: true });
      });
      const opened = await current.show();
      if (!opened) throw new Error('It did not open.');
      await ready;
      if (isLeaking) window.addEventListener('message', () => current.state);
      await current.close({ force: true });
      await current.updateComplete;
      if (which === 'same') continue;
      current.remove();
      element = null;
    }
  }, cycles);
}
