/**
 * `npm run bench:console`: one day of an operator, in the console with 500 submitted applications.
 * Counts the pages, clicks and characters of each task, and estimates its time. Takes two to three
 * minutes.
 */
import { launchChromium } from '../support/chromium.js';
import { runDay } from './console/day.js';
import { startFilledConsole } from './console/filled-console.js';
import { reportDay } from './console/report.js';
import { describeMachine } from './machine.js';

const machine = describeMachine();
const filled = await startFilledConsole();
try {
  const browser = await launchChromium();
  const day = await runDay(browser, filled).finally(() => browser.close());
  console.log(`${machine}\n`);
  reportDay(day);
} finally {
  await filled.stop();
}
