import type { LicensingApply } from '../../src/element/index.js';
import { hosted, record, type Stage } from './stage.js';

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

/** The frames that connect to a host in advance, from now on, as they come. Nobody else finds them. */
export function hintsIn({ page }: HeldStage): HTMLIFrameElement[] {
  const hints: HTMLIFrameElement[] = [];
  const { attachShadow } = page.Element.prototype;
  page.Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    new MutationObserver(() => hints.push(...root.querySelectorAll<HTMLIFrameElement>('[srcdoc]'))).observe(root, {
      childList: true,
    });
    return root;
  };
  return hints;
}
