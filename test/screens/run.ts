/**
 * `npm run screenshots [group …] [--language en] [--only part-of-a-name]`: takes pictures of every
 * state of the element, every page of the hosted application and the console, in light and dark,
 * narrow and wide, in both languages, into `screenshots/`, with contact sheets. Fails if axe finds a
 * violation, or if a page is wider than its window.
 *
 * `--sample` takes each state once, in one mode, language and look, alternating, for
 * `npm run test:full`. It leaves out `failures` and `readme`, unless they are named.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Language } from '../../src/contract/index.js';
import { createCamera, type Camera } from './camera.js';
import { shootConsolePages } from './console-pages.js';
import { writeContactSheets } from './contact-sheet.js';
import { shootElementFailures } from './element-failures.js';
import { shootElementModes } from './element-modes.js';
import { shootElementStates } from './element-states.js';
import { shootHostedPages } from './hosted-pages.js';
import { shootPreferences } from './preferences.js';
import { shootReadmePictures } from './readme-pictures.js';
import { openStudio, type Studio } from './studio.js';

interface Group {
  shoot(studio: Studio, camera: Camera, language: Language): Promise<void>;
  /** See {@link Camera.middle}. */
  middle: number;
  /** Whether a sample leaves the group out, because others show the same. */
  isLeftOutOfSample?: boolean;
}

const groups: Record<string, Group> = {
  element: { shoot: shootElementStates, middle: 900 },
  modes: { shoot: shootElementModes, middle: 900 },
  failures: { shoot: shootElementFailures, middle: 900, isLeftOutOfSample: true },
  hosted: { shoot: shootHostedPages, middle: 900 },
  console: { shoot: shootConsolePages, middle: 1440 },
  readme: { shoot: shootReadmePictures, middle: 1440, isLeftOutOfSample: true },
  preferences: { shoot: shootPreferences, middle: 900 },
};
const root = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string' },
    only: { type: 'string', default: '' },
    sample: { type: 'boolean', default: false },
  },
});
const languages = (['en', 'es'] as const).filter((each) => (values.language ?? each) === each);

const studio = await openStudio();
const complaints: string[] = [];
let count = 0;
try {
  for (const [name, { shoot, middle, isLeftOutOfSample }] of Object.entries(groups)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    if (values.sample && isLeftOutOfSample && !positionals.includes(name)) continue;
    rmSync(join(root, name), { recursive: true, force: true });
    const camera = createCamera({ root, group: name, only: values.only, isSample: values.sample, middle });
    try {
      for (const language of languages) await shoot(studio, camera, language);
    } catch (cause) {
      // The pictures so far are still useful.
      complaints.push(`${name}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    } finally {
      if (!values.sample) await writeContactSheets(studio.browser, camera);
      console.log(`${name}: ${camera.pictures.length} pictures`);
    }
    count += camera.pictures.length;
    complaints.push(...camera.complaints);
  }
} finally {
  await studio.close();
}
for (const complaint of complaints) console.error(complaint);
console.log(`${count} pictures, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;
