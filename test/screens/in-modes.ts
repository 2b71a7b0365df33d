import type { Language } from '../../src/contract/index.js';
import type { OpenMode } from '../../src/element/index.js';
import type { Camera } from './camera.js';
import { onStage, type ElementStage } from './element-stage.js';
import type { HostedView } from './hosted-applicant.js';
import type { Studio } from './studio.js';

/** A situation that occurs in several modes. */
export interface Situation {
  modes: readonly OpenMode[];
  /** See {@link Pose.except}. */
  except?: readonly string[];
  /** Creates the situation, in an element with these attributes. */
  arrange(stage: ElementStage, attributes: string, mode: OpenMode): Promise<void>;
}

export const everyMode = ['modal', 'inline', 'popup', 'redirect'] as const;
export const inFrames = ['modal', 'inline'] as const;
/** The modes in which the hosted application can send messages to the element. */
export const inTouch = ['modal', 'inline', 'popup'] as const;

/** Takes each situation in each of its modes; see {@link Camera.variantsOf}. */
export async function shootInModes(
  situations: Readonly<Record<string, Situation>>,
  studio: Studio,
  camera: Camera,
  language: Language,
): Promise<void> {
  for (const [name, { modes, arrange, except = [] }] of Object.entries(situations)) {
    for (const mode of camera.variantsOf(name, modes)) {
      const subject = `${name}-${mode}`;
      await onStage(studio, camera, subject, language, async (stage) => {
        await arrange(stage, `id="apply" mode="${mode}" states="TX,CA"`, mode);
        await camera.shoot(stage.page, subject, { language, except });
      });
    }
  }
}

/** The hosted application, in any mode. */
export async function hostedIn(stage: ElementStage, mode: OpenMode): Promise<HostedView> {
  return mode === 'popup' ? stage.popup() : mode === 'redirect' ? stage.page : stage.hosted;
}

/** Opens a host that accepts connections and never answers, and takes the picture after a delay. */
export async function waitInVain(stage: ElementStage, attributes: string, laterMs: number): Promise<void> {
  await stage.page.clock.install();
  await stage.visit({ attributes });
  await stage.useAddress(stage.studio.hangingOrigin);
  await stage.press();
  await stage.seeState('connecting');
  await stage.page.clock.fastForward(laterMs);
}

/** Opens a host that refuses to be framed by this page. */
export async function meetRefusal(stage: ElementStage, attributes: string): Promise<void> {
  await stage.page.clock.install();
  await stage.visit({ attributes });
  // The bridge does not know which page may frame an unknown link, so none may.
  await stage.useAddress(`${stage.studio.bridge.applyUrl}/s/unknown`);
  await stage.press();
  // A refused frame fires its load event too, and resembles a host without the messaging protocol.
  await stage.seeState('active');
  await stage.page.clock.fastForward(9_000);
  await stage.element.locator('[part~=footer]').waitFor();
}
