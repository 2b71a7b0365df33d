import type { BridgeContext } from '../context.js';

/**
 * The time of a change of a state's status: now, but later than the change before. Partners and the
 * element order statuses by their times, and the clocks of instances differ slightly.
 */
export function nextStatusTime({ clock }: Pick<BridgeContext, 'clock'>, { updatedAt }: { updatedAt: Date }): Date {
  return new Date(Math.max(clock().getTime(), updatedAt.getTime() + 1));
}
