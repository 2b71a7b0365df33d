import { type Language, stateCodes } from '../../src/contract/index.js';
import type { Camera } from './camera.js';
import { onStage, type ElementStage } from './element-stage.js';
import { goTo, send } from './hosted-applicant.js';
import { loadingTexts } from './status-answers.js';
import type { Studio } from './studio.js';

/** A state of the element, and the steps to it. */
type Arrangement = (stage: ElementStage) => Promise<void>;

const choice = `choose-states="TX,CA,NV,FL,NY" state-fees='{"TX":50,"CA":188.5,"NV":185,"FL":55,"NY":40}'`;

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
  choice: (stage) => stage.visit({ attributes: `${choice} states="TX,CA"` }),
  'choice-of-all': (stage) => stage.visit({ attributes: `choose-states="${stateCodes.join()}" states="TX"` }),
  async 'choice-missing'(stage) {
    await stage.visit({ attributes: choice });
    await stage.press();
    await stage.element.locator('#choice-note').waitFor();
  },
  async 'choice-other'(stage) {
    await stage.visit({ attributes: `${choice} application-id="app_1" status-url="/status/begun"` });
    await stage.element.locator('input').first().click();
    await stage.element.locator('#choice-note').waitFor();
  },
  async 'choice-more'(stage) {
    await showStatus(stage, 'review', choice);
    await stage.element.locator('summary').click();
    await stage.element.locator('input').first().click();
  },
  'choice-more-closed': (stage) => showStatus(stage, 'approved', choice),
  begun: (stage) => stage.visit({ attributes: 'states="TX,CA" application-id="app_1" status-url="/status/begun"' }),
  unverified: (stage) => showStatus(stage, 'unverified'),
  review: (stage) => showStatus(stage, 'review'),
  'statuses-mixed': (stage) => showStatus(stage, 'mixed'),
  'statuses-approved': (stage) => showStatus(stage, 'approved'),
  'statuses-long': (stage) => showStatus(stage, 'long'),
  async 'redirect-return'(stage) {
    await stage.visit({ attributes: 'id="apply" mode="redirect" states="TX,CA"' });
    await stage.useBridge();
    await stage.press();
    // In its language, because the first page redirects to the language of the partner's page.
    await stage.page.locator(`html[lang=${stage.language}] .masthead`).waitFor();
    await goTo(stage.page, 'receipt');
    await stage.page.locator('#done').click();
    await stage.element.locator('[part~=status-list]').waitFor();
  },
};

/** The open application. `element-modes.ts` has the differences by mode. */
const openings: Record<string, Arrangement> = {
  active: (stage) => stage.openAt('background'),
  'active-start': (stage) => stage.openAt(''),
  async 'active-profile-errors'(stage) {
    await stage.openAt('profile');
    await send(stage.hosted);
  },
  'active-inline': (stage) => stage.openAt('background', { attributes: 'mode="inline" states="TX,CA"' }),
  async 'expires-soon'(stage) {
    await stage.openAt('profile');
    await stage.studio.expireIn(stage.session(), 90);
    await stage.page.frames()[1]?.goto(stage.session().applicationUrl);
    await stage.hosted.locator('#notice:not([hidden])').waitFor();
  },
  async 'loading-slot'(stage) {
    await stage.visit({ content: `<p slot="loading">${loadingTexts[stage.language]}</p>` });
    await stage.useAddress(stage.studio.hangingOrigin);
    await stage.press();
    await stage.seeState('connecting');
  },
};

const arrangements = { ...cards, ...openings };

/** Every state of the element on a partner's page. */
export async function shootElementStates(studio: Studio, camera: Camera, language: Language): Promise<void> {
  for (const [subject, arrange] of Object.entries(arrangements)) {
    await onStage(studio, camera, subject, language, async (stage) => {
      await arrange(stage);
      await camera.shoot(stage.page, subject, { language });
    });
  }
}

async function showStatus(stage: ElementStage, name: string, attributes = ''): Promise<void> {
  await stage.visit({
    attributes: `${attributes} application-id="app_1" status-url="/status/${name}?language=${stage.language}"`,
  });
  await stage.element.locator(name === 'unverified' ? 'h2[tabindex]' : '[part~=status-list]').waitFor();
}
