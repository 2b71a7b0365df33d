import type { Language } from '../../src/contract/index.js';
import type { OpenMode } from '../../src/element/index.js';
import type { Camera } from './camera.js';
import { onStage, type ElementStage } from './element-stage.js';
import { fill, fillTopic, goTo, typed, type HostedView } from './hosted-applicant.js';
import { hostedIn, inFrames, inTouch, meetRefusal, shootInModes, waitInVain, type Situation } from './in-modes.js';
import { askedTexts, blockedTexts } from './status-answers.js';
import type { Studio } from './studio.js';

/** The states of an opening in each mode. `element-failures.ts` has the failures. */
const situations: Readonly<Record<string, Situation>> = {
  preparing: {
    modes: inTouch,
    async arrange(stage, attributes) {
      await stage.visit({ attributes: `${attributes} session-url="/sessions/hangs"` });
      await stage.press();
      await stage.element.locator('[part~=body]').waitFor();
    },
  },
  connecting: {
    modes: inTouch,
    async arrange(stage, attributes) {
      await stage.visit({ attributes });
      await stage.useAddress(stage.studio.hangingOrigin);
      await stage.press();
      await stage.seeState('connecting');
    },
  },
  slow: {
    modes: inFrames,
    async arrange(stage, attributes) {
      await waitInVain(stage, attributes, 9_000);
      await stage.element.locator('[part~=footer]').waitFor();
    },
  },
  // Users open another window from the button beside a refused frame.
  'refused-elsewhere': {
    modes: inFrames,
    async arrange(stage, attributes) {
      await meetRefusal(stage, `${attributes} fallback="popup"`);
      await stage.element.locator('[part~=footer] button').click();
      await stage.element.locator('.popup-placeholder').waitFor();
    },
  },
  'fallen-back-blocked': {
    modes: inFrames,
    async arrange(stage, attributes) {
      await stage.page.addInitScript(() => (window.open = () => null));
      await stage.visit({ attributes: `${attributes} fallback="popup"`, policy: "frame-src 'none'" });
      await stage.useBridge();
      await stage.press();
      await stage.element.locator('slot[name=blocked]').waitFor();
    },
  },
  'blocked-slot': {
    modes: ['popup'],
    async arrange(stage, attributes) {
      const content = `<button slot="blocked">${blockedTexts[stage.language]}</button>`;
      await stage.page.addInitScript(() => (window.open = () => null));
      await stage.visit({ attributes, content });
      await stage.useBridge();
      await stage.element.locator('[part~=button]').click();
      await stage.element.locator('slot[name=blocked]').waitFor({ state: 'attached' });
    },
  },
  question: {
    modes: inTouch,
    async arrange(stage, attributes, mode) {
      const hosted = await openAt(stage, attributes, mode, 'identity');
      await fill(hosted, { ssn: typed.identity('900-11-0004').ssn });
      await stage.element.locator('[part~=close]').click();
      await stage.element.locator('[part~=question]').waitFor();
    },
  },
  closed: {
    modes: inTouch,
    async arrange(stage, attributes, mode) {
      await openAt(stage, attributes, mode, 'identity');
      await stage.element.locator('[part~=close]').click();
      await stage.seeState('closed');
    },
  },
  // A side column, at any window width.
  column: {
    modes: ['inline'],
    async arrange(stage, attributes, mode) {
      await openAt(stage, `${attributes} class="column"`, mode, 'profile');
    },
  },
  payment: { modes: inTouch, arrange: at('payment') },
  receipt: { modes: inTouch, arrange: at('receipt') },
  // Every host without the messaging protocol.
  silent: {
    modes: inTouch,
    // The scripted page is plain: it has a landmark without a name, and the browser's default
    // colours, which axe reads as white.
    except: ['landmark-unique', 'color-contrast'],
    async arrange(stage, attributes) {
      await stage.visit({ attributes });
      await stage.useScript('silent');
      await stage.press();
      await stage.seeState('active');
    },
  },
  'broken-down': {
    modes: inFrames,
    async arrange(stage, attributes, mode) {
      const hosted = await openAt(stage, attributes, mode, 'profile');
      await stage.studio.whileBroken(async () => {
        await fillTopic(hosted, 'profile/names');
        await hosted.locator('form button[type=submit]').first().click();
        // The page stays, with its input.
        await hosted.locator('#notice:not([hidden])').waitFor();
      });
    },
  },
  asked: {
    modes: inTouch,
    async arrange(stage, attributes, mode) {
      const hosted = await openAt(stage, attributes, mode, 'receipt');
      await stage.studio.ask(stage.session(), 'CA', askedTexts[stage.language]);
      await hosted.locator('#done').click();
      await stage.element.locator('[part~=status-list]').waitFor();
      await stage.element.locator('[part~=action-button]').waitFor();
    },
  },
  answering: {
    modes: inFrames,
    async arrange(stage, attributes, mode) {
      await situations['asked']?.arrange(stage, attributes, mode);
      await stage.element.locator('[part~=action-button]').click();
      await stage.hosted.locator('textarea').waitFor();
    },
  },
};

/** The results of an opening in each mode, and the window that waits for its session. */
export async function shootElementModes(studio: Studio, camera: Camera, language: Language): Promise<void> {
  await shootInModes(situations, studio, camera, language);
  await onStage(studio, camera, 'window-waiting', language, async (stage) => {
    await stage.visit({ attributes: 'mode="popup" session-url="/sessions/hangs"' });
    await stage.press();
    const popup = await stage.popup();
    await popup.locator('body:not(:empty)').waitFor();
    // The page has only one line, and no language during that time.
    const except = ['html-has-lang', 'landmark-one-main', 'page-has-heading-one', 'region'];
    await camera.shoot(popup, 'window-waiting', { language, except });
  });
}

function at(place: string): Situation['arrange'] {
  return async (stage, attributes, mode) => {
    await openAt(stage, attributes, mode, place);
  };
}

/** The hosted application of the bridge. */
async function openAt(stage: ElementStage, attributes: string, mode: OpenMode, place: string): Promise<HostedView> {
  await stage.visit({ attributes });
  await stage.useBridge();
  await stage.press();
  await stage.seeState('active');
  const hosted = await hostedIn(stage, mode);
  await hosted.locator(`html[lang=${stage.language}] main`).waitFor();
  await goTo(hosted, place);
  return hosted;
}
