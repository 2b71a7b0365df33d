import { html, nothing, type TemplateResult } from 'lit';
import { timeOf } from '../locales/dates.js';
import { stepLine } from '../locales/formats.js';
import { renderIcon } from '../card/icon.js';
import { renderRoom, renderStage } from './room-template.js';
import type { SurfaceMode } from '../mode.js';
import type { ApplicationSnapshot } from '../status/snapshot.js';
import type { Texts } from '../locales/texts.js';

/** What the element knows and the surface shows. */
export interface SurfaceView {
  texts: Texts;
  locale: string;
  snapshot: ApplicationSnapshot;
  announcement: string;
}

/** What the surface itself knows and the element does not. */
export interface SurfaceState {
  mode: SurfaceMode;
  /** Absent in a window of its own. */
  frame: HTMLIFrameElement | undefined;
  url: URL | undefined;
  /** Whether there is something to show around the frame: not yet, where it may come at once. */
  due: boolean;
  visible?: boolean;
  slow?: boolean;
  /** Whether the browser blocks the window. */
  blocked?: boolean;
  /** While the user is asked whether to leave unsaved work. */
  question?: { savedAt: string | undefined; answer(leave: boolean): void } | undefined;
  onClose(): void;
  /** Brings the window of its own to the front, or opens it. */
  onShow: (() => void) | undefined;
  /** Asked for by the user when a frame stays silent. */
  onElsewhere(event: Event): void;
}

/** The application on the screen: over the page, or in its place. */
export function renderSurface(state: SurfaceState, view: SurfaceView): TemplateResult {
  const { mode, frame, url, due, visible } = state;
  const stage = frame ? renderStage(frame, visible, renderSkeleton(url, view)) : renderAway(state, view);
  if (!due) return renderRoom(mode, { stage });
  const before = renderHeader(state, view);
  const after = html`${renderFooter(state, view)}
    <div class="hidden" role="status">${view.announcement}</div>
    ${renderQuestion(state, view)}`;
  return renderRoom(mode, { before, stage, after });
}

function renderHeader({ mode, frame, url, onClose }: SurfaceState, { texts, snapshot }: SurfaceView): TemplateResult {
  const { index, count, submitted } = snapshot;
  return html`<header part="header">
    <div>
      <h2 id="title" part="title">${texts.title}</h2>
      <p class="step muted">${stepLine(texts, snapshot)}</p>
    </div>
    <div>
      <p class="host">
        ${url && html`${url.protocol === 'https:' ? renderIcon(lock) : nothing}<bdi>${url.host}</bdi>`}
      </p>
      ${
        frame &&
        url &&
        html`<a class="window muted" part="window-link" href=${url.href} target="_blank" rel="noreferrer"
          >${texts.newWindow}</a
        >`
      }
    </div>
    <button
      class="close quiet button"
      part="close"
      aria-label=${texts.close}
      @click=${onClose}
      ?autofocus=${mode === 'modal'}
    >
      ${renderIcon(cross)}
    </button>
    <progress
      part="progress"
      aria-hidden="true"
      max=${count || 1}
      value=${submitted ? count : Math.max(index - 0.5, 0)}
    ></progress>
  </header>`;
}

/** For a connection that is encrypted: what is tried on one's own machine is not. */
const lock = 'M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z';
const cross = 'M3 4l1-1 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4z';

/** What stands in the page for a window of its own. */
function renderAway({ url, blocked, onShow }: SurfaceState, { texts }: SurfaceView): TemplateResult {
  const line = blocked ? texts.error_popup_blocked : url ? texts.elsewhere : texts.preparing;
  const content = html`<p>${line}</p>
    <button class="button" part="button" @click=${onShow}>${blocked ? texts.newWindow : texts.showWindow}</button>`;
  return html`<div class="away" part="body">
    ${blocked ? html`<slot name="blocked" @click=${onShow}>${content}</slot>` : content}
  </div>`;
}

function renderSkeleton(url: URL | undefined, { texts }: SurfaceView): TemplateResult {
  return html`<slot name="loading"
    ><div class="skeleton">
      <i></i><i></i><i></i>
      <p class="muted">${url ? texts.connecting(url.host) : texts.preparing}</p>
    </div></slot
  >`;
}

function renderFooter(
  { slow, url, onElsewhere }: SurfaceState,
  { texts }: SurfaceView,
): TemplateResult | typeof nothing {
  if (!slow || !url) return nothing;
  return html`<footer part="footer">
    <p>${texts.slow(url.host)}</p>
    <a class="button quiet" part="quiet-button" href=${url.href} target="_blank" rel="noreferrer" @click=${onElsewhere}
      >${texts.newWindow}</a
    >
  </footer>`;
}

function renderQuestion({ question }: SurfaceState, { texts, locale }: SurfaceView): TemplateResult | typeof nothing {
  if (!question) return nothing;
  const { savedAt, answer } = question;
  return html`<dialog
    class="question"
    part="question"
    role="alertdialog"
    aria-labelledby="question"
    aria-describedby="consequence"
    @close=${() => {
      // Escape is left to the browser: it means to stay, as closing any question without an answer does.
      answer(false);
    }}
  >
    <h2 id="question" part="title">${texts.leaveTitle}</h2>
    <p id="consequence">${texts.leaveLost} ${savedAt ? texts.leaveSaved(timeOf(savedAt, locale)) : nothing}</p>
    <button
      class="button"
      part="button"
      autofocus
      @click=${() => {
        answer(false);
      }}
    >
      ${texts.leaveStay}
    </button>
    <button
      class="button quiet"
      part="quiet-button"
      @click=${() => {
        answer(true);
      }}
    >
      ${texts.leaveGo}
    </button>
  </dialog>`;
}
