import { html, nothing, type TemplateResult } from 'lit';
import { changing } from '../card/changing.js';
import { icons, renderIcon } from '../card/icons.js';
import { formatTime } from '../locales/formats.js';
import { stepLine } from '../locales/phrases.js';
import type { Texts } from '../locales/texts.js';
import type { ContainerMode } from '../modes.js';
import type { ApplicationSnapshot } from '../store/snapshot.js';

/** The data of the element that the container shows. */
export interface ContainerView {
  texts: Texts;
  locale: string;
  snapshot: ApplicationSnapshot;
  announcement: string;
}

/** The data of the container. */
export interface ContainerState {
  mode: ContainerMode;
  /** Absent in a popup. */
  frame?: HTMLIFrameElement | undefined;
  /** The URL of the application, once it is known. */
  url?: URL;
  /** Whether the page is shown in place of the skeleton. */
  isRevealed?: boolean;
  /** Whether loading takes long, or the page was lost. */
  notice?: 'slow' | 'lost' | undefined;
  /** Whether the browser blocks the popup. */
  isBlocked?: boolean;
  /** The question whether to leave unsaved input, while it is shown. */
  question?: { savedAt: string | undefined; answer(leave: boolean): void } | undefined;
  onClose(): void;
  /** Loads the page again. */
  onRetry?: () => void;
  /** Brings the popup to the front, or opens it again. */
  onShowPopup?: (() => void) | undefined;
  /** Called when the user opens the application in a new window. */
  onOpenInNewWindow(): void;
}

/** Renders the open application over the page or in it, or the placeholder of a popup. */
export function renderContainer(state: ContainerState, view: ContainerView): TemplateResult {
  // The frame keeps its place in one template: a frame that is moved loads again.
  const content = html`${renderHeader(state, view)}
    ${state.frame ? renderFrame(state, view) : renderPopupPlaceholder(state, view)} ${renderFooter(state, view)}
    <div class="hidden" role="status">${changing(view.announcement)}</div>
    ${renderQuestion(state, view)}`;
  return state.mode === 'modal'
    ? html`<dialog class="container" part="dialog" aria-labelledby="title">${content}</dialog>`
    : html`<section class="container inline" part="inline" aria-labelledby="title" tabindex="-1">${content}</section>`;
}

function renderHeader(state: ContainerState, { texts, snapshot }: ContainerView): TemplateResult {
  const { mode, frame, url } = state;
  const { index, count, submitted } = snapshot;
  return html`<header part="header">
    <div>
      <h2 id="title" part="title">${texts.title}</h2>
      <p class="step muted">${changing(stepLine(texts, snapshot))}</p>
    </div>
    <div>
      <p class="host">
        ${url && html`${url.protocol === 'https:' ? renderIcon(icons.lock) : nothing}<bdi>${url.host}</bdi>`}
      </p>
      ${
        frame &&
        url &&
        html`<button class="window muted" part="window-link" @click=${state.onOpenInNewWindow}>
          ${texts.newWindow}
        </button>`
      }
    </div>
    <button
      class="close quiet button"
      part="close"
      aria-label=${texts.close}
      @click=${state.onClose}
      ?autofocus=${mode === 'modal'}
    >
      ${renderIcon(icons.cross)}
    </button>
    <progress
      part="progress"
      aria-hidden="true"
      max=${count || 1}
      value=${submitted ? count : Math.max(index - 0.5, 0)}
    ></progress>
  </header>`;
}

function renderFrame({ frame, url, isRevealed = false }: ContainerState, { texts }: ContainerView): TemplateResult {
  const skeleton = html`<slot name="loading"
    ><div class="skeleton">
      <i></i><i></i><i></i>
      <p class="muted">${changing(url ? texts.connecting({ host: url.host }) : texts.preparing)}</p>
    </div></slot
  >`;
  return html`<div class="frame" part="body" ?data-revealed=${isRevealed}>
    ${isRevealed ? nothing : skeleton}${frame}
  </div>`;
}

function renderPopupPlaceholder({ url, isBlocked, onShowPopup }: ContainerState, { texts }: ContainerView) {
  const line = isBlocked ? texts.errors.popup_blocked : url ? texts.inPopup : texts.preparing;
  const content = html`<p>${changing(line)}</p>
    <button class="button" part="button" @click=${onShowPopup}>
      ${changing(isBlocked ? texts.newWindow : texts.showPopup)}
    </button>`;
  return html`<div class="popup-placeholder" part="body">
    ${isBlocked ? html`<slot name="blocked" @click=${onShowPopup}>${content}</slot>` : content}
  </div>`;
}

function renderFooter({ notice, url, onRetry, onOpenInNewWindow }: ContainerState, { texts }: ContainerView) {
  if (!notice || !url) return nothing;
  const isLost = notice === 'lost';
  return html`<footer part="footer">
    <p>${changing(isLost ? texts.errors.hosted : texts.slow({ host: url.host }))}</p>
    <button class="button quiet" part="quiet-button" @click=${isLost ? onRetry : onOpenInNewWindow}>
      ${changing(isLost ? texts.retry : texts.newWindow)}
    </button>
  </footer>`;
}

function renderQuestion({ question }: ContainerState, { texts, locale }: ContainerView) {
  if (!question) return nothing;
  const { savedAt, answer } = question;
  const stay = () => {
    answer(false);
  };
  const leave = () => {
    answer(true);
  };
  // The browser closes it on Escape, which means to stay, as for any question without an answer.
  return html`<dialog
    class="question"
    part="question"
    role="alertdialog"
    aria-labelledby="question"
    aria-describedby="consequence"
    @close=${stay}
  >
    <h2 id="question" part="title">${texts.leaveTitle}</h2>
    <p id="consequence">
      ${texts.leaveLost} ${savedAt ? texts.leaveSaved({ time: formatTime(savedAt, locale) }) : nothing}
    </p>
    <button class="button" part="button" autofocus @click=${stay}>${texts.leaveStay}</button>
    <button class="button quiet" part="quiet-button" @click=${leave}>${texts.leaveGo}</button>
  </dialog>`;
}
