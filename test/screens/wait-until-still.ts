import type { Frame, Page } from 'playwright-core';

const longestMs = 10_000;

/**
 * Resolves when nothing on the page moves: its fonts are loaded, and its documents and frames have
 * the same sizes in two consecutive measurements, with painted frames between them. A frame that
 * grows with its content then has its final height.
 */
export async function standStill(page: Page): Promise<void> {
  const until = Date.now() + longestMs;
  let before = '';
  for (;;) {
    const looks = await inTime(Promise.all(page.frames().map(look)));
    const now = looks.join(' | ');
    if (now === before && !looks.includes('moving')) return;
    if (Date.now() > until) throw new Error(`The page does not stand still: ${before}, then ${now}.`);
    before = now;
  }
}

/** A frame that is not painted never answers, and must not delay all other pictures. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`A frame did not answer within ${longestMs} ms.`));
    }, longestMs);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}

/**
 * The sizes of one document after two painted frames. For a frame, also compared with the size of
 * its element.
 */
async function look(frame: Frame): Promise<string> {
  // Nothing is painted in a frame that waits for its host, or that the host refuses.
  if (frame.parentFrame() && !frame.url().startsWith('http')) return '';
  const own = await frame
    .evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { width: innerWidth, height: innerHeight, scrollWidth, scrollHeight };
    })
    // The page navigated during the measurement.
    .catch(() => undefined);
  if (!own) return 'moving';
  if (frame.parentFrame()) {
    const element = await frame.frameElement();
    const frameArea = await element.evaluate((node) => {
      const { clientWidth, clientHeight, parentElement } = node as HTMLIFrameElement;
      return { width: clientWidth, height: clientHeight, isInline: parentElement?.closest('.inline') != null };
    });
    const isTooSmall = frameArea.isInline && own.scrollHeight > frameArea.height;
    if (frameArea.width !== own.width || frameArea.height !== own.height || isTooSmall) return 'moving';
  }
  return Object.values(own).join(' ');
}
