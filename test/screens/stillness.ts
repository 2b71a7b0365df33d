import type { Frame, Page } from 'playwright-core';

const longestMs = 10_000;

/**
 * Resolves once nothing on the page moves any more: its fonts are there, and its documents and
 * frames have the same sizes in two looks that follow each other, with frames drawn in between. A
 * frame that grows with its content has its final height then.
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

/** A frame that is not drawn answers never, and one picture must not keep all others waiting. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`A frame did not answer within ${String(longestMs)} ms.`));
    }, longestMs);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}

/**
 * The sizes of one document, two drawn frames later; those of a frame are also compared with the
 * room that it was given.
 */
async function look(frame: Frame): Promise<string> {
  // Nothing of ours is ever drawn in a frame that waits for its host, or that the host refuses.
  if (frame.parentFrame() && !frame.url().startsWith('http')) return '';
  const own = await frame
    .evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { width: innerWidth, height: innerHeight, scrollWidth, scrollHeight };
    })
    // It went to another page while it was looked at.
    .catch(() => undefined);
  if (!own) return 'moving';
  if (frame.parentFrame()) {
    const element = await frame.frameElement();
    const room = await element.evaluate((node) => {
      const { clientWidth, clientHeight, parentElement } = node as HTMLIFrameElement;
      return { width: clientWidth, height: clientHeight, isInline: parentElement?.closest('.inline') != null };
    });
    const isTooSmall = room.isInline && own.scrollHeight > room.height;
    if (room.width !== own.width || room.height !== own.height || isTooSmall) return 'moving';
  }
  return Object.values(own).join(' ');
}
