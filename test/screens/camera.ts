import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import { findViolations } from '../support/axe.js';
import { standStill } from './wait-until-still.js';

const laptop = { width: 1440, height: 900 };
const phone = { width: 360, height: 640 };
const languages: readonly Language[] = ['en', 'es'];

/** The themes and widths of every picture. */
const looks = [
  { size: laptop, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark' },
  { size: laptop, colorScheme: 'dark' },
  { size: phone, colorScheme: 'light' },
] as const;

/** The options of a picture. */
export interface Pose {
  /** The language on the page. Default: `en`. */
  language?: Language;
  /** The whole page instead of the window. */
  isWhole?: boolean;
  /** The known findings of axe for a page of another site, by rule id. */
  except?: readonly string[];
}

/** One picture. */
export interface Picture {
  /** The pictures, in order. */
  subject: string;
  /** The file's name in the folder of its group. */
  file: string;
  width: number;
  height: number;
}

/** The options of a camera. */
export interface CameraOptions extends Pick<Camera, 'group' | 'middle'> {
  /** The folder, with a subfolder for each group. */
  root: string;
  /** A part of the names of the wanted subjects. */
  only: string;
  /** Takes each subject in one language and look, alternating, instead of all. */
  isSample: boolean;
}

/** Takes the pictures of one group, and checks each with axe. */
export interface Camera {
  readonly group: string;
  /** The width of the middle of a wide page that the contact sheet shows, in pixels. */
  readonly middle: number;
  readonly folder: string;
  readonly pictures: readonly Picture[];
  /** The findings of axe, one line each. */
  readonly complaints: readonly string[];
  /** Whether a subject is requested in this language; others are not set up. */
  wants(subject: string, language: Language): boolean;
  /** All variants of a situation, such as its modes; in a sample one of them, alternating. */
  variantsOf<Variant>(situation: string, variants: readonly Variant[]): readonly Variant[];
  /** Records an error before a picture could be taken. */
  complain(what: string): void;
  /** Takes both widths in light and dark; in a sample one of these four. */
  shoot(page: Page, subject: string, pose?: Pose): Promise<void>;
  /** Takes one picture of the current page. */
  shootOnce(page: Page, subject: string, name: string, pose?: Pose): Promise<void>;
}

/** Sets up a camera. */
export function createCamera({ root, group, only, isSample, middle }: CameraOptions): Camera {
  const folder = join(root, group);
  mkdirSync(folder, { recursive: true });
  const pictures: Picture[] = [];
  const complaints: string[] = [];

  const subjects: string[] = [];
  const situations: string[] = [];
  let turn = 0;

  function wants(subject: string, language: Language): boolean {
    if (!subject.includes(only)) return false;
    if (!isSample) return true;
    if (!subjects.includes(subject)) subjects.push(subject);
    return languages[subjects.indexOf(subject) % languages.length] === language;
  }

  function variantsOf<Variant>(situation: string, variants: readonly Variant[]): readonly Variant[] {
    if (!isSample) return variants;
    if (!situations.includes(situation)) situations.push(situation);
    const turn = situations.indexOf(situation) % variants.length;
    return variants.slice(turn, turn + 1);
  }

  function nextLooks(): readonly (typeof looks)[number][] {
    if (!isSample) return looks;
    turn += 1;
    return looks.slice(turn % looks.length).slice(0, 1);
  }

  async function shootOnce(page: Page, subject: string, name: string, pose: Pose = {}): Promise<void> {
    if (!subject.includes(only)) return;
    const { language = 'en', isWhole = false, except = [] } = pose;
    const titled = `${subject}, ${language}`;
    const file = `${subject}-${language}-${name}.png`.replaceAll(/[^\w.-]+/g, '-');
    const { width = 0, height: visible = 0 } = page.viewportSize() ?? {};
    await standStill(page);
    await page.screenshot({ path: join(folder, file), fullPage: isWhole, animations: 'disabled' });
    const height = isWhole ? await page.evaluate(() => document.documentElement.scrollHeight) : visible;
    pictures.push({ subject: titled, file, width, height });
    for (const found of await findViolations(page, { except })) complaints.push(`${group}/${file}: ${found}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) complaints.push(`${group}/${file}: ${overflow} pixels wider than the window`);
  }

  return {
    group,
    middle,
    folder,
    pictures,
    complaints,
    complain(what) {
      complaints.push(`${group}: ${what}`);
    },
    wants,
    variantsOf,
    shootOnce,
    async shoot(page, subject, pose) {
      if (!subject.includes(only)) return;
      for (const { size, colorScheme } of nextLooks()) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await shootOnce(page, subject, `${size.width}-${colorScheme}`, pose);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(laptop);
    },
  };
}
