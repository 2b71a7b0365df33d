import type { FlowState } from './flow.js';
import type { Surface } from './surface/surface.js';

/** Makes the states of an element the ones that style sheets select with `:state()`. */
export function markStates({ states }: ElementInternals, state: FlowState, surface?: Surface): void {
  // Safari before 17.4 refuses names without two dashes; it has no :state() to select them with either.
  try {
    states.clear();
    states.add(state);
    if (surface?.isFrame === false && !surface.window()) states.add('blocked');
  } catch {}
}
