import type { Language } from '../../src/contract/index.js';
import { averySample } from '../support/profile-forms.js';
import { completeByKeyboard, type KeyboardValues } from './by-keyboard.js';
import type { Camera } from './camera.js';
import { placeOf, typed } from './hosted-applicant.js';
import { onePixel } from './hosted-pages.js';
import type { Studio } from './studio.js';

const values: KeyboardValues = {
  ...(Object.assign({}, ...Object.values(averySample)) as Record<string, string>),
  homeLicense: 'applying',
  agency: 'agency',
  name: 'Example Insurance Agency',
  fein: '123456789',
  course: 'done',
  provider: 'Example School',
  exam: 'passed',
  taken: 'done',
  vendor: 'Example Prints',
  ssn: '900110004',
  // Two questions are answered with yes.
  misdemeanor: 'yes',
  administrative_proceeding: 'yes',
  'misdemeanor.caseStatus': 'finished',
  'administrative_proceeding.proceeding': 'fined',
  'administrative_proceeding.fine': '1250',
  ssnLastFour: '',
  ...typed.card('4242424242424242'),
  ...typed.signature,
};

/** The documents that these answers require, one per visit of the documents page. */
const papers = ['courtDocument', 'agencyDocument'] as const;

/**
 * Two jobs and the gap between them: the page names the missing months, and does not continue
 * without them.
 */
const employment: readonly KeyboardValues[] = [
  { kind: 'employed', fromMonth: '1', fromYear: '2024', until: 'now' },
  { kind: 'employed', fromMonth: '1', fromYear: '2015', until: 'ended', toMonth: '6', toYear: '2023' },
  { kind: 'unemployed', fromMonth: '7', fromYear: '2023', until: 'ended', toMonth: '12', toYear: '2023' },
].map((entry) => ({ employer: 'Example Bakery', position: 'Baker', city: 'Austin', place: 'Texas', ...entry }));

/**
 * The whole application of a person without a license, for four states, with two answers of yes,
 * documents and a gap between two jobs, by keyboard only: in English on a wide page, in Spanish on
 * a narrow, dark one. A sample has only the first.
 */
export async function shootFirstTimeProducer(studio: Studio, camera: Camera, language: Language): Promise<void> {
  if (!camera.wants('producer', language)) return;
  const page = await studio.openPage();
  const isPhone = language === 'es';
  await page.setViewportSize(isPhone ? { width: 360, height: 640 } : { width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: isPhone ? 'dark' : 'light', reducedMotion: 'reduce' });
  const name = isPhone ? '360-dark' : '1440-light';
  const { applicationUrl } = await studio.createSession({
    userId: `usr_first_time_${language}`,
    states: ['TX', 'CA', 'FL', 'NY'],
  });
  await page.goto(`${applicationUrl}?lang=${language}`);
  // Set for the whole application, because a listener that is added at the key press misses the
  // event.
  page.on('filechooser', (chooser) => {
    void chooser.setFiles({ name: 'order.png', mimeType: 'image/png', buffer: onePixel });
  });
  let entries = 0;
  let documents = 0;
  for (let pages = 0; pages < 90; pages += 1) {
    const place = (await placeOf(page)) || 'start';
    await camera.shootOnce(page, `producer ${String(pages).padStart(2, '0')} ${place}`, name, {
      language,
      isWhole: true,
    });
    if (place === 'receipt') return page.context().close();
    const isEntry = place === 'profile/employment/new';
    const documentKind = papers[documents] ?? 'other';
    await completeByKeyboard(
      page,
      { ...values, documentKind, ...(isEntry ? employment[entries] : {}) },
      {
        isListComplete: place === 'profile/employment' ? entries === employment.length : await hasEntry(),
      },
    );
    if (isEntry) entries += 1;
    if (place === 'background/documents') documents += 1;
  }
  throw new Error('The application does not end.');

  async function hasEntry(): Promise<boolean> {
    return (await page.locator('.entry').count()) > 0;
  }
}
