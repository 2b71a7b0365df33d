import assert from 'node:assert/strict';
import type { Control, View } from './view.js';

const mostAttempts = 200;

/**
 * Moves the pointer to a link or button and waits until the page receives it there. The driver uses
 * the layout of the pages, and the browser the last painted frame. On a busy machine, a new or
 * growing frame of another site is painted up to a third of a second after its layout, and a click
 * meanwhile goes to the page around the frame. Users click on what they see, so this does not
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

/** Clicks a link or button of a page that may have just loaded. */
export async function press(view: View, control: Control): Promise<void> {
  await aimAt(view, control);
  await control.click();
}
