import { html, nothing, type TemplateResult } from 'lit';

/** What the modal shows around its stage, once there is something to show. */
export interface ModalContent {
  before?: TemplateResult | undefined;
  stage: TemplateResult;
  after?: TemplateResult;
}

/**
 * The modal, closed as long as nobody opens it. Whatever is in it stays in its place, whoever renders it: a frame that is moved begins
 * to load anew.
 */
export function renderModal({ before, stage, after }: ModalContent): TemplateResult {
  return html`<dialog class="surface" part="dialog" aria-labelledby="title">${before}${stage}${after}</dialog>`;
}

/** The room of the frame. */
export function renderStage(frame: HTMLIFrameElement, visible = false, waiting?: TemplateResult): TemplateResult {
  return html`<div class="stage" part="body" ?data-visible=${visible}>${visible ? nothing : waiting}${frame}</div>`;
}
