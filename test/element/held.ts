import type { LicensingApply } from '../../src/element/index.js';
import { hosted, record, type Stage } from './stage.js';

/** A separate page, whose element receives its controller when the test requests it. */
export interface HeldStage extends Stage {
  page: Window & typeof globalThis;
  /** Whether the element requested its controller. */
  isRequested(): boolean;
  /** Lets the controller load. */
  arrive(): void;
  /** Lets the loading of the controller fail. */
  fail(): void;
}

const frames: HTMLIFrameElement[] = [];

/** Loads such a page. {@link removeHeld} removes it. */
export async function held(): Promise<HeldStage> {
  const frame = document.createElement('iframe');
  frame.src = new URL('./fixtures/held-controller.html', import.meta.url).href;
  document.body.append(frame);
  frames.push(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const page = frame.contentWindow as HeldStage['page'];
  const element = page.document.querySelector<LicensingApply>('licensing-apply')!;
  let arrive = () => {};
  let fail = () => {};
  const loading = new Promise<void>((resolve, reject) => {
    arrive = resolve;
    fail = () => {
      reject(new TypeError('Failed to fetch'));
    };
  });
  // It may fail before the element requests it.
  loading.catch(() => undefined);
  let isRequested = false;
  page.holdController = () => {
    isRequested = true;
    return loading;
  };
  element.sessionProvider = () => ({ applicationUrl: hosted(), applicationId: 'app_1' });
  return { element, events: record(element), requests: [], page, isRequested: () => isRequested, arrive, fail };
}

/** Removes the pages of {@link held}. */
export function removeHeld(): void {
  for (const frame of frames.splice(0)) frame.remove();
}
