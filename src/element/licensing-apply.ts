import {
  type ComplexAttributeConverter,
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { cardStyles } from './card/card-styles.js';
import { changing } from './card/changing.js';
import { renderTrigger } from './card/trigger-card.js';
import type { Controller } from './controller.js';
import type { Diagnosis } from './diagnosis.js';
import { type ElementState, setCustomStates } from './element-state.js';
import type { AddLicensingListener, CloseResult, RemoveLicensingListener } from './events.js';
import { createLazyController, type LazyController } from './lazy-controller.js';
import { type Language, languageFor, loadLanguage, localeOf, observeLanguages } from './locales/language.js';
import type { OpenMode } from './modes.js';
import type { OpenOptions } from './opening/opening.js';
import type { SessionProvider } from './opening/sessions.js';
import { type ApplicationSnapshot, emptySnapshot } from './store/snapshot.js';
import type { FollowStatus } from './store/status-source.js';

/**
 * The attribute `open` is `opened` when it only reflects that the user opened the application: a
 * page that is restored from its HTML, such as by a cache or an editor, must not open it without
 * the user. Any other value is a request of the page.
 */
const openConverter: ComplexAttributeConverter<boolean> = {
  fromAttribute: (value) => value !== null && value !== 'opened',
  toAttribute: (open) => (open ? 'opened' : null),
};

/**
 * Lets a producer apply for state licenses inside the partner's page. Nearest platform element:
 * `<dialog>`, for `show()`, `close()` and `open`.
 *
 * Put a link inside as a fallback: it shows until the element is upgraded, and without JavaScript.
 * A `<button>` with `commandfor` opens and closes with the commands `--open` and `--close`.
 *
 * @summary The hosted license application with its progress and the status of each state.
 * @slot trigger - Opens the application, in place of the card. Any click in it opens.
 * @slot loading - Shows while the application loads, in place of the skeleton.
 * @slot blocked - Shows when the browser blocks the popup. Any click in it tries again.
 * @slot error - Shows after an error, in place of the card. `licensing-error` has the error.
 * @fires {LicensingStateChangeEvent} licensing-statechange - The element changed its state.
 * @fires {LicensingBeforeOpenEvent} licensing-beforeopen - Dispatched within `show()`, before anything opens. Cancelable.
 * @fires {LicensingModeChangeEvent} licensing-modechange - A mode failed; the next of `fallback` is tried.
 * @fires {LicensingBlockedEvent} licensing-blocked - The browser blocks the popup. Cancelable: offer `retry()` yourself.
 * @fires {LicensingReadyEvent} licensing-ready - The hosted application connected.
 * @fires {LicensingProgressEvent} licensing-progress - The user reached another step, or the application saved.
 * @fires {LicensingActionEvent} licensing-action - The user answers what a state requires. Cancelable: open the link yourself.
 * @fires {LicensingStatusEvent} licensing-status - The status of a state changed.
 * @fires {LicensingCompleteEvent} licensing-complete - The application was submitted. Exactly once a session.
 * @fires {LicensingBeforeCloseEvent} licensing-beforeclose - About to close. Cancelable: stays open.
 * @fires {LicensingCloseEvent} licensing-close - The application was closed.
 * @fires {LicensingErrorEvent} licensing-error - Something failed. The user sees it already.
 * @fires {LicensingMessageRejectedEvent} licensing-messagerejected - A message was rejected and had no effect.
 *
 * @csspart card - The card in the page: trigger, statuses or error.
 * @csspart title - The heading of a card, the modal or the question.
 * @csspart facts - States, fees and time on the card.
 * @csspart choice - The check boxes of `choose-states`.
 * @csspart option - A state that the user can choose.
 * @csspart more-states - The offer to apply in more states.
 * @csspart button - The primary button of a card or the question.
 * @csspart quiet-button - The secondary button: the receipt, more states, leaving unsaved input, or a new window when loading takes long.
 * @csspart status-list - The list of states.
 * @csspart state - A row of the list.
 * @csspart action-button - The button of a state that requires an action.
 * @csspart receipt - The day of the submission, with the number and the button of the receipt.
 * @csspart error - The error card.
 * @csspart dialog - The modal.
 * @csspart inline - The application in the page, or what the page shows beside a popup.
 * @csspart header - Title, step, progress, host and close button.
 * @csspart progress - The progress bar.
 * @csspart window-link - The button that opens a new window.
 * @csspart close - The close button.
 * @csspart body - The part around the frame.
 * @csspart frame - The frame.
 * @csspart footer - The offer of a new window when loading takes long.
 * @csspart question - The question whether to leave unsaved input.
 *
 * @cssproperty [--licensing-apply-accent=light-dark(#1a56c4, #8ab4ff)] - Buttons, progress and focus.
 * @cssproperty [--licensing-apply-accent-text=light-dark(#fff, #0b1a33)] - Text on the accent.
 * @cssproperty [--licensing-apply-surface=light-dark(#fff, #16191f)] - Background of cards and modal.
 * @cssproperty [--licensing-apply-text=light-dark(#1b1f27, #e9ecf2)] - Text.
 * @cssproperty [--licensing-apply-muted=light-dark(#565e6c, #a6aebb)] - Text of less weight.
 * @cssproperty [--licensing-apply-border=light-dark(#c9ced7, #3c434f)] - Lines.
 * @cssproperty [--licensing-apply-danger=light-dark(#b3261e, #ff9e95)] - Errors and denials.
 * @cssproperty [--licensing-apply-warning=light-dark(#8a5300, #f5bd63)] - What needs the user.
 * @cssproperty [--licensing-apply-success=light-dark(#1b6e3c, #7ad79c)] - Approvals.
 * @cssproperty [--licensing-apply-radius=10px] - Corners.
 * @cssproperty [--licensing-apply-spacing=8px] - The unit of all distances.
 * @cssproperty [--licensing-apply-font=inherit] - Font family.
 * @cssstate idle - Nothing was opened yet.
 * @cssstate preparing - The session is being created.
 * @cssstate connecting - The hosted application is loading.
 * @cssstate active - The user is working in it.
 * @cssstate awaiting-action - Submitted, and a state requires an action.
 * @cssstate submitted - Submitted to the states.
 * @cssstate closed - Closed before it was submitted.
 * @cssstate error - Failed.
 * @cssstate blocked - In addition to another state: the browser blocks the popup.
 */
export class LicensingApply extends LitElement {
  static override readonly styles = cardStyles;

  static override get properties() {
    return {
      sessionUrl: { attribute: 'session-url' },
      applicationUrl: { attribute: 'application-url' },
      applicationId: { attribute: 'application-id' },
      statusUrl: { attribute: 'status-url' },
      eventsUrl: { attribute: 'events-url' },
      mode: {},
      fallback: {},
      preload: {},
      allow: {},
      locale: {},
      theme: { reflect: true },
      open: { type: Boolean, reflect: true, converter: openConverter },
      states: {},
      chooseStates: { attribute: 'choose-states' },
      stateFees: { attribute: 'state-fees', type: Object },
      estimatedFee: { attribute: 'estimated-fee', type: Number },
      sessionProvider: { attribute: false },
    };
  }

  /** The route of your backend that creates sessions, such as that of `createLicensingHandler`. */
  declare sessionUrl: string;
  /** The link of an existing session. It is never renewed, and its return proves nothing. */
  declare applicationUrl: string;
  /** The id of an earlier application, whose statuses are shown at once. */
  declare applicationId: string;
  /** The URL that answers `GET` with the application, where sessions do not name one. */
  declare statusUrl: string;
  /** The URL of server-sent events with the application, where sessions do not name one. */
  declare eventsUrl: string;
  /** How the application opens. Default: `modal`. */
  declare mode: OpenMode | 'auto';
  /** The modes to try when `mode` fails. Default: none, and `popup redirect` for `auto`. */
  declare fallback: string;
  /** Whether the rest loads when the user points at or focuses the card. Default: `intent`. */
  declare preload: 'intent' | 'none';
  /** More permissions for the frame, such as `camera; microphone`. Default: none. */
  declare allow: string;
  /** The language tag. Default: the `lang` around the element, else the browser's. */
  declare locale: string;
  /** The colors. Default: `auto`, the `color-scheme` around the element. */
  declare theme: 'auto' | 'light' | 'dark';
  /**
   * Whether the application is open. Setting it opens it, or closes it as `close()` does. HTML that
   * was copied while it was open does not open it again.
   */
  declare open: boolean;
  /**
   * The states that the card names until the application does, such as `TX,CA`. With
   * `choose-states`, those that are ticked at first.
   */
  declare states: string;
  /**
   * The states from which the user chooses on the card, such as `TX,CA,FL`. Your backend must offer
   * all of them. Default: none, and the backend decides alone.
   */
  declare chooseStates: string;
  /** The fees of each state of `choose-states` in US dollars, such as `{"TX": 50}`. Default: none. */
  declare stateFees: Readonly<Record<string, number>> | undefined;
  /** The fees that the card names until the application does, in US dollars. */
  declare estimatedFee: number | undefined;
  /** Creates sessions. Overrides `session-url` and `application-url`. */
  declare sessionProvider: SessionProvider | undefined;

  /** @internal Follows the application for the card of a list, which has one source for all. */
  declare followStatus: FollowStatus | undefined;

  readonly #internals: ElementInternals;
  readonly #lazy: LazyController;
  #stopObservingLanguages: (() => void) | undefined;

  constructor() {
    super();
    this.sessionUrl = '';
    this.applicationUrl = '';
    this.applicationId = '';
    this.statusUrl = '';
    this.eventsUrl = '';
    this.mode = 'modal';
    this.fallback = '';
    this.preload = 'intent';
    this.allow = '';
    this.locale = '';
    this.theme = 'auto';
    this.open = false;
    this.states = '';
    this.chooseStates = '';
    this.#internals = this.attachInternals();
    this.#lazy = createLazyController({ host: this, language: () => languageFor(localeOf(this)) });
    setCustomStates(this.#internals.states, this.state, this.#controller?.isBlocked);
    // For `<button commandfor command="--open">` anywhere in the page.
    this.addEventListener('command', (event) => {
      const { command } = event as CommandEvent;
      if (command === '--open') this.#lazy.showByUser();
      if (command === '--close') void this.close();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A move takes a modal out of the top layer; rendering puts it back.
    this.requestUpdate();
    this.#stopObservingLanguages = observeLanguages(() => this.requestUpdate('locale'));
    void this.#lazy.followAttributes();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopObservingLanguages?.();
    // A move is a removal and an insertion in one task.
    queueMicrotask(() => this.isConnected || this.#lazy.disconnect());
  }

  /** A move that keeps the frame alive (`moveBefore`) is no removal. */
  connectedMoveCallback(): void {}

  /**
   * A Spanish element renders once its texts are loaded, not in English first; one whose user
   * chooses states, once the check boxes are there.
   */
  protected override scheduleUpdate(): Promise<unknown> | undefined {
    const chooser = this.chooseStates && !this.hasUpdated && this.#lazy.followAttributes();
    const loading = loadLanguage(localeOf(this)) ?? chooser;
    return loading ? Promise.all([loading, chooser]).then(() => super.scheduleUpdate()) : void super.scheduleUpdate();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const controller = this.#controller;
    setCustomStates(this.#internals.states, this.state, controller?.isBlocked);
    if (changed.has('theme') || changed.has('locale')) controller?.configure();
    const names = ['applicationId', 'statusUrl', 'eventsUrl', 'chooseStates'] as const;
    if (names.some((name) => changed.has(name))) void this.#lazy.followAttributes();
    const hasSourceChanged =
      changed.has('sessionUrl') || changed.has('applicationUrl') || changed.has('sessionProvider');
    // The first `false` is the default and not a request to close.
    const hasOpenChanged = changed.has('open') && (this.open || changed.get('open'));
    if (hasSourceChanged) void this.updateComplete.then(() => controller?.clearConfigurationError());
    if (hasOpenChanged) void this.updateComplete.then(() => this.#lazy.followOpen());
  }

  protected override render(): TemplateResult {
    const controller = this.#controller;
    const language = languageFor(localeOf(this));
    const card = controller?.renderCard(language) ?? this.#renderTrigger(language);
    return html`<div lang=${language.locale} dir=${language.direction}>
      ${controller?.replacesCard ? nothing : card}${controller?.renderContainer(language)}
      <div class="hidden" role="status">${changing(this.#lazy.failure ?? controller?.announcement)}</div>
    </div>`;
  }

  get #controller(): Controller | undefined {
    return this.#lazy.controller;
  }

  /** The state of the element; also its custom state, as in `licensing-apply:state(active)`. */
  get state(): ElementState {
    return this.#lazy.state;
  }

  /** The current data about the application. */
  get snapshot(): ApplicationSnapshot {
    return this.#controller?.snapshot ?? emptySnapshot(this.applicationId || '');
  }

  /**
   * Opens the application. Resolves with whether it is loading or open; `false` when
   * `licensing-beforeopen` was prevented, when it failed, when the application was submitted, when
   * the user must choose states first, or when the element is in no document. `session` may be a
   * promise: call this in the task of the click, or the browser blocks a popup.
   */
  show(options: OpenOptions = {}): Promise<boolean> {
    const { mode, session } = options;
    return this.#lazy.show({ reason: 'open', mode, session });
  }

  /** Continues the application of `application-id`. Resolves as `show()` does. */
  resume(): Promise<boolean> {
    return this.#lazy.show({ reason: 'resume' });
  }

  /**
   * Resolves with the outcome of the open application; without an open one, of the next one. Like
   * `licensing-close`, and also resolves after an error, with the outcome `failed`.
   */
  async whenClosed(): Promise<CloseResult> {
    // Without waiting when it is loaded: the next statement of the page may close.
    const controller = this.#controller ?? (await this.#lazy.load());
    return controller.whenClosed();
  }

  /** Asks the hosted page to go one step back. Resolves with whether it did. */
  async navigateBack(): Promise<boolean> {
    return (await this.#controller?.navigateBack()) ?? false;
  }

  /**
   * Closes the application. Resolves with whether it is closed: the page, or a user with unsaved
   * input, may keep it open. `force` asks neither.
   */
  close({ force = false }: { force?: boolean } = {}): Promise<boolean> {
    return this.#lazy.close(force);
  }

  /** Resolves with the data for a support ticket. Contains no personal data and no ids. */
  async diagnose(): Promise<Diagnosis> {
    return (await this.#lazy.load()).diagnose();
  }

  #renderTrigger(language: Language): TemplateResult {
    return renderTrigger({
      language,
      host: this,
      session: this.#controller?.sessions.session,
      choice: this.#controller?.renderChoice(language),
      failure: this.#lazy.failure,
      isBusy: this.#lazy.isOpening || this.state === 'preparing',
      onOpen: () => this.#lazy.showByUser(),
      onIntent: () => this.preload === 'none' || this.#lazy.preload(),
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
