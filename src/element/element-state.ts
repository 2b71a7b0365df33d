/**
 * The states of the element, one at a time. Each is also a custom state, as in
 * `licensing-apply:state(active)`.
 */
export const elementStates = [
  'idle',
  'preparing',
  'connecting',
  'active',
  'awaiting-action',
  'submitted',
  'closed',
  'error',
] as const;

/**
 * One of {@link elementStates}.
 *
 * - `idle`: nothing was opened yet.
 * - `preparing`: the session is being created.
 * - `connecting`: the hosted application is loading.
 * - `active`: the user is working in the hosted application.
 * - `awaiting-action`: submitted, and a state requires an action of the user.
 * - `submitted`: submitted to the states.
 * - `closed`: closed before it was submitted. The user can continue it.
 * - `error`: failed. The card says why and offers a retry where that can help.
 */
export type ElementState = (typeof elementStates)[number];

/** The phase of the application, independent of the screen. */
export type ApplicationPhase = 'unsubmitted' | 'submitted' | 'awaiting-action';

/**
 * What an opening shows: the application, or a page of a submitted one, on which a state requires
 * an action or which is the receipt.
 */
export type OpeningPurpose = 'application' | 'page';

/** The events that change the element's state. */
export type ElementStateEvent =
  | { type: 'open' }
  | { type: 'load' }
  | { type: 'show' }
  | { type: 'update'; phase: ApplicationPhase; purpose: OpeningPurpose }
  | { type: 'close'; phase: ApplicationPhase }
  | { type: 'fail' }
  | { type: 'reset' };

const openStates: readonly ElementState[] = ['preparing', 'connecting', 'active'];

/**
 * Returns the state that follows `state` on `event`. An event that does not fit changes nothing.
 */
export function nextState(state: ElementState, event: ElementStateEvent): ElementState {
  switch (event.type) {
    case 'open':
      return 'preparing';
    case 'load':
      return state === 'preparing' ? 'connecting' : state;
    case 'show':
      return state === 'connecting' ? 'active' : state;
    case 'update': {
      // While the user answers one state's request, an update of another state must not end that.
      const isOnPage = event.purpose === 'page' && openStates.includes(state);
      return event.phase === 'unsubmitted' || isOnPage ? state : event.phase;
    }
    case 'close':
      return event.phase === 'unsubmitted' ? 'closed' : event.phase;
    case 'fail':
      return 'error';
    case 'reset':
      return 'idle';
  }
}

/** Sets the custom states of an element, which style sheets select with `:state()`. */
export function setCustomStates(
  states: Pick<Set<string>, 'add' | 'clear'>,
  state: ElementState,
  isBlocked = false,
): void {
  // Safari before 17.4 refuses names without two dashes, and has no `:state()` to select them.
  try {
    states.clear();
    states.add(state);
    if (isBlocked) states.add('blocked');
  } catch {}
}
