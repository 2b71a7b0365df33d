import type { Page } from 'playwright-core';
import type { Language } from '../../src/contract/index.js';
import type { Camera } from './camera.js';
import { onStage, type ElementStage } from './element-stage.js';
import { send } from './hosted-applicant.js';
import type { Studio } from './studio.js';

/** A selection of pages: a card, statuses, the open application, a question, a failure. */
const places: Record<string, (stage: ElementStage, direction: 'ltr' | 'rtl') => Promise<void>> = {
  idle: (stage, direction) => stage.visit({ direction }),
  statuses: async (stage, direction) => {
    await stage.visit({
      direction,
      attributes: `application-id="app_1" status-url="/status/mixed?language=${stage.language}"`,
    });
    await stage.element.locator('[part~=status-list]').waitFor();
  },
  failure: async (stage, direction) => {
    await stage.visit({ direction, attributes: 'session-url="/sessions/fails"' });
    await stage.press();
    await stage.element.locator('[part~=error]').waitFor();
  },
  background: (stage, direction) => stage.openAt('background', { direction }),
  payment: (stage, direction) => stage.openAt('payment', { direction }),
  review: (stage, direction) => stage.openAt('review', { direction }),
  receipt: (stage, direction) => stage.openAt('receipt', { direction }),
  errors: async (stage, direction) => {
    await stage.openAt('profile', { direction });
    await send(stage.hosted);
  },
  question: async (stage, direction) => {
    await stage.openAt('profile', { direction });
    await stage.hosted.locator('#firstName').fill('Avery');
    await stage.element.locator('[part~=close]').click();
    await stage.element.locator('[part~=question]').waitFor();
  },
};

/** Forced colours, 200 % zoom of a common laptop, the narrowest phone, and right to left. */
export async function shootPreferences(studio: Studio, camera: Camera, language: Language): Promise<void> {
  for (const [subject, arrange] of Object.entries(places)) {
    // The hosted application has no right-to-left language, so its own language is enough.
    const directions = language === 'en' ? (['ltr', 'rtl'] as const) : (['ltr'] as const);
    for (const direction of directions) {
      await onStage(studio, camera, subject, language, async (stage) => {
        await arrange(stage, direction);
        if (direction === 'rtl') await camera.shoot(stage.page, `${subject} rtl`, { language });
        else await shootLeftToRight(stage.page, camera, subject, language);
      });
    }
  }
}

/** Each with the media of the page and, for a zoomed or narrow window, its size in CSS pixels. */
const preferences: readonly { name: string; dress(page: Page): Promise<void>; except?: readonly string[] }[] = [
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    name: `forced-colors-${colorScheme}`,
    dress: (page: Page) => page.emulateMedia({ colorScheme, forcedColors: 'active' }),
    // Chromium reports the page's own colours instead of the forced ones.
    except: ['color-contrast', 'link-in-text-block'],
  })),
  // A window of 1440 by 900 at 200 % has half the CSS pixels.
  { name: 'zoom-200', dress: (page) => page.setViewportSize({ width: 720, height: 450 }) },
  { name: 'narrowest', dress: (page) => page.setViewportSize({ width: 320, height: 568 }) },
];

async function shootLeftToRight(page: Page, camera: Camera, subject: string, language: Language): Promise<void> {
  for (const { name, dress, except = [] } of camera.variantsOf(subject, preferences)) {
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await dress(page);
    await camera.shootOnce(page, subject, name, { language, except });
  }
}
