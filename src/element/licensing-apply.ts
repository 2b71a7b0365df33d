import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Application } from './application.js';
import { markStates } from './custom-states.js';
import type { Diagnosis } from './diagnosis.js';
import { emptySnapshot } from './status/empty-snapshot.js';
import { createEntrance, type Entrance } from './entrance.js';
import type { AddLicensingListener, RemoveLicensingListener } from './events/events.js';
import type { FlowState } from './flow.js';
import { localeOf } from './locales/locale.js';
import { type Language, languageFor } from './locales/language.js';
import { languages } from './locales/languages.js';
import { renderRoom, renderStage } from './surface/room-template.js';
import type { OpenMode } from './mode.js';
import type { OpenOptions } from './opening/opening.js';
import { wasAway } from './opening/return-trace.js';
import type { SessionProvider } from './opening/session-source.js';
import type { ApplicationSnapshot } from './status/snapshot.js';
import { statusStyles } from './status/status-styles.js';
import { styles } from './card/styles.js';
import { surfaceStyles } from './surface/surface-styles.js';
import { renderTrigger } from './card/trigger-card.js';

/**
 * Lets a producer apply for state licenses inside the partner's page. Nearest platform element: `<dialog>`, for `show()`,
 * `close()` and `open`.
 *
 * Put a link inside as a fallback: it shows until the element is upgraded, and where there is no script at all. A `<button>` with
 * `commandfor` opens and closes with the commands `--open` and `--close`.
 *
 * @summary The hosted license application with its progress and the status of each state.
 * @slot trigger - What opens the application, instead of the card. Any click in it opens.
 * @slot loading - What shows until the application does, instead of the skeleton.
 * @slot blocked - What shows when the browser blocks the window, instead of the sentence and its button. Any click in it tries again.
 * @slot error - What shows after a failure, instead of the card. The error comes with `licensing-error`.
 * @fires {LicensingStateChangeEvent} licensing-statechange - The element went from one state to another.
 * @fires {LicensingBeforeOpenEvent} licensing-beforeopen - About to open. Cancelable.
 * @fires {LicensingModeChangeEvent} licensing-modechange - The mode did not work; the next of `fallback` is tried.
 * @fires {LicensingBlockedEvent} licensing-blocked - The browser blocks the window. Cancelable: offer `retry()` yourself.
 * @fires {LicensingReadyEvent} licensing-ready - The hosted application answered over the channel.
 * @fires {LicensingProgressEvent} licensing-progress - The user came to another step, or the application saved.
 * @fires {LicensingActionEvent} licensing-action - The user answers what a state asks for. Cancelable: open the link yourself.
 * @fires {LicensingStatusEvent} licensing-status - A state's status changed.
 * @fires {LicensingCompleteEvent} licensing-complete - The application went to the states. Exactly once a session.
 * @fires {LicensingBeforeCloseEvent} licensing-beforeclose - About to close. Cancelable: stays open.
 * @fires {LicensingCloseEvent} licensing-close - The application was closed.
 * @fires {LicensingErrorEvent} licensing-error - Something failed; the user sees it already.
 * @fires {LicensingMessageRejectedEvent} licensing-messagerejected - A message that claimed to be ours was refused.
 *
 * @csspart card - The card in the page: trigger, statuses or error.
 * @csspart title - The heading of a card, the modal or a question.
 * @csspart facts - What the card says before the application is opened: states, fees, time.
 * @csspart button - The one loud button of a card or a question.
 * @csspart quiet-button - The other way: leaving unsaved work, or a new window when loading takes long.
 * @csspart status-list - The list of states.
 * @csspart state - One row of it.
 * @csspart action-button - The button of a state that asks for more.
 * @csspart error - The card of a failure.
 * @csspart dialog - The modal.
 * @csspart inline - The application in the page, or what stands there for a window of its own.
 * @csspart header - Title, step, progress, host and close.
 * @csspart progress - The thin progress bar.
 * @csspart window-link - The link that opens a new window.
 * @csspart close - The close button.
 * @csspart body - The room of the frame.
 * @csspart frame - The frame.
 * @csspart footer - The way out when loading takes long.
 * @csspart question - The question whether to leave unsaved work.
 *
 * @cssproperty [--licensing-apply-accent=light-dark(#1a56c4, #8ab4ff)] - Buttons, progress and focus.
 * @cssproperty [--licensing-apply-accent-text=light-dark(#fff, #0b1a33)] - Text on the accent.
 * @cssproperty [--licensing-apply-surface=light-dark(#fff, #16191f)] - Background of cards and modal.
 * @cssproperty [--licensing-apply-text=light-dark(#1b1f27, #e9ecf2)] - Text.
 * @cssproperty [--licensing-apply-muted=light-dark(#565e6c, #a6aebb)] - Text of less weight.
 * @cssproperty [--licensing-apply-border=light-dark(#c9ced7, #3c434f)] - Lines.
 * @cssproperty [--licensing-apply-danger=light-dark(#b3261e, #ff9e95)] - Failures and denials.
 * @cssproperty [--licensing-apply-warning=light-dark(#8a5300, #f5bd63)] - What needs the user.
 * @cssproperty [--licensing-apply-success=light-dark(#1b6e3c, #7ad79c)] - Approvals.
 * @cssproperty [--licensing-apply-radius=10px] - Corners.
 * @cssproperty [--licensing-apply-spacing=8px] - The unit of all distances.
 * @cssproperty [--licensing-apply-font=inherit] - Font family.
 * @cssstate idle - Nothing was opened yet.
 * @cssstate preparing - The session is being made.
 * @cssstate connecting - The hosted application is loading.
 * @cssstate active - The user is at work in it.
 * @cssstate awaiting-action - Submitted, and a state asks for more.
 * @cssstate submitted - With the states.
 * @cssstate closed - Closed before it was submitted.
 * @cssstate error - Failed.
 * @cssstate blocked - Besides one of the others: the browser blocks the window, and `licensing-blocked` offers to try again.
 */
export class LicensingApply extends LitElement {
  static override readonly styles = [styles, statusStyles, surfaceStyles];

  static override get properties() {
    return {
      sessionUrl: { attribute: 'session-url' },
      applicationUrl: { attribute: 'application-url' },
      applicationOrigin: { attribute: 'application-origin' },
      applicationId: { attribute: 'application-id' },
      statusUrl: { attribute: 'status-url' },
      eventsUrl: { attribute: 'events-url' },
      mode: {},
      fallback: {},
      preload: {},
      locale: {},
      theme: { reflect: true },
      open: { type: Boolean, reflect: true },
      states: {},
      estimatedFee: { attribute: 'estimated-fee', type: Number },
      sessionProvider: { attribute: false },
    };
  }

  /** Where sessions are made: a route of the partner's own backend, which answers `POST` with a session. */
  declare sessionUrl: string;
  /** The link of a session that was made already. It cannot be renewed, and a return to this site proves nothing for it. */
  declare applicationUrl: string;
  /** The origin of the hosted application, where sessions are still to be made: connected to on intent, so that it opens sooner. */
  declare applicationOrigin: string;
  /** An application begun earlier. With `status-url` or `events-url` its statuses show at once. */
  declare applicationId: string;
  /** Answers `GET` with the application; for sessions that do not say so themselves. */
  declare statusUrl: string;
  /** Sends the application as server-sent events; for sessions that do not say so themselves. */
  declare eventsUrl: string;
  /** How the application opens: over this page, in it, in its own window, in this page's place, or what works. Else: `modal`. */
  declare mode: OpenMode | 'auto';
  /** The modes to try in their order when `mode` does not work. What `auto` falls back to by itself: `popup redirect`. */
  declare fallback: string;
  /** `intent` (default) loads the rest of the element, makes an empty frame and connects to the host of a known address when the user points at it or focuses it; `none`, when it opens. */
  declare preload: 'intent' | 'none';
  /** A language tag. Default: the `lang` around the element, else the browser's. */
  declare locale: string;
  /** The colours. `auto` (default) takes the `color-scheme` around the element. */
  declare theme: 'auto' | 'light' | 'dark';
  /** Whether the application is open. Setting it opens, or closes without asking. */
  declare open: boolean;
  /** What the card names before a session says so: state codes with commas, such as `TX,CA`. */
  declare states: string;
  /** What the card names before a session says so, in US dollars. */
  declare estimatedFee: number | undefined;
  /** Makes sessions; goes before `session-url` and `application-url`. */
  declare sessionProvider: SessionProvider | undefined;

  readonly #entrance: Entrance;
  #around: MutationObserver | undefined;

  constructor() {
    super();
    this.sessionUrl = this.applicationUrl = this.applicationId = this.statusUrl = this.eventsUrl = '';
    this.applicationOrigin = this.states = this.fallback = this.locale = '';
    this.mode = 'modal';
    this.preload = 'intent';
    this.theme = 'auto';
    this.open = false;
    const internals = this.attachInternals();
    markStates(internals, 'idle');
    this.#entrance = createEntrance({ host: this, internals, render: () => this.performUpdate() });
    // `<button commandfor command="--open">` anywhere in the page, which needs no script: browsers hand over whatever begins so.
    this.addEventListener('command', (event) => {
      const { command } = event as CommandEvent;
      if (command === '--open') this.#begin();
      if (command === '--close') void this.close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A move takes a modal out of the top layer; rendering puts it back.
    this.requestUpdate();
    languages().speakers.add(this);
    // As if its own had changed: the hosted page is told, too.
    this.#around = new MutationObserver(() => {
      this.requestUpdate('locale');
    });
    this.#around.observe(document, { subtree: true, attributeFilter: ['lang'] });
    void this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    languages().speakers.delete(this);
    this.#around?.disconnect();
    // A move is a removal and an insertion in one task; only an element that is still out afterwards is gone.
    queueMicrotask(() => this.isConnected || this.#entrance.abandon());
  }

  /** A move that keeps the frame alive (`moveBefore`) is not a removal at all. */
  connectedMoveCallback(): void {}

  protected override updated(changed: PropertyValues<this>): void {
    this.#application?.rendered(this.renderRoot as ShadowRoot);
    if (changed.has('theme') || changed.has('locale')) this.#application?.configure();
    if (changed.has('applicationId') || changed.has('statusUrl') || changed.has('eventsUrl')) void this.#follow();
    if (changed.has('sessionUrl') || changed.has('applicationUrl') || changed.has('sessionProvider'))
      void this.updateComplete.then(() => this.#application?.flow.reconsider());
    // That it is `false` at first is nobody's wish.
    if (changed.has('open') && (this.open || changed.get('open')))
      void this.updateComplete.then(() => this.#followOpen());
  }

  protected override render(): TemplateResult {
    const { application, failure, frame } = this.#entrance;
    const language = languageFor(localeOf(this));
    const isReplaced = (application?.flow.surface?.mode ?? 'modal') !== 'modal' && !this.snapshot.submitted;
    // The room is there before it is needed: to make one takes a good part of what a page that is quick to come does.
    return html`<div lang=${language.locale} dir=${language.direction}>
      ${isReplaced ? nothing : (application?.renderCard(language) ?? this.#renderTrigger(language))}
      ${application?.renderSurface(language) ?? (frame || !application ? renderRoom(frame?.mode ?? 'modal', { stage: renderStage(frame?.element) }) : nothing)}
      <div class="hidden" role="status">${application?.announcement() ?? failure}</div>
    </div>`;
  }

  get #application(): Application | undefined {
    return this.#entrance.application;
  }

  /** Where the element stands; also its custom state, as in `licensing-apply:state(active)`. */
  get state(): FlowState {
    return this.#application?.flow.state ?? 'idle';
  }

  /** All that is known of the application. */
  get snapshot(): ApplicationSnapshot {
    return this.#application?.news.snapshot() ?? emptySnapshot(this.applicationId || '');
  }

  /**
   * Opens the application. Resolves with whether it is loading: `false` when `licensing-beforeopen` was prevented, when it failed, when
   * it was submitted already, or when the element is in no document. `mode` and `session` go before all others. `session` may be a promise: call this in the task of
   * the click, or the browser blocks a window of its own.
   */
  show(options?: OpenOptions): Promise<boolean> {
    return this.#entrance.show('open', options);
  }

  /** Opens the application of `application-id` where the user left it. Resolves as {@link LicensingApply.show} does. */
  resume(): Promise<boolean> {
    return this.#entrance.show('resume');
  }

  /** Asks the hosted page to go one step back, for a Back button of the page; resolves with whether it did. */
  async navigateBack(): Promise<boolean> {
    return (await this.#application?.flow.surface?.connection?.navigateBack()) ?? false;
  }

  /** Closes; resolves with whether it did: the page or a user with unsaved work may keep it open. `force` asks neither. */
  async close({ force = false }: { force?: boolean } = {}): Promise<boolean> {
    return (await this.#entrance.close(force)) ?? true;
  }

  /** Resolves with what a support ticket needs: what happened here and when, without anything personal and without ids. */
  async diagnose(): Promise<Diagnosis> {
    return (await this.#entrance.load()).diagnose();
  }

  /** Does what the `open` property was set to, unless it only reflects what happened. */
  async #followOpen(): Promise<void> {
    if (this.open === (this.#entrance.isOpening || this.#application?.flow.isOpen === true)) return;
    if (this.open) this.open = await this.show();
    else await this.close({ force: true });
  }

  async #follow(): Promise<void> {
    if (!this.#application && !(this.applicationId && (this.statusUrl || this.eventsUrl)) && !wasAway()) return;
    // Without the code nothing is lost yet: the card is there, and an opening says that it failed.
    (await this.#entrance.load().catch(() => undefined))?.follow();
  }

  /** As a user asks for it. An application of an earlier visit goes on: beginning another one would lose what the user saved. */
  #begin(): void {
    void (this.applicationId && !this.#application?.sessions.session ? this.resume() : this.show());
  }

  #renderTrigger(language: Language): TemplateResult {
    const { session } = this.#application?.sessions ?? {};
    return renderTrigger({
      ...language,
      host: this,
      session,
      failure: this.#entrance.failure,
      busy: this.#entrance.isOpening || this.state === 'preparing',
      open: () => this.#begin(),
      prepare: () => this.preload === 'none' || this.#entrance.prepare(),
    });
  }
}

/** Typed listeners, as the platform's own elements have them. */
export interface LicensingApply {
  addEventListener: AddLicensingListener;
  removeEventListener: RemoveLicensingListener;
}

declare global {
  interface HTMLElementTagNameMap {
    'licensing-apply': LicensingApply;
  }
}
