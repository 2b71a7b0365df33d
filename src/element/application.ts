import type { TemplateResult } from 'lit';
import { html } from 'lit';
import { type ApplicationFlow, createApplicationFlow, type FlowHost } from './opening/application-flow.js';
import { type ApplicationNews, createApplicationNews } from './status/application-news.js';
import { findAway } from './opening/away.js';
import { markStates } from './custom-states.js';
import { createDiagnosis, type Diagnosis } from './diagnosis.js';
import { renderErrorCard } from './card/error-card.js';
import { LicensingActionEvent, LicensingStateChangeEvent } from './events/events.js';
import { createFocusKeeper } from './card/focus-keeper.js';
import { stepLine } from './locales/formats.js';
import { stateName } from './locales/state-name.js';
import type { Language } from './locales/language.js';
import { createSessionKeeper, type SessionKeeper } from './opening/session-keeper.js';
import type { ApplicationSnapshot, StateSnapshot } from './status/snapshot.js';
import { renderStatusList, statusName } from './status/status-list.js';

/** The element that an application belongs to. */
export interface ApplicationHost extends FlowHost {
  readonly updateComplete: Promise<unknown>;
}

/** What an application tells its element. */
export interface ApplicationOptions {
  host: ApplicationHost;
  language(): Language;
  /** Where the state goes as a custom state. */
  internals: ElementInternals;
}

/** All of the element that is not needed to show the first card: loaded on intent, on opening, or to show statuses. */
export interface Application {
  readonly flow: ApplicationFlow;
  /** Tells what happened since this was loaded. */
  diagnose(): Diagnosis;
  readonly news: Pick<ApplicationNews, 'snapshot'>;
  readonly sessions: Pick<SessionKeeper, 'session' | 'usable'>;
  /** Turns to the application and the addresses that the element names now. The one that is open stays until it is closed. */
  follow(): void;
  /** The statuses or the failure, where there are some; else the element shows its own card. */
  renderCard(language: Language): TemplateResult | undefined;
  /** The surface, if open. */
  renderSurface(language: Language): TemplateResult | undefined;
  /** What the live region says. */
  announcement(): string;
  /** Tells the hosted page how it is shown now. */
  configure(): void;
  /** To be called after each rendering. */
  rendered(root: ShadowRoot): void;
}

/** Creates the application of one element. */
export function createApplication({ host, language, internals }: ApplicationOptions): Application {
  let announcement = '';
  let named = host.applicationId || '';
  const focus = createFocusKeeper(host);
  const sessions = createSessionKeeper();
  const news = createApplicationNews({ host, sessions, onLearn });
  const flow = createApplicationFlow({
    host,
    news,
    sessions,
    language,
    announce,
    onState(from, to) {
      mark();
      host.dispatchEvent(new LicensingStateChangeEvent({ from, to }));
    },
    onHear(type) {
      diagnostics.hear(type);
    },
    onOpen() {
      // What failed before is over.
      announce('');
      focus.remember();
    },
    onShut() {
      // Of an application that is put aside nothing is to be said once more.
      if (flow.state === 'closed') announce('');
      follow();
      void host.updateComplete.then(focus.restore);
    },
  });

  /** A modal makes the rest of the page inert, and live regions with it: only the one inside is heard then. */
  function isModal(): boolean {
    return flow.surface?.mode === 'modal';
  }

  function mark(): void {
    markStates(internals, flow.state, flow.surface);
  }

  function follow(): void {
    if (flow.isOpen) return;
    const applicationId = host.applicationId || '';
    if (applicationId !== named) {
      named = applicationId;
      // To be told the id of the application that was made here is no news.
      if (sessions.session?.applicationId !== named) {
        sessions.forget();
        news.reset();
        flow.reset();
      }
    }
    if (named || news.snapshot().submitted) news.follow();
  }

  function announce(text: string): void {
    announcement = text;
    host.requestUpdate();
  }

  function onLearn(before: ApplicationSnapshot, after: ApplicationSnapshot, changed: readonly StateSnapshot[]): void {
    const { texts: said } = language();
    const step = stepLine(said, after);
    if (changed.length > 0)
      announce(changed.map((fact) => `${stateName(fact.state)}: ${statusName(said, fact)}.`).join(' '));
    else if (step !== stepLine(said, before)) announce(after.submitted ? said.submittedTitle : step);
    flow.settle();
  }

  function answer(state: string): void {
    const url = news.actionUrl(state);
    if (url === undefined) return;
    const { reason = '' } = news.snapshot().states.find((fact) => fact.state === state) ?? {};
    const event = new LicensingActionEvent({ url, state, reason });
    const openHere = () => void flow.open({ reason: 'open', actionUrl: url });
    if (host.dispatchEvent(event)) openHere();
    else event.handled?.then(news.refresh, openHere);
  }

  /** Takes up what an earlier document of this site left when it gave way to the application. */
  function takeUp(): void {
    const { away, status } = findAway(host.id) ?? {};
    if (!away) return;
    const { element: _element, state: returnState, ...known } = away;
    sessions.take({ applicationUrl: '', ...(returnState && { returnState }), ...known });
    news.follow();
    if (status) flow.comeBack(status);
  }

  const diagnostics = createDiagnosis({
    host,
    state: () => flow.state,
    address: () => sessions.session?.applicationUrl ?? '',
  });
  takeUp();
  return {
    flow,
    diagnose: diagnostics.diagnose,
    news,
    sessions,
    follow,
    renderCard({ texts: said, locale }) {
      const snapshot = news.snapshot();
      if (flow.failure) {
        const card = renderErrorCard({ texts: said, error: flow.failure, onRetry: () => void flow.retry() });
        return html`<slot name="error">${card}</slot>`;
      }
      if (!snapshot.submitted && snapshot.states.length === 0) return undefined;
      const canAnswer = (state: string) => news.actionUrl(state) !== undefined;
      return renderStatusList({ texts: said, locale, snapshot, canAnswer, onAnswer: answer });
    },
    renderSurface({ texts: said, locale }) {
      const snapshot = news.snapshot();
      return flow.surface?.render({ texts: said, locale, snapshot, announcement: isModal() ? announcement : '' });
    },
    announcement: () => (isModal() ? '' : announcement),
    configure() {
      flow.surface?.connection?.configure();
    },
    rendered(root) {
      flow.surface?.rendered(root);
      mark();
    },
  };
}
