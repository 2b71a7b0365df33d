/**
 * `npm run demo:tour`: plays the whole story of the demo in a visible browser, from the partner's
 * page over the hosted application and the operator's console back to the partner's page, and writes
 * a picture of each scene to `screenshots/tour/`. With ffmpeg it also writes the film `tour.webp`.
 *
 * `--pace MS`: how long a scene stays. Default: 2500. `--headless`: without a window, which is the
 * default on a machine without a screen.
 */
import { parseArgs } from 'node:util';
import { findDemoPlace } from '../demo/running-demo.js';
import { launchChromium } from '../support/chromium.js';
import { makeFilm } from './film.js';
import { withScreenFont } from './screen-font.js';
import { playTour } from './tour-scenes.js';

const { values } = parseArgs({
  options: {
    pace: { type: 'string', default: '2500' },
    headless: { type: 'boolean', default: process.platform === 'linux' && process.env['DISPLAY'] === undefined },
  },
});

const folder = 'screenshots/tour';
const place = await findDemoPlace();
// Of two steps of the driver one can see each: a field that is filled in, a button that is pressed.
const slowMo = values.headless ? 0 : 60;
const browser = await launchChromium({ headless: values.headless, slowMo, env: withScreenFont() });
try {
  const scenes = await playTour({ place, browser, folder, paceMs: Number(values.pace) });
  console.log(`${scenes.length} pictures in ${folder}`);
  console.log(makeFilm(folder) ?? 'No film: ffmpeg is not installed.');
} finally {
  await browser.close();
  await place.clear();
}
