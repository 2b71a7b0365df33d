import type { Language } from '../../src/contract/index.js';
import type { Camera } from './camera.js';
import { setElementStage, type ElementStage } from './element-stage.js';
import { fill, goTo, send, typed } from './hosted-applicant.js';
import { loadingTexts } from './status-answers.js';
import type { Studio } from './studio.js';

/** What an element looks like, and how it comes to it. */
type Arrangement = (stage: ElementStage) => Promise<void>;

/** The cards in the page. */
const cards: Record<string, Arrangement> = {
  idle: (stage) => stage.visit(),
  'idle-bare': (stage) => stage.visit({ attributes: '' }),
  'idle-many-states': (stage) =>
    stage.visit({ attributes: 'states="AL,AK,AZ,DC,MP,NC,ND,NH,WV,NY" estimated-fee="12345.67"' }),
  async 'idle-focus'(stage) {
    await stage.visit();
    await stage.page.keyboard.press('Tab');
  },
  begun: (stage) => stage.visit({ attributes: 'states="TX,CA" application-id="app_1" status-url="/status/begun"' }),
  async closed(stage) {
    await openAt(stage, 'background');
    await stage.element.locator('[part~=close]').click();
    await stage.seeState('closed');
  },
  unverified: (stage) => showStatus(stage, 'unverified'),
  review: (stage) => showStatus(stage, 'review'),
  'statuses-mixed': (stage) => showStatus(stage, 'mixed'),
  'statuses-approved': (stage) => showStatus(stage, 'approved'),
  'statuses-long': (stage) => showStatus(stage, 'long'),
  async 'redirect-return'(stage) {
    await stage.visit({ attributes: 'id="apply" mode="redirect" states="TX,CA"' });
    await stage.useBridge();
    await stage.press();
    await goTo(stage.page, 'receipt');
    await stage.page.locator('#done').click();
    await stage.element.locator('[part~=status-list]').waitFor();
  },
};

/** The open application. */
const openings: Record<string, Arrangement> = {
  async preparing(stage) {
    await stage.visit({ attributes: 'session-url="/sessions/hangs" states="TX,CA"' });
    await stage.press();
    await stage.element.locator('.waiting').waitFor();
  },
  async connecting(stage) {
    await stage.visit();
    await stage.useAddress(stage.studio.hangingOrigin);
    await stage.press();
    await stage.seeState('connecting');
  },
  slow: (stage) => waitFor(stage, 9_000, '[part~=footer]'),
  active: (stage) => openAt(stage, 'background'),
  'active-start': (stage) => openAt(stage, ''),
  async 'active-profile-errors'(stage) {
    await openAt(stage, 'profile');
    await send(stage.hosted);
  },
  'active-payment': (stage) => openAt(stage, 'payment'),
  'active-receipt': (stage) => openAt(stage, 'receipt'),
  'active-inline': (stage) => openAt(stage, 'background', 'mode="inline" states="TX,CA"'),
  async 'leave-question'(stage) {
    await openAt(stage, 'profile');
    await fill(stage.hosted, { firstName: typed.profile.firstName });
    await stage.element.locator('[part~=close]').click();
    await stage.element.locator('[part~=question]').waitFor();
  },
  async 'expires-soon'(stage) {
    await openAt(stage, 'profile');
    await stage.studio.expireIn(stage.session(), 90);
    await stage.page.frames()[1]?.goto(stage.session().applicationUrl);
    await stage.hosted.locator('#notice:not([hidden])').waitFor();
  },
  async popup(stage) {
    await stage.visit({ attributes: 'mode="popup" states="TX,CA"' });
    await stage.useBridge();
    await stage.press();
    await stage.seeState('active');
  },
  async blocked(stage) {
    await stage.page.addInitScript(() => (window.open = () => null));
    await stage.visit({ attributes: 'mode="popup" states="TX,CA"' });
    await stage.useBridge();
    await stage.press();
    await stage.element.locator('slot[name=blocked]').waitFor();
  },
  async 'loading-slot'(stage) {
    await stage.visit({ content: `<p slot="loading">${loadingTexts[stage.language]}</p>` });
    await stage.useAddress(stage.studio.hangingOrigin);
    await stage.press();
    await stage.seeState('connecting');
  },
};

/** What can go wrong, one of each category and each way on. */
const failures: Record<string, Arrangement> = {
  'error-integration': (stage) => fail(stage, ''),
  'error-frame-blocked': (stage) => fail(stage, '', { policy: "frame-src 'none'", address: 'http://127.0.0.1:1/' }),
  'error-session-failed': (stage) => fail(stage, 'session-url="/sessions/fails"'),
  'error-session-unreadable': (stage) => fail(stage, 'session-url="/sessions/unreadable"'),
  'error-timeout': (stage) => waitFor(stage, 21_000, '[part~=error]'),
  async 'error-offline'(stage) {
    await stage.visit({ attributes: 'session-url="/sessions/hangs" states="TX,CA"' });
    await stage.element.locator('button').hover();
    await stage.page.waitForLoadState('networkidle');
    await stage.page.context().setOffline(true);
    await stage.press();
    await stage.element.locator('[part~=error]').waitFor();
  },
  async 'error-expired'(stage) {
    await stage.visit();
    await stage.useScript('expired');
    await stage.press();
    await stage.seeState('active');
    await stage.hosted.locator('form button').click();
    await stage.element.locator('[part~=error]').waitFor();
  },
};

const arrangements = { ...cards, ...openings, ...failures };

/** Every state of the element on a partner's page. */
export async function shootElementStates(studio: Studio, camera: Camera, language: Language): Promise<void> {
  for (const [subject, arrange] of Object.entries(arrangements)) {
    if (!camera.wants(subject)) continue;
    const stage = await setElementStage(studio, language);
    try {
      await arrange(stage);
      await camera.shoot(stage.page, subject, { language });
    } catch (cause) {
      camera.complain(`${subject}, ${language}: ${String(cause)}`);
    } finally {
      await stage.close();
    }
  }
}

async function showStatus(stage: ElementStage, name: string): Promise<void> {
  await stage.visit({ attributes: `application-id="app_1" status-url="/status/${name}"` });
  await stage.element.locator(name === 'unverified' ? 'h2[tabindex]' : '[part~=status-list]').waitFor();
}

/** The hosted application of the bridge in the element. */
async function openAt(stage: ElementStage, place: string, attributes = 'states="TX,CA"'): Promise<void> {
  await stage.visit({ attributes });
  await stage.useBridge();
  await stage.open();
  await goTo(stage.hosted, place);
}

/** A host that does not answer, so much later. */
async function waitFor(stage: ElementStage, laterMs: number, selector: string): Promise<void> {
  await stage.page.clock.install();
  await stage.visit();
  await stage.useAddress(stage.studio.hangingOrigin);
  await stage.press();
  await stage.seeState('connecting');
  await stage.page.clock.fastForward(laterMs);
  await stage.element.locator(selector).waitFor();
}

async function fail(
  stage: ElementStage,
  attributes: string,
  { policy = '', address }: { policy?: string; address?: string } = {},
): Promise<void> {
  await stage.visit({ attributes: `states="TX,CA" ${attributes}`, policy });
  if (address) await stage.useAddress(address);
  await stage.press();
  await stage.element.locator('[part~=error]').waitFor();
}
