import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { chooserStyles } from './card/chooser-styles.js';
import { renderErrorCard } from './card/error-card.js';
import { createFocusKeeper, type FocusKeeper } from './card/focus.js';
import { type ChooserHost, type ChosenApplication, StateChooser } from './card/state-chooser.js';
import { renderStatusList } from './card/status-list.js';
import { statusStyles } from './card/status-styles.js';
import { codesOf, type StateChoice } from './card/trigger-card.js';
import type { Container } from './container/container.js';
import { containerStyles } from './container/container-styles.js';
import { createDiagnostics, type Diagnosis, type Diagnostics } from './diagnosis.js';
import { type ElementState, type ElementStateEvent, nextState } from './element-state.js';
import { LicensingApplyError } from './errors.js';
import {
  type CloseCause,
  type CloseOutcome,
  type CloseResult,
  LicensingActionEvent,
  LicensingBeforeCloseEvent,
  LicensingCloseEvent,
  LicensingErrorEvent,
  LicensingMessageRejectedEvent,
  LicensingStateChangeEvent,
} from './events.js';
import type { Language } from './locales/language.js';
import { errorText, statusAnnouncement, stepLine } from './locales/phrases.js';
import type { MessageRejection } from './opening/connection.js';
import { Opening, type OpeningEvent, type OpeningHost, type OpenRequest } from './opening/opening.js';
import { completeRedirectState } from './opening/redirect-state.js';
import { type ReturnEvent, ReturnHandler } from './opening/return-handler.js';
import { hasSource, SessionKeeper } from './opening/sessions.js';
import { type ApplicationStore, createApplicationStore } from './store/application-store.js';
import type { ApplicationSnapshot, StateSnapshot } from './store/snapshot.js';

// The list of applications loads this file for its cards, and reads them with the same code.
export { followText, readApplication } from './store/status-source.js';

/** The element, as its controller needs it. */
export interface ControllerHost
  extends OpeningHost, ChooserHost, Pick<ReactiveControllerHost, 'addController' | 'updateComplete'> {
  open: boolean;
}

/** The options of a controller. */
export interface ControllerOptions {
  host: ControllerHost;
  language(): Language;
  /** Opens again: after an error, or for a required action. */
  show(request: OpenRequest): Promise<boolean>;
  /** The state that the element has already. Default: `idle`. */
  state?: ElementState;
}

/**
 * The controller of one element: everything that its first card does not need. Opening, closing,
 * errors and statuses. Loaded on intent, on opening, and to show statuses.
 */
export class Controller implements ReactiveController {
  /** The state of the element. */
  state: ElementState;
  /** The session, between openings as well. */
  readonly sessions = new SessionKeeper();

  readonly #host: ControllerHost;
  readonly #language: () => Language;
  readonly #show: ControllerOptions['show'];
  readonly #store: ApplicationStore;
  readonly #chooser: StateChooser;
  readonly #returns: ReturnHandler;
  readonly #focus: FocusKeeper;
  readonly #diagnostics: Diagnostics;
  readonly #closeWaiters: ((result: CloseResult) => void)[] = [];
  #opening: Opening | undefined;
  #closing: Promise<boolean> | undefined;
  #failure: LicensingApplyError | undefined;
  #failedRequest: OpenRequest | undefined;
  #followedId: string;
  #announcement = '';

  constructor({ host, language, show, state = 'idle' }: ControllerOptions) {
    this.state = state;
    this.#host = host;
    this.#language = language;
    this.#show = show;
    this.#followedId = host.applicationId || '';
    this.#focus = createFocusKeeper(host);
    this.#diagnostics = createDiagnostics(host, state);
    this.#store = createApplicationStore({
      host,
      sessions: this.sessions,
      onChange: (before, after, changed) => this.#onStoreChange(before, after, changed),
      onComplete: () => completeRedirectState(host, this.snapshot.applicationId),
    });
    this.#chooser = new StateChooser({
      host,
      application: () => this.#application(),
      onChange: () => {
        host.requestUpdate();
      },
    });
    this.#returns = new ReturnHandler({
      host,
      store: this.#store,
      sessions: this.sessions,
      opening: () => this.#opening,
      report: (event) => this.#onEvent(event),
    });
    host.addController(this);
    // The card of before has no check boxes.
    if (host.chooseStates) host.requestUpdate();
    // Later: a listener of `licensing-complete` must find the element with this controller.
    queueMicrotask(() => this.#returns.restoreRedirect());
  }

  /** The data about the application. */
  get snapshot(): ApplicationSnapshot {
    return this.#store.snapshot;
  }

  /** Whether an application is open. */
  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  /** Whether the open application takes the place of the card. */
  get replacesCard(): boolean {
    return this.#container !== undefined && !this.#isModal && !this.snapshot.submitted;
  }

  /** Whether the browser blocks the popup. */
  get isBlocked(): boolean {
    return this.#container?.isFrame === false && !this.#container.window();
  }

  /** The text of the live region of the page. */
  get announcement(): string {
    return this.#isModal ? '' : this.#announcement;
  }

  hostConnected(): void {
    addEventListener('pageshow', this.#onPageShow);
  }

  hostDisconnected(): void {
    removeEventListener('pageshow', this.#onPageShow);
  }

  hostUpdated(): void {
    const root = this.#host.shadowRoot;
    if (!root) return;
    addStyles(root);
    this.#container?.rendered(root);
  }

  /** Renders the statuses or the error; undefined if the element shows its own card. */
  renderCard(language: Language): TemplateResult | undefined {
    const { snapshot } = this;
    const { texts, locale } = language;
    if (this.state === 'error' && this.#failure && !this.#chooser.hasFailed) {
      const card = renderErrorCard({ texts, error: this.#failure, onRetry: () => this.#retry() });
      return html`<slot name="error">${card}</slot>`;
    }
    if (!snapshot.submitted && snapshot.states.length === 0) return undefined;
    const canAnswer = (state: string) => this.#store.actionUrl(state) !== undefined;
    const { receiptUrl } = this.#store;
    return renderStatusList({
      texts,
      locale,
      snapshot,
      canAnswer,
      onAnswer: (state) => this.#answer(state),
      onShowReceipt: receiptUrl ? () => void this.#show({ reason: 'open', pageUrl: receiptUrl }) : undefined,
      more: this.#chooser.renderMore(language, () => {
        if (this.#chooser.newStates) void this.#show({ reason: 'open' });
        else this.#askForStates();
      }),
    });
  }

  /** Renders the choice of states; undefined if there is nothing to choose. */
  renderChoice(language: Language): StateChoice | undefined {
    return this.#chooser.render(language);
  }

  /** Renders the open application. */
  renderContainer({ texts, locale }: Language): TemplateResult | undefined {
    const announcement = this.#isModal ? this.#announcement : '';
    return this.#container?.render({ texts, locale, snapshot: this.snapshot, announcement });
  }

  /**
   * Returns the result of `show()` when there is nothing to open: `true` if the application is
   * open, `false` if it was submitted, or if the user must choose states first. Undefined if it can
   * be opened.
   */
  resultWithoutOpening({ pageUrl, session }: OpenRequest): boolean | undefined {
    if (pageUrl !== undefined) return undefined;
    // A hosted page with unsaved work may have kept the user here. Then another click opens again.
    const isLeaving = this.#opening?.mode === 'redirect' && this.state === 'connecting';
    if (this.isOpen && !isLeaving) return true;
    // A session of the page has its states already.
    const newStates = session ? undefined : this.#chooser.newStates;
    if (newStates?.length === 0) {
      this.#askForStates();
      return false;
    }
    return newStates || this.#store.phase === 'unsubmitted' ? undefined : false;
  }

  /** Opens the application. Resolves with whether it is loading. */
  async open(request: OpenRequest): Promise<boolean> {
    this.#finish('call');
    this.#failure = this.#failedRequest = undefined;
    this.#chooser.clearNote();
    this.#announce('');
    this.#focus.save();
    this.#host.open = true;
    const states = request.pageUrl || request.session ? undefined : this.#chooser.newStates;
    // A late status of the present application would look like the result of the new one.
    if (states) this.#store.stop();
    // The server may have refused the status before the user signed in again.
    if (this.#store.isFollowing) void this.#store.refresh();
    this.#opening = new Opening({
      host: this.#host,
      request: states ? { ...request, reason: 'open', states } : request,
      store: this.#store,
      sessions: this.sessions,
      language: this.#language,
      report: (event) => this.#onEvent(event),
    });
    return this.#opening.present();
  }

  /** Resolves with whether the application is closed. `force` asks neither page nor user. */
  close(by: CloseCause, force: boolean): Promise<boolean> {
    if (force) this.#finish(by);
    if (!this.#opening) return Promise.resolve(true);
    this.#closing ??= this.#closeUnlessPrevented(this.#opening, by).finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  /** Resolves to the result of the current opening, or of the next one if there is none. */
  whenClosed(): Promise<CloseResult> {
    return new Promise((resolve) => this.#closeWaiters.push(resolve));
  }

  /** Asks the hosted page to go one step back. Resolves with whether it did. */
  async navigateBack(): Promise<boolean> {
    return (await this.#opening?.connection?.navigateBack()) ?? false;
  }

  /** Returns the data for a support ticket. */
  diagnose(): Diagnosis {
    return this.#diagnostics.diagnose(this.state, this.sessions.session?.applicationUrl ?? '');
  }

  /** Sends the appearance to the hosted page again. */
  configure(): void {
    this.#opening?.connection?.configure();
  }

  /** Follows the application that the attributes name, once no application is open. */
  followAttributes(): void {
    if (this.isOpen || !this.#host.isConnected) return;
    const applicationId = this.#host.applicationId || '';
    if (applicationId !== this.#followedId) {
      this.#followedId = applicationId;
      // The page may set the id of the application that was created here, which changes nothing.
      if (this.sessions.session?.applicationId !== applicationId) {
        this.sessions.clear();
        this.#store.reset();
        this.#changeState({ type: 'reset' });
      }
    }
    if (applicationId || this.snapshot.submitted) this.#store.follow();
  }

  /** Clears the error about a missing configuration, after attributes changed. */
  clearConfigurationError(): void {
    if (this.state === 'error' && this.#failure?.code === 'not_configured') this.#changeState({ type: 'reset' });
  }

  /** Ends everything without asking: the element left the document. */
  disconnect(): void {
    this.#returns.stop();
    this.#store.stop();
    this.#finish('call');
  }

  get #container(): Container | undefined {
    return this.#opening?.container;
  }

  /** A modal makes the rest of the page inert, so then its own live region announces. */
  get #isModal(): boolean {
    return this.#container?.mode === 'modal';
  }

  #application(): ChosenApplication | undefined {
    const { session } = this.sessions;
    const { applicationId, submitted, requestedStates = [], states } = this.snapshot;
    if (!session && !applicationId && !submitted) return undefined;
    const codes = [...codesOf(session?.states), ...requestedStates, ...states.map(({ state }) => state)];
    return { states: codes, isSubmitted: submitted };
  }

  #askForStates(): void {
    if (this.state === 'preparing') this.#changeState({ type: 'reset' });
    this.#chooser.ask();
    this.#announce(this.#language().texts.chooseOne);
    void this.#host.updateComplete.then(() => this.#host.shadowRoot?.querySelector('input')?.focus());
  }

  /** While the page was in the back/forward cache, the user may have submitted in another window. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && !this.isOpen && this.sessions.session) void this.#store.refresh();
  };

  #onEvent(event: OpeningEvent | ReturnEvent): void {
    switch (event.type) {
      case 'open':
      case 'load':
      case 'show':
        this.#changeState(event);
        if (event.type === 'load') this.#chooser.clear();
        // A redirect takes this page along, and a listener may have closed the application.
        if (event.type === 'load' && this.#container) this.#returns.listen();
        break;
      case 'announce':
        this.#announce(event.text);
        break;
      case 'closerequest':
        void this.close(event.by, false);
        break;
      case 'end':
        this.#finish(event.by, event.outcome);
        break;
      case 'restore':
        this.#onClosed('return', event.outcome);
        break;
      case 'fail':
        this.#fail(event.error);
        break;
      case 'error':
        this.#reportError(event.error);
        break;
      case 'message':
        this.#diagnostics.recordMessage(event.name);
        break;
      case 'reject':
        this.#reject(event);
        break;
    }
  }

  #changeState(event: ElementStateEvent): void {
    const from = this.state;
    this.state = nextState(from, event);
    this.#host.requestUpdate();
    if (from !== this.state) this.#host.dispatchEvent(new LicensingStateChangeEvent({ from, to: this.state }));
  }

  #announce(text: string): void {
    this.#announcement = text;
    this.#host.requestUpdate();
  }

  #reject({ origin, reason, versions }: MessageRejection): void {
    this.#host.dispatchEvent(new LicensingMessageRejectedEvent({ origin, reason }));
    if (versions) this.#reportError(new LicensingApplyError('protocol_mismatch', versions));
  }

  #reportError(error: LicensingApplyError): void {
    const displayMessage = errorText(this.#language().texts, error);
    this.#announce(displayMessage);
    this.#host.dispatchEvent(new LicensingErrorEvent(error, displayMessage));
  }

  #onStoreChange(before: ApplicationSnapshot, after: ApplicationSnapshot, changed: readonly StateSnapshot[]): void {
    const language = this.#language();
    const { texts } = language;
    const step = stepLine(texts, after);
    if (changed.length > 0) this.#announce(statusAnnouncement(language, changed));
    else if (step !== stepLine(texts, before)) this.#announce(after.submitted ? texts.submittedTitle : step);
    const purpose = this.#opening?.request.pageUrl ? 'page' : 'application';
    this.#changeState({ type: 'update', phase: this.#store.phase, purpose });
    // A closed popup reports nothing more. After the events of the outcome.
    if (this.#container?.window()?.closed && after.submitted) queueMicrotask(() => this.#finish('window'));
  }

  async #closeUnlessPrevented(opening: Opening, by: CloseCause): Promise<boolean> {
    const isOver = () => this.#opening !== opening;
    // A page that is too busy to answer has reported before whether it has unsaved input.
    const { dirty, savedAt } = (await opening.connection?.confirmClose()) ?? this.snapshot;
    if (isOver()) return true;
    if (!this.#host.dispatchEvent(new LicensingBeforeCloseEvent({ dirty, by }))) return false;
    const container = dirty && !isOver() ? opening.container : undefined;
    if (container && !(await container.askToLeave(savedAt)) && !isOver()) return false;
    if (!isOver()) this.#finish(by);
    return true;
  }

  /** Every end of an opening except an error. */
  #finish(by: CloseCause, outcome?: CloseOutcome): void {
    if (!this.#opening) return;
    const { isConnected, container } = this.#opening;
    // Before it has loaded, nothing was submitted. A popup can continue without a connection to us.
    const isNotLoaded = this.state === 'preparing' || (this.state === 'connecting' && container?.isFrame);
    this.#endOpening();
    this.#onClosed(by, outcome ?? (isConnected || isNotLoaded ? 'unsubmitted' : 'unknown'));
  }

  #onClosed(by: CloseCause, outcome: CloseOutcome): void {
    const { phase } = this.#store;
    this.#changeState({ type: 'close', phase });
    const result: CloseResult = { outcome: phase === 'unsubmitted' ? outcome : 'submitted', by };
    this.#host.dispatchEvent(new LicensingCloseEvent(result));
    this.#resolveClosed(result);
    // An element that left the document must not start to follow again.
    if (phase !== 'unsubmitted' && this.#host.isConnected) void this.#store.refresh();
    if (this.state === 'closed') this.#announce('');
    this.#onEnded();
  }

  #fail(error: LicensingApplyError): void {
    this.#failedRequest = this.#opening?.request;
    this.#failure = error;
    // The statuses of the present application stay, and the error shows where the user started.
    if (this.#failedRequest?.states && this.snapshot.submitted) this.#chooser.fail(error);
    this.#endOpening();
    this.#changeState({ type: 'fail' });
    this.#reportError(error);
    this.#resolveClosed({ outcome: 'failed', by: 'page' });
    this.#onEnded();
  }

  #endOpening(): void {
    const opening = this.#opening;
    if (!opening) return;
    this.#opening = undefined;
    this.#host.open = false;
    opening.end();
    // Unsaved input went with the page.
    if (this.snapshot.dirty) this.#store.dispatchReport({ dirty: false });
  }

  #resolveClosed(result: CloseResult): void {
    for (const resolve of this.#closeWaiters.splice(0)) resolve(result);
  }

  #onEnded(): void {
    this.followAttributes();
    void this.#host.updateComplete.then(() => this.#focus.restore());
  }

  #retry(): void {
    const { mode, pageUrl } = this.#failedRequest ?? {};
    if (pageUrl !== undefined || this.sessions.usable() || hasSource(this.#host)) {
      void this.#show({ reason: 'open', mode, pageUrl });
      return;
    }
    // Only the page can create another session, on a click of its trigger.
    this.#focus.save();
    this.#announce('');
    this.#changeState({ type: 'reset' });
    this.#onEnded();
  }

  #answer(stateCode: string): void {
    const url = this.#store.actionUrl(stateCode);
    if (url === undefined) return;
    const { reason = '' } = this.snapshot.states.find(({ state }) => state === stateCode) ?? {};
    const event = new LicensingActionEvent({ url, state: stateCode, reason });
    const openHere = () => void this.#show({ reason: 'open', pageUrl: url });
    if (this.#host.dispatchEvent(event)) openHere();
    else event.handled?.then(() => this.#store.refresh(), openHere);
  }
}

/** The first card needs none of these styles, so they load with this file. */
function addStyles(root: ShadowRoot): void {
  for (const { styleSheet } of [statusStyles, chooserStyles, containerStyles])
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
}
