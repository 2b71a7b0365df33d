import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PartnerApplication } from '../../contract/index.js';
import { cardStyles } from '../card/card-styles.js';
import { changing } from '../card/changing.js';
import { codesOf } from '../card/trigger-card.js';
import type { LicensingApply } from '../licensing-apply.js';
import { type Language, languageFor, loadLanguage, localeOf, observeLanguages } from '../locales/language.js';
import type { OpenMode } from '../modes.js';
import type { SessionProvider } from '../opening/sessions.js';
import { type ApplicationList, createApplicationList } from './application-list.js';
import { listStyles } from './list-styles.js';

/** The states of the list, one at a time. Each is also a custom state, as in `:state(loading)`. */
export type ListState = 'loading' | 'empty' | 'ready' | 'error';

/** `licensing-listchange`: the list was read and has other applications, or could not be read. */
export class LicensingListChangeEvent extends Event {
  /** The state of the list. */
  declare readonly state: ListState;
  /** The number of applications. */
  declare readonly count: number;

  constructor(fields: Pick<LicensingListChangeEvent, 'state' | 'count'>) {
    super('licensing-listchange', { bubbles: true, composed: true });
    Object.assign(this, fields);
  }
}

/** A card of the list. The key is of the card, so that a card keeps its element. */
interface Card {
  key: number;
  /** "" of the card for a new application. */
  applicationId: string;
}

/** The parts of the cards, which a page styles from outside the list. */
const cardParts =
  'card, title, facts, choice, option, more-states, button, quiet-button, status-list, state, action-button, receipt, error, dialog, inline, header, progress, window-link, close, body, frame, footer, question';

/** One object, so that a card without fees does not change with each rendering. */
const noFees = {};

/**
 * The applications of the signed-in user, newest first, each with the card of `<licensing-apply>`:
 * its progress and a button to continue, or the status of each state. One source reads all of them.
 * Nearest platform element: a list, `<ul>`.
 *
 * The events of the cards bubble to the list.
 *
 * @summary All license applications of a user, with the card of each.
 * @slot loading - Shows until the applications are read, in place of the skeleton.
 * @slot empty - Shows when the user has no application and `allow-new` is not set.
 * @slot error - Shows when the applications cannot be read. Call `refresh()` to try again.
 * @slot new - Opens a new application, in place of its card. Any click in it opens. Needs `allow-new`.
 * @fires {LicensingListChangeEvent} licensing-listchange - The list has other applications, or could not be read.
 *
 * @csspart list - The list of cards.
 * @csspart item - A card with its place in the list. All parts of `<licensing-apply>` are exported as well.
 * @csspart skeleton - The placeholder until the applications are read.
 * @csspart empty - The card of an empty list.
 * @csspart error - The card of an error, and the error cards of applications.
 * @csspart more - The button that shows the older applications.
 *
 * @cssstate loading - The applications are being read.
 * @cssstate empty - There is no application.
 * @cssstate ready - There are applications.
 * @cssstate error - The applications cannot be read.
 */
export class LicensingApplications extends LitElement {
  static override readonly styles = [cardStyles, listStyles];

  static override get properties() {
    return {
      sessionUrl: { attribute: 'session-url' },
      applicationsUrl: { attribute: 'applications-url' },
      allowNew: { attribute: 'allow-new', type: Boolean },
      limit: { type: Number },
      states: {},
      chooseStates: { attribute: 'choose-states' },
      stateFees: { attribute: 'state-fees', type: Object },
      estimatedFee: { attribute: 'estimated-fee', type: Number },
      mode: {},
      fallback: {},
      preload: {},
      allow: {},
      locale: {},
      theme: { reflect: true },
      sessionProvider: { attribute: false },
    };
  }

  /** The route of your backend that creates sessions, such as that of `createLicensingHandler`. */
  declare sessionUrl: string;
  /** The URL that answers `GET` with the applications. Default: `applications` beside `session-url`. */
  declare applicationsUrl: string;
  /** Whether the list starts with a card for a new application. */
  declare allowNew: boolean;
  /** The number of applications that are shown at first. A button shows the others. Default: 5. */
  declare limit: number;
  /** The states that the card for a new application names, such as `TX,CA`. */
  declare states: string;
  /**
   * The states from which the user chooses on that card, as for `<licensing-apply>`, without the
   * undecided states of other applications. Default: none.
   */
  declare chooseStates: string;
  /** The fees of each state of `choose-states`, as for `<licensing-apply>`. Default: none. */
  declare stateFees: Readonly<Record<string, number>> | undefined;
  /** The fees that the card for a new application names, in US dollars. */
  declare estimatedFee: number | undefined;
  /** How an application opens, as for `<licensing-apply>`. Default: `modal`. */
  declare mode: OpenMode | 'auto';
  /** The modes to try when `mode` fails, as for `<licensing-apply>`. */
  declare fallback: string;
  /** Whether the rest loads when the user points at or focuses a card. Default: `intent`. */
  declare preload: 'intent' | 'none';
  /** More permissions for the frame, such as `camera; microphone`. Default: none. */
  declare allow: string;
  /** The language tag. Default: the `lang` around the element, else the browser's. */
  declare locale: string;
  /** The colors. Default: `auto`, the `color-scheme` around the element. */
  declare theme: 'auto' | 'light' | 'dark';
  /** Creates sessions. Overrides `session-url`. */
  declare sessionProvider: SessionProvider | undefined;

  readonly #internals: ElementInternals;
  #stopObservingLanguages: (() => void) | undefined;
  #list: ApplicationList | undefined;
  #reading: AbortController | undefined;
  #readUrl = '';
  /** Whether the code of the cards could not be loaded. */
  #hasLoadFailed = false;
  #isShowingAll = false;
  #announcedCount = 0;
  #announcedState: ListState = 'loading';
  /** The cards of applications, by id. */
  readonly #keys = new Map<string, number>();
  #keyCount = 0;
  /** The card for a new application, and the id of the application that it has open. */
  #newCard: Card = { key: 0, applicationId: '' };
  /** Applications of this page that the list does not have yet, newest first. */
  #startedIds: readonly string[] = [];

  constructor() {
    super();
    this.sessionUrl = '';
    this.applicationsUrl = '';
    this.allowNew = false;
    this.limit = 5;
    this.states = '';
    this.chooseStates = '';
    this.mode = 'modal';
    this.fallback = '';
    this.preload = 'intent';
    this.allow = '';
    this.locale = '';
    this.theme = 'auto';
    this.#internals = this.attachInternals();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopObservingLanguages = observeLanguages(() => this.requestUpdate('locale'));
    this.requestUpdate('applicationsUrl');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopObservingLanguages?.();
    // A move is a removal and an insertion in one task.
    queueMicrotask(() => this.isConnected || this.#stop());
  }

  /** A move that keeps the frame alive (`moveBefore`) is no removal. */
  connectedMoveCallback(): void {}

  /** A Spanish list renders once its texts are loaded, not in English first. */
  protected override scheduleUpdate(): Promise<unknown> | undefined {
    const loading = loadLanguage(localeOf(this));
    return loading ? loading.then(() => super.scheduleUpdate()) : void super.scheduleUpdate();
  }

  /** The state of the list; also its custom state, as in `licensing-applications:state(empty)`. */
  get state(): ListState {
    if (this.#hasLoadFailed || this.#list?.failedStatus !== undefined) return 'error';
    const count = this.#list?.applications?.length;
    return count === undefined ? 'loading' : count > 0 || this.#startedIds.length > 0 ? 'ready' : 'empty';
  }

  /** Reads the applications now, also after an error. Resolves once they are shown, or failed. */
  async refresh(): Promise<void> {
    if (this.#list) await this.#list.refresh();
    else await this.#start();
    await this.updateComplete;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('sessionUrl') || changed.has('applicationsUrl')) void this.#start();
  }

  protected override updated(): void {
    const { state } = this;
    try {
      this.#internals.states.clear();
      this.#internals.states.add(state);
    } catch {
      // Safari before 17.4 refuses names without two dashes, and has no `:state()` to select them.
    }
    const count = this.#list?.applications?.length ?? 0;
    if (state === this.#announcedState && count === this.#announcedCount) return;
    this.#announcedState = state;
    this.#announcedCount = count;
    this.dispatchEvent(new LicensingListChangeEvent({ state, count }));
  }

  protected override render(): TemplateResult {
    const language = languageFor(localeOf(this));
    const { texts } = language;
    const { state } = this;
    const spoken = state === 'loading' ? texts.listLoading : state === 'error' ? this.#failure(language) : '';
    return html`<section
      lang=${language.locale}
      dir=${language.direction}
      aria-label=${texts.listTitle}
      aria-busy=${state === 'loading'}
      @licensing-statechange=${this.#onCardChange}
      @licensing-progress=${this.#onCardChange}
    >
      ${state === 'loading' ? this.#renderSkeleton() : state === 'error' ? this.#renderError(language) : this.#renderList(language)}
      <div class="hidden" role="status">${changing(spoken)}</div>
    </section>`;
  }

  #renderSkeleton(): TemplateResult {
    return html`<slot name="loading"
      ><div class="card skeleton" part="skeleton"><i></i><i></i><i></i></div
    ></slot>`;
  }

  #renderError(language: Language): TemplateResult {
    return html`<slot name="error"
      ><div class="card" part="error">
        <p class="failure">${changing(this.#failure(language))}</p>
        <button class="button" part="button" @click=${() => void this.refresh()}>${language.texts.retry}</button>
      </div></slot
    >`;
  }

  #renderList({ texts }: Language): TemplateResult {
    const cards = this.#cards();
    const first = this.#isShowingAll ? cards.length : Math.max(this.limit || 0, 1) + (this.#allowsNew() ? 1 : 0);
    const hidden = cards.length - first;
    if (cards.length === 0) {
      return html`<slot name="empty"
        ><div class="card" part="empty"><p class="muted">${texts.listEmpty}</p></div></slot
      >`;
    }
    return html`<ul role="list" part="list">
        ${repeat(
          cards.slice(0, first),
          ({ key }) => key,
          (card) => html`<li part="item" tabindex="-1">${this.#renderCard(card)}</li>`,
        )}
      </ul>
      ${
        hidden > 0
          ? html`<button class="quiet button" part="more" @click=${this.#showAll}>
              ${changing(texts.listMore({ count: hidden }))}
            </button>`
          : nothing
      }`;
  }

  #renderCard({ key, applicationId }: Card): TemplateResult {
    const isNew = key === this.#newCard.key;
    // A slot without content would still take the place of the card.
    const hasOwnTrigger = isNew && this.querySelector(':scope > [slot=new]') !== null;
    // The id finds the card again after a redirect. Later cards for new applications have another,
    // or they would find the application of the first one.
    return html`<licensing-apply
      id=${isNew ? `new-application-${key}` : `application-${applicationId}`}
      exportparts=${cardParts}
      session-url=${this.sessionUrl}
      application-id=${isNew ? '' : applicationId}
      states=${isNew ? this.states : ''}
      choose-states=${isNew ? this.#leftToChoose().join() : ''}
      estimated-fee=${ifDefined(isNew ? this.estimatedFee : undefined)}
      mode=${this.mode}
      fallback=${this.fallback}
      preload=${this.preload}
      allow=${this.allow}
      theme=${this.theme}
      .stateFees=${(isNew && this.stateFees) || noFees}
      .sessionProvider=${this.sessionProvider}
      .followStatus=${this.#list?.follow}
      >${hasOwnTrigger ? html`<slot name="new" slot="trigger"></slot>` : nothing}</licensing-apply
    >`;
  }

  /** The cards in their order: that of a new application, then the applications, newest first. */
  #cards(): Card[] {
    const listed = (this.#list?.applications ?? []).map(({ applicationId }) => applicationId);
    const ids = [...this.#startedIds.filter((id) => !listed.includes(id)), ...listed];
    const isOpen = this.#newCard.applicationId !== '';
    const others = ids.filter((id) => id !== this.#newCard.applicationId);
    const cards = others.map((applicationId) => ({ applicationId, key: this.#keyOf(applicationId) }));
    return isOpen || this.#allowsNew() ? [this.#newCard, ...cards] : cards;
  }

  /** Whether there is a card for a new application: not when no state is left to choose. */
  #allowsNew(): boolean {
    return this.allowNew && (!this.chooseStates || this.#leftToChoose().length > 0);
  }

  /** Undecided states of other applications are left out, so that the user does not pay twice. */
  #leftToChoose(): string[] {
    const own = this.#newCard.applicationId;
    const others = (this.#list?.applications ?? []).filter(({ applicationId }) => applicationId !== own);
    const underWay = new Set(others.flatMap(statesUnderWay));
    return codesOf(this.chooseStates).filter((code) => !underWay.has(code));
  }

  #keyOf(applicationId: string): number {
    const key = this.#keys.get(applicationId) ?? (this.#keyCount += 1);
    this.#keys.set(applicationId, key);
    return key;
  }

  /**
   * The card for a new application becomes the card of the application that it opened. While it is
   * open it keeps its place, because a frame that is moved loads again.
   */
  readonly #onCardChange = ({ target }: Event): void => {
    const card = target as LicensingApply;
    if (card.id !== `new-application-${this.#newCard.key}`) return;
    const { applicationId } = card.snapshot;
    if (!applicationId) return;
    const { key } = this.#newCard;
    this.#keys.set(applicationId, key);
    if (card.open) this.#newCard = { key, applicationId };
    else {
      this.#startedIds = [applicationId, ...this.#startedIds];
      this.#newCard = { key: (this.#keyCount += 1), applicationId: '' };
      void this.#list?.refresh();
    }
    this.requestUpdate();
  };

  readonly #showAll = (): void => {
    const first = this.renderRoot.querySelectorAll('li').length;
    this.#isShowingAll = true;
    this.requestUpdate();
    // The button is gone, and with it the focus.
    void this.updateComplete.then(() => this.renderRoot.querySelectorAll('li')[first]?.focus());
  };

  async #start(): Promise<void> {
    const url = this.applicationsUrl || (this.sessionUrl || '').replace(/\/sessions\/?(?:[?#].*)?$/, '/applications');
    if (!this.isConnected || !url || (url === this.#readUrl && this.#reading)) return;
    this.#stop();
    this.#readUrl = url;
    const reading = (this.#reading = new AbortController());
    try {
      // The cards need it anyway. Loaded before them, they render their application at once.
      const engine = await import('../controller.js');
      if (reading.signal.aborted) return;
      const onChange = () => this.requestUpdate();
      this.#list = createApplicationList({ url, engine, signal: reading.signal, onChange });
    } catch {
      if (reading.signal.aborted) return;
      this.#reading = undefined;
      this.#hasLoadFailed = true;
    }
    this.requestUpdate();
  }

  #stop(): void {
    this.#reading?.abort();
    this.#reading = this.#list = undefined;
    this.#hasLoadFailed = false;
  }

  #failure({ texts }: Language): string {
    if (this.#list?.failedStatus === 401) return texts.errors.not_signed_in;
    return navigator.onLine ? texts.listFailed : texts.errors.offline;
  }
}

/** The states of an application that are not decided. A denied one can be applied for again, an approved one renewed. */
function statesUnderWay({ progress, states, requestedStates = [] }: PartnerApplication): readonly string[] {
  if (progress.step !== 'submitted') return requestedStates;
  return states.flatMap(({ state, status }) => (status === 'approved' || status === 'denied' ? [] : [state]));
}

declare global {
  interface HTMLElementTagNameMap {
    'licensing-applications': LicensingApplications;
  }
  interface HTMLElementEventMap {
    'licensing-listchange': LicensingListChangeEvent;
  }
}
