import { html, nothing, type TemplateResult } from 'lit';
import type { OpenMode } from '../mode.js';

/** What the room shows around its stage, once there is something to show. */
export interface RoomContent {
  before?: TemplateResult | undefined;
  stage: TemplateResult;
  after?: TemplateResult;
}

/**
 * The room of the application, over the page or in it; not shown as long as it is not open. Whatever is in it stays in its place, whoever
 * renders it: a frame that is moved begins to load anew.
 */
export function renderRoom(mode: OpenMode, { before, stage, after }: RoomContent): TemplateResult {
  return mode === 'modal'
    ? html`<dialog class="surface" part="dialog" aria-labelledby="title">${before}${stage}${after}</dialog>`
    : html`<section class="surface inline" part="inline" aria-labelledby="title" tabindex="-1" ?data-visible=${after}>
        ${before}${stage}${after}
      </section>`;
}

/** The room of the frame, if there is one yet. */
export function renderStage(frame?: HTMLIFrameElement, visible = false, waiting?: TemplateResult): TemplateResult {
  return html`<div class="stage" part="body" ?data-visible=${visible}>${visible ? nothing : waiting}${frame}</div>`;
}
