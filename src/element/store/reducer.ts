import type {
  ApplicationState,
  ApplicationStatus,
  PartnerApplication,
  Progress,
  ProgressStep,
} from '../../contract/index.js';

/**
 * One report about the application. `order` numbers the page's reports: later ones replace earlier
 * ones.
 */
export type Fact =
  | ({ source: 'message'; order: number } & PageReport)
  | { source: 'return' }
  | { source: 'server'; application: PartnerApplication };

/** The changes that a message of the hosted page can report. */
export type PageReport =
  | { snapshot: PageSnapshot; submitted?: boolean }
  | { dirty: boolean }
  | { action: { state: string; actionUrl: string } };

/** The full state of the hosted page. */
export interface PageSnapshot {
  step: ProgressStep;
  index: number;
  count: number;
  dirty: boolean;
  savedAt?: string | undefined;
  states: readonly { state: string; status: ApplicationStatus }[];
}

/** The license that a state issued, as far as the server reports it. */
type IssuedLicense = Pick<ApplicationState, 'licenseNumber' | 'expiresOn'>;

/** The status of one state and its rank among the reports of that state. */
export interface StateFact extends IssuedLicense {
  state: string;
  status: ApplicationStatus;
  /** The time when the state returned it, ISO 8601 in UTC; "" when only the page reported it. */
  updatedAt: string;
  reason: string;
  actionUrl: string;
  /**
   * The server outranks the page. Of the server the later status wins, because a decision can be
   * corrected; of the page a final one outranks an open one.
   */
  order: number;
}

/** What the server reports of an application besides its progress. It does not change much. */
export interface DetailsFact extends Pick<
  PartnerApplication,
  'createdAt' | 'requestedStates' | 'estimatedFees' | 'submittedAt' | 'receiptNumber' | 'receiptUrl'
> {
  /** The number of the reported fields: an answer that has more is the later one. */
  readonly order: number;
}

/** All reports about one application. */
export interface ApplicationFacts {
  readonly page?: { readonly order: number; readonly snapshot: PageSnapshot };
  readonly dirty?: { readonly order: number; readonly dirty: boolean };
  readonly server?: Progress & { readonly order: number };
  readonly details?: DetailsFact;
  readonly submitted: boolean;
  /** Whether the server confirmed that it was submitted. */
  readonly verified: boolean;
  readonly states: Readonly<Record<string, StateFact>>;
  readonly actions: Readonly<Record<string, { readonly order: number; readonly url: string }>>;
}

/** The facts without any report. */
export const noFacts: ApplicationFacts = { submitted: false, verified: false, states: {}, actions: {} };

/**
 * Adds one fact. Each part only moves up in a total order, so any order of arrival and any number
 * of repetitions end in the same facts.
 */
export function reduce(facts: ApplicationFacts, fact: Fact): ApplicationFacts {
  if (fact.source === 'return') return { ...facts, submitted: true };
  if (fact.source === 'server') return addServerReport(facts, fact.application);
  if ('action' in fact) return addAction(facts, fact);
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

/**
 * Larger than any number of messages, and than any time in milliseconds of the next two centuries.
 */
const rank = 1e13;

function fromPage(state: string, status: ApplicationStatus, order: number): StateFact {
  return { state, status, updatedAt: '', reason: '', actionUrl: '', order: order + rank * Number(isFinal(status)) };
}

function addServerReport(facts: ApplicationFacts, application: PartnerApplication): ApplicationFacts {
  const { progress, states, submittedAt } = application;
  const submitted = progress.step === 'submitted' || submittedAt !== undefined || states.length > 0;
  return {
    ...facts,
    // The answers have no time, but the number of completed steps only grows.
    server: later(facts.server, { ...progress, order: progress.index }),
    details: later(facts.details, detailsOf(application)),
    submitted: facts.submitted || submitted,
    verified: facts.verified || submitted,
    states: raise(facts.states, states.map(fromServer)),
  };
}

function detailsOf(application: PartnerApplication): DetailsFact {
  const { createdAt, requestedStates, estimatedFees, submittedAt, receiptNumber, receiptUrl } = application;
  const details = { createdAt, requestedStates, estimatedFees, submittedAt, receiptNumber, receiptUrl };
  const known = Object.entries(details).filter(([, value]) => value);
  return { ...(Object.fromEntries(known) as Omit<DetailsFact, 'order'>), order: known.length };
}

function fromServer(reported: ApplicationState): StateFact {
  const { state, status, updatedAt, reason = '', actionUrl = '', licenseNumber, expiresOn } = reported;
  // Of one millisecond, the final status is the later one.
  const order = (Date.parse(updatedAt) || 0) + rank * 2 + Number(isFinal(status)) / 2;
  const license = { ...(licenseNumber && { licenseNumber }), ...(expiresOn && { expiresOn }) };
  return { state, status, updatedAt, reason, actionUrl, ...license, order };
}

function addAction(facts: ApplicationFacts, fact: Extract<Fact, { action: unknown }>): ApplicationFacts {
  const { order } = fact;
  const { state, actionUrl: url } = fact.action;
  return {
    ...facts,
    actions: { ...facts.actions, [state]: later(facts.actions[state], { order, url }) },
    states: raise(facts.states, [fromPage(state, 'requires_action', order)]),
  };
}

function raise(known: ApplicationFacts['states'], reported: readonly StateFact[]): ApplicationFacts['states'] {
  const states = { ...known };
  for (const fact of reported) states[fact.state] = later(states[fact.state], fact);
  return states;
}

/** Returns the fact of the higher order. Of two with the same order, always the same one. */
function later<Ordered extends { readonly order: number }>(before: Ordered | undefined, fact: Ordered): Ordered {
  if (!before || fact.order > before.order) return fact;
  return fact.order === before.order && JSON.stringify(fact) > JSON.stringify(before) ? fact : before;
}

/** Whether a state has decided. Only a correction changes such a status. */
export function isFinal(status: ApplicationStatus): boolean {
  return status === 'approved' || status === 'denied';
}
