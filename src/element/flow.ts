/** Where the element stands, one at a time; also its custom states. */
export const flowStates = [
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
 * One of {@link flowStates}.
 *
 * - `idle`: nothing was opened yet.
 * - `preparing`: the session is being made.
 * - `connecting`: the hosted application is loading.
 * - `active`: the user is at work in it.
 * - `awaiting-action`: submitted, and a state asks for more.
 * - `submitted`: with the states.
 * - `closed`: closed before it was submitted; it can be continued.
 * - `error`: failed; the card says how and offers the way on.
 */
export type FlowState = (typeof flowStates)[number];

/** What the facts say of the application, whatever is on the screen. */
export type Phase = 'unsubmitted' | 'submitted' | 'awaiting-action';

/** What was opened: the application, or the page on which a state asks for more. */
export type Purpose = 'application' | 'action';

/** What can happen to the flow. */
export type FlowEvent =
  | { type: 'open' }
  | { type: 'load' }
  | { type: 'show' }
  | { type: 'learn'; phase: Phase; purpose: Purpose }
  | { type: 'close'; phase: Phase }
  | { type: 'fail' }
  | { type: 'reset' };

const opening: readonly FlowState[] = ['preparing', 'connecting', 'active'];

/** The state that follows `state` when `event` happens. An event that does not fit the state leaves it as it is. */
export function nextState(state: FlowState, event: FlowEvent): FlowState {
  switch (event.type) {
    case 'open':
      return 'preparing';
    case 'load':
      return state === 'preparing' ? 'connecting' : state;
    case 'show':
      return state === 'connecting' ? 'active' : state;
    case 'learn':
      // While the user answers one state's request, news of another must not take that page away: closing it settles the state.
      if (event.phase === 'unsubmitted' || (event.purpose === 'action' && opening.includes(state))) return state;
      return event.phase;
    case 'close':
      // Also where this page opened nothing: the user comes back from what gave way for the application.
      return event.phase === 'unsubmitted' ? 'closed' : event.phase;
    case 'fail':
      return 'error';
    case 'reset':
      return 'idle';
  }
}
