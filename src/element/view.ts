import { html, type TemplateResult } from 'lit';
import { renderErrorCard } from './card/error-card.js';
import { renderStatusList } from './card/status-list.js';
import { statusStyles } from './card/status-styles.js';
import type { Container } from './container/container.js';
import { containerStyles } from './container/container-styles.js';
import type { LicensingApplyError } from './errors.js';
import type { Language } from './locales/language.js';
import { statusAnnouncement, stepLine } from './locales/phrases.js';
import type { ApplicationStore } from './store/application-store.js';
import type { ApplicationSnapshot, StateSnapshot } from './store/snapshot.js';

/** The options of a view. */
export interface ViewOptions {
  store: ApplicationStore;
  language(): Language;
  /** Returns the container of the present opening. */
  container(): Container | undefined;
  /** Returns the error that the card shows. */
  failure(): LicensingApplyError | undefined;
  requestUpdate(): void;
  onRetry(): void;
  onAnswer(state: string): void;
}

/** The contents of the element besides its first card, and its announcements. */
export interface View {
  /** The text of the live region of the page. */
  readonly announcement: string;
  /** Whether the open application takes the place of the card. */
  readonly replacesCard: boolean;
  /** Whether the browser blocks the popup. */
  readonly isBlocked: boolean;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Announces changes: of statuses, else of the step. */
  announceChange(before: ApplicationSnapshot, after: ApplicationSnapshot, changed: readonly StateSnapshot[]): void;
  /** Renders the statuses or the error; undefined if the element shows its own card. */
  renderCard(language: Language): TemplateResult | undefined;
  /** Renders the open application. */
  renderContainer(language: Language): TemplateResult | undefined;
  /** Must be called after each rendering. */
  rendered(root: ShadowRoot): void;
}

/** Creates the view of one element. */
export function createView(options: ViewOptions): View {
  const { store, container } = options;
  let announcement = '';

  // A modal makes the rest of the page inert, so then its own live region announces.
  const isModal = () => container()?.mode === 'modal';

  function announce(text: string): void {
    announcement = text;
    options.requestUpdate();
  }

  return {
    get announcement() {
      return isModal() ? '' : announcement;
    },
    get replacesCard() {
      return container() !== undefined && !isModal() && !store.snapshot.submitted;
    },
    get isBlocked() {
      const opened = container();
      return opened?.isFrame === false && !opened.window();
    },
    announce,
    announceChange(before, after, changed) {
      const language = options.language();
      const { texts } = language;
      const step = stepLine(texts, after);
      if (changed.length > 0) announce(statusAnnouncement(language, changed));
      else if (step !== stepLine(texts, before)) announce(after.submitted ? texts.submittedTitle : step);
    },
    renderCard({ texts, locale }) {
      const { snapshot } = store;
      const error = options.failure();
      if (error) {
        const card = renderErrorCard({ texts, error, onRetry: options.onRetry });
        return html`<slot name="error">${card}</slot>`;
      }
      if (!snapshot.submitted && snapshot.states.length === 0) return undefined;
      const canAnswer = (state: string) => store.actionUrl(state) !== undefined;
      return renderStatusList({ texts, locale, snapshot, canAnswer, onAnswer: options.onAnswer });
    },
    renderContainer({ texts, locale }) {
      const { snapshot } = store;
      return container()?.render({ texts, locale, snapshot, announcement: isModal() ? announcement : '' });
    },
    rendered(root) {
      addStyles(root);
      container()?.rendered(root);
    },
  };
}

/** The first card needs none of these styles, so they load with this file. */
function addStyles(root: ShadowRoot): void {
  for (const { styleSheet } of [statusStyles, containerStyles])
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
}
