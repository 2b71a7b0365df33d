import type { LicensingApply } from '../../src/element/index.js';
import { hosted, part, record, type Stage } from './stage.js';

/** A page of its own, whose element gets most of its code only when the test says so. */
export interface HeldStage extends Stage {
  page: Window & typeof globalThis;
  /** Whether the element asked for it. */
  isAsked(): boolean;
  arrive(): void;
  fail(): void;
}

/** Loads such a page. {@link letGo} takes it away. */
export async function held(): Promise<HeldStage> {
  const frame = document.createElement('iframe');
  frame.src = new URL('./fixtures/held-application.html', import.meta.url).href;
  document.body.append(frame);
  frames.push(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const page = frame.contentWindow as HeldStage['page'];
  const element = page.document.querySelector<LicensingApply>('licensing-apply')!;
  let asked = false;
  let arrive = () => {};
  let fail = () => {};
  const code = new Promise<void>((resolve, reject) => {
    arrive = resolve;
    fail = () => {
      reject(new TypeError('Failed to fetch'));
    };
  });
  // It may fail before the page asks for it.
  code.catch(() => undefined);
  page.holdApplication = () => {
    asked = true;
    return code;
  };
  element.sessionProvider = () => ({ applicationUrl: hosted(), applicationId: 'app_1' });
  return { element, events: record(element), requests: [], page, isAsked: () => asked, arrive, fail };
}

const frames: HTMLIFrameElement[] = [];

/** Takes the pages of {@link held} away. */
export function letGo(): void {
  for (const frame of frames.splice(0)) frame.remove();
}

/** One whose address is known, so that nobody has to be asked for a session. */
export async function known(applicationUrl = hosted()): Promise<HeldStage> {
  const stage = await held();
  stage.element.sessionProvider = undefined;
  stage.element.applicationUrl = applicationUrl;
  await stage.element.updateComplete;
  return stage;
}

/** The user's pointer comes to the card. */
export function pointAt(stage: HeldStage): void {
  part(stage, '.card').dispatchEvent(new stage.page.PointerEvent('pointerover', { bubbles: true, composed: true }));
}
