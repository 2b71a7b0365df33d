import assert from 'node:assert/strict';
import type { Control, View } from './view.js';

const mostAttempts = 200;

/**
 * Moves the pointer to a link or button and waits until the page receives it there. The driver uses
 * the layout of the pages, the browser the last painted frame; a frame of another site that appears
 * or grows is painted later than it is laid out, on a busy machine by a third of a second. A click
 * in between goes to the page around the frame. Users click on what they see, so this does not
 * happen to them.
 */
export async function aimAt(view: View, control: Control): Promise<void> {
  if (!control.hover) return;
  const aimedAt = view.locator(':is(a, button):hover');
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await control.hover();
    if ((await aimedAt.count()) > 0) return;
  }
  assert.fail('The pointer does not get to the page');
}

/** Clicks a link or button of a page that may just have come. */
export async function press(view: View, control: Control): Promise<void> {
  await aimAt(view, control);
  await control.click();
}
