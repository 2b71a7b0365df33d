import type { Application, ApplicationState, ApplicationStatus, Progress, ProgressStep } from '../../contract/index.js';

/** A piece of news about the application. `order` counts what the page said, so that later words replace earlier ones. */
export type Fact =
  | ({ source: 'message'; order: number } & PageNews)
  | { source: 'return' }
  | { source: 'server'; application: ServerReport };

/** What the server says. */
export type ServerReport = Pick<Application, 'applicationId' | 'progress' | 'states' | 'submittedAt'>;

/** What a message of the hosted page can say. */
export type PageNews =
  | { snapshot: PageSnapshot; submitted?: boolean }
  | { dirty: boolean }
  | { action: { state: string; actionUrl: string } };

/** Who said that the application was submitted. */
export type CompletionSource = Fact['source'];

/** What the hosted page says of itself; every message carries all of it. */
export interface PageSnapshot {
  step: ProgressStep;
  index: number;
  count: number;
  dirty: boolean;
  savedAt?: string | undefined;
  states: readonly { state: string; status: ApplicationStatus }[];
}

/** The status of one state, and who said so. */
export interface StateFact {
  state: string;
  status: ApplicationStatus;
  /** When the department said so, ISO 8601 in UTC; "" when only the page told. */
  updatedAt: string;
  reason: string;
  actionUrl: string;
  /** The server outranks the page, a final status outranks an open one, then the later wins. */
  order: number;
}

/** All that is known of one application. */
export interface ApplicationFacts {
  readonly page?: { readonly order: number; readonly snapshot: PageSnapshot };
  readonly dirty?: { readonly order: number; readonly dirty: boolean };
  readonly server?: Progress & { readonly order: number };
  readonly submitted: boolean;
  /** Whether the server said that it was submitted. */
  readonly verified: boolean;
  readonly states: Readonly<Record<string, StateFact>>;
  readonly actions: Readonly<Record<string, { readonly order: number; readonly url: string }>>;
}

/** Nothing known yet. */
export const noFacts: ApplicationFacts = {
  submitted: false,
  verified: false,
  states: {},
  actions: {},
};

/**
 * Adds one fact. Each part only ever moves up in a total order of its own, therefore any order of arrival and any number
 * of repetitions end in the same facts: the server outranks the page, a final status outranks an open one, then the later wins.
 */
export function learn(facts: ApplicationFacts, fact: Fact): ApplicationFacts {
  if (fact.source === 'return') return { ...facts, submitted: true };
  if (fact.source === 'server') return learnFromServer(facts, fact.application);
  if ('action' in fact) return learnAction(facts, fact);
  if ('dirty' in fact) return { ...facts, dirty: later(facts.dirty, { order: fact.order, dirty: fact.dirty }) };
  const { order, snapshot } = fact;
  return {
    ...facts,
    page: later(facts.page, { order, snapshot }),
    dirty: later(facts.dirty, { order, dirty: snapshot.dirty }),
    submitted: facts.submitted || fact.submitted === true || snapshot.step === 'submitted',
    states: raise(
      facts.states,
      snapshot.states.map(({ state, status }) => fromPage(state, status, order)),
    ),
  };
}

/** More than any number of messages, and than any moment of the next two centuries. */
const rank = 1e13;

function fromPage(state: string, status: ApplicationStatus, order: number): StateFact {
  return { state, status, updatedAt: '', reason: '', actionUrl: '', order: order + rank * Number(isFinal(status)) };
}

function learnFromServer(facts: ApplicationFacts, { progress, states, submittedAt }: ServerReport): ApplicationFacts {
  const submitted = progress.step === 'submitted' || submittedAt !== undefined || states.length > 0;
  return {
    ...facts,
    // The server's answers carry no time of their own; a number of completed steps only grows.
    server: later(facts.server, { ...progress, order: progress.index }),
    submitted: facts.submitted || submitted,
    verified: facts.verified || submitted,
    states: raise(facts.states, states.map(fromDepartment)),
  };
}

function fromDepartment({ state, status, updatedAt, reason = '', actionUrl = '' }: ApplicationState): StateFact {
  const order = (Date.parse(updatedAt) || 0) + rank * (isFinal(status) ? 3 : 2);
  return { state, status, updatedAt, reason, actionUrl, order };
}

function learnAction(facts: ApplicationFacts, fact: Extract<Fact, { action: unknown }>): ApplicationFacts {
  const { order } = fact;
  const { state, actionUrl: url } = fact.action;
  return {
    ...facts,
    actions: { ...facts.actions, [state]: later(facts.actions[state], { order, url }) },
    states: raise(facts.states, [fromPage(state, 'requires_action', order)]),
  };
}

function raise(known: ApplicationFacts['states'], said: readonly StateFact[]): ApplicationFacts['states'] {
  const states = { ...known };
  for (const fact of said) states[fact.state] = later(states[fact.state], fact);
  return states;
}

/** The one of higher order; of two of the same order the same one is always chosen, whichever comes first. */
function later<Ordered extends { readonly order: number }>(before: Ordered | undefined, fact: Ordered): Ordered {
  if (!before || fact.order > before.order) return fact;
  return fact.order === before.order && JSON.stringify(fact) > JSON.stringify(before) ? fact : before;
}

/** Whether a department has said its last word. */
export function isFinal(status: ApplicationStatus): boolean {
  return status === 'approved' || status === 'denied';
}
