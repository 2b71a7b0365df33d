import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { playTour } from '../screens/tour-scenes.js';
import { launchChromium } from '../support/chromium.js';
import { setup } from './running-demo.js';

it('the tour plays the story of the demo from the page of the agency to the license of the state, a picture a scene', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tour-'));
  const browser = await launchChromium();
  t.after(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });
  const scenes = await playTour({ place: await setup(t), browser, folder, paceMs: 0 });
  assert.equal(scenes.at(0), '01-partner.png');
  assert.equal(scenes.at(-1), '13-approved.png');
  const pictures = await Promise.all(scenes.map((file) => readFile(join(folder, file), 'base64')));
  assert.equal(new Set(pictures).size, 13, 'each scene shows something else');
});
