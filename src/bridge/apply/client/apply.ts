/*
 * The script of the pages, which work without it. It connects the page to the element, focuses the
 * summary of errors, ignores a second click, finds missing details, sends nothing to a server that
 * does not answer, and asks before a link drops input.
 */
import { connectHostedPage, type HostedPage, type Snapshot } from '../../../hosted/index.js';
import type { LinkExpiry } from '../page-context.js';
import { createAppearance, applyAppearance } from './appearance.js';
import { clearMistakes } from './clear-mistakes.js';
import { offerCopying } from './copy-link.js';
import { continueWith, readExpiry, watchExpiry } from './expiry.js';
import { setTimes, showLocalTimes } from './local-time.js';
import { uploadInPlace } from './upload.js';
import { reloadWhenChanged } from './reload-when-changed.js';
import { askForDetails } from './missing-details.js';
import { maskFields } from './masked-field.js';
import { askToLeave, keepPageUntilReached, submitOnce } from './unsaved.js';

/** The time in which the partner's page can close this window. */
const closedWithinMs = 2_000;

const { origins, snapshot, expiry: linkExpiry, tells, refreshSeconds } = document.body.dataset;

const followAppearance = createAppearance();
const appearance = applyAppearance();
if (appearance) followAppearance(appearance);
showLocalTimes();
uploadInPlace();
askForDetails();
clearMistakes();
keepPageUntilReached();
let page: HostedPage | undefined;
askToLeave(() => page?.update({ dirty: false }));
submitOnce();
maskFields();
offerCopying();
offerPrinting();
if (refreshSeconds) reloadWhenChanged(Number(refreshSeconds));
const mistakes = document.querySelector<HTMLElement>('.error-summary');
mistakes?.focus();
if (origins && snapshot) {
  page = connect(origins, snapshot);
  reportToElement(page);
}

function connect(allowedOrigins: string, startingPoint: string): HostedPage {
  const expiry = watchExpiry(linkExpiry ? (JSON.parse(linkExpiry) as LinkExpiry) : undefined, {
    ask: () => readExpiry(location.href),
    onSoon: (seconds) => {
      connected.sessionExpiring(seconds);
    },
    onOver: () => {
      connected.error({ code: 'session_expired', recoverable: true });
    },
  });
  const connected = connectHostedPage({
    allowedOrigins: JSON.parse(allowedOrigins) as string[],
    // Input returned with errors is only on this page: it is not saved until it is sent again.
    snapshot: { ...(JSON.parse(startingPoint) as Snapshot), dirty: mistakes !== null },
    onConfigure: followAppearance,
    async onSession({ applicationUrl = location.href }) {
      const renewed = await continueWith(applicationUrl);
      if (renewed) {
        expiry.restart(renewed);
        // After the answer, which must not fail with it.
        queueMicrotask(() => {
          setTimes('time[data-link-end]', renewed.expiresAt);
        });
      }
      return renewed !== undefined;
    },
    navigateBack() {
      const back = document.querySelector<HTMLAnchorElement>('a.back');
      back?.click();
      return back !== null;
    },
  });
  return connected;
}

function reportToElement(hostedPage: HostedPage): void {
  if (tells === 'submitted') hostedPage.submitted();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-action-state]')) {
    // Without the query, which has the appearance of this page: the element adds its own when it
    // opens the link.
    const { origin, pathname } = new URL(link.href);
    hostedPage.requiresAction({ state: link.dataset['actionState'] ?? '', actionUrl: origin + pathname });
  }
  const wayBack = document.querySelector<HTMLAnchorElement>('#done');
  wayBack?.addEventListener('click', (event) => {
    hostedPage.requestClose('done');
    // In a frame, the link and the message both close the dialog. A popup does not follow the link
    // at once, because Chromium does not close a window that is navigating; it follows the link if
    // the element does not close it.
    if (!hostedPage.connected || document.documentElement.dataset['mode'] !== 'popup') return;
    event.preventDefault();
    setTimeout(() => {
      location.assign(wayBack.href);
    }, closedWithinMs);
  });
}

function offerPrinting(): void {
  const button = document.querySelector<HTMLButtonElement>('#print');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    window.print();
  });
}
