import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startScriptedPage, type Scenario, type ScriptedPageServer } from 'licensing-apply/testing';
import type { Language, Session } from '../../src/contract/index.js';
import type { ErrorCode, LicensingApply } from '../../src/element/index.js';
import type { Camera } from './camera.js';
import type { ElementPage } from './element-site.js';
import { foreignHostUrl, type ForeignHost, serveForeignHost } from './foreign-host.js';
import { goTo } from './hosted-applicant.js';
import type { Studio } from './studio.js';

const defaultAttributes = 'states="TX,CA" estimated-fee="151.2"';

/** One element on a page, with functions that change its state. */
export interface ElementStage {
  studio: Studio;
  page: Page;
  element: Locator;
  hosted: FrameLocator;
  language: Language;
  /** The last session that the bridge created for it. */
  session(): Session;
  /** Opens the page. */
  visit(page?: Partial<ElementPage>): Promise<void>;
  /** Uses sessions of the bridge. Also shows the fee and the states of a session. */
  useBridge(): Promise<void>;
  /** Uses sessions with this URL. An expired session is not renewed. */
  useAddress(applicationUrl: string): Promise<void>;
  /** Uses sessions of a scripted page. */
  useScript(scenario: Scenario): Promise<void>;
  /** Uses sessions of another host. */
  useForeignHost(host: ForeignHost): Promise<void>;
  /** Presses the first button of the element. */
  press(): Promise<void>;
  /** Opens the hosted application of the bridge, and goes to a place in it. */
  openAt(place: string, page?: Partial<ElementPage>): Promise<void>;
  seeState(state: string): Promise<void>;
  /** Waits until the page has received this error. */
  seeError(code: ErrorCode): Promise<void>;
  /** The popup, when it is open. */
  popup(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Runs an action on an empty stage, if its subject is requested. A failure is a complaint, so that
 * the other pictures are taken.
 */
export async function onStage(
  studio: Studio,
  camera: Camera,
  subject: string,
  language: Language,
  act: (stage: ElementStage) => Promise<void>,
): Promise<void> {
  if (!camera.wants(subject, language)) return;
  const stage = await setElementStage(studio, language);
  try {
    await act(stage);
  } catch (cause) {
    camera.complain(`${subject}, ${language}: ${String(cause)}`);
  } finally {
    await stage.close();
  }
}

async function setElementStage(studio: Studio, language: Language): Promise<ElementStage> {
  const page = await studio.openPage();
  const element = page.locator('licensing-apply');
  const hosted = page.frameLocator('licensing-apply iframe');
  let session: Session | undefined;
  let script: ScriptedPageServer | undefined;
  await page.addInitScript(() => {
    addEventListener('licensing-error', ({ code }) => (document.documentElement.dataset['error'] = code));
  });
  await page.exposeFunction('createSession', async (returnState: string) => {
    const returnUrl = `${page.url()}&state=${returnState}`;
    session = await studio.createSession({ returnUrl });
    const statusUrl = `/status/bridge?applicationId=${session.applicationId}`;
    return { ...session, returnState, states: ['TX', 'CA'], statusUrl };
  });

  await page.route('**/status/bridge?*', async (route) => {
    const applicationId = new URL(route.request().url()).searchParams.get('applicationId');
    const { body } = await studio.bridge.call('GET', `/v1/applications/${String(applicationId)}`);
    await route.fulfill({ json: body });
  });

  async function visit({ attributes = defaultAttributes, ...rest }: Partial<ElementPage> = {}): Promise<void> {
    await page.goto(studio.site.url({ language, attributes, ...rest }));
    await page.waitForFunction(() => document.querySelector('licensing-apply:defined')?.shadowRoot?.firstElementChild);
  }

  async function useBridge(): Promise<void> {
    await element.evaluate((target) => {
      (target as LicensingApply).sessionProvider = ({ returnState }) => createSession(returnState);
    });
  }

  async function useAddress(applicationUrl: string): Promise<void> {
    await element.evaluate((target, address) => {
      (target as LicensingApply).sessionProvider = ({ reason }) => {
        if (reason === 'expired') throw new Error('It is not renewed.');
        return { applicationUrl: address, applicationId: 'app_1' };
      };
    }, applicationUrl);
  }

  async function press(): Promise<void> {
    await element.locator('button').first().click();
  }

  async function seeState(state: string): Promise<void> {
    await page.waitForFunction((wanted) => document.querySelector('licensing-apply')?.state === wanted, state);
  }

  return {
    studio,
    page,
    element,
    hosted,
    language,
    session() {
      if (!session) throw new Error('There is no session yet.');
      return session;
    },
    visit,
    useBridge,
    useAddress,
    async useScript(scenario) {
      script = await startScriptedPage({ allowedOrigins: [studio.site.origin] });
      await useAddress(script.url({ scenario }));
    },
    async useForeignHost(host) {
      await serveForeignHost(page.context(), host, { language, origin: studio.site.origin });
      await useAddress(foreignHostUrl);
    },
    press,
    async openAt(place, page) {
      await visit(page);
      await useBridge();
      await press();
      await seeState('active');
      await hosted.locator(`html[lang=${language}] main`).waitFor();
      await goTo(hosted, place);
    },
    seeState,
    async seeError(code) {
      await page.locator(`html[data-error=${code}]`).waitFor({ state: 'attached' });
    },
    async popup() {
      const isThere = () => page.context().pages()[1];
      return isThere() ?? page.context().waitForEvent('page');
    },
    async close() {
      await page.context().close();
      await script?.close();
    },
  };
}

declare global {
  interface WindowEventMap {
    'licensing-error': Event & { code: string };
  }
  var createSession: (returnState: string) => Promise<Session>;
}
