import type { StateCode } from '../../../contract/index.js';
import { isInScope } from '../applications/application-detail.js';
import type { BridgeContext } from '../context.js';
import { ApiError } from '../errors/api-error.js';
import { hasRole, type Operator } from '../operators/operators.js';
import { actorOf } from '../operators/sign-in.js';
import { assignFiling, claimFiling } from './filings.js';

/** A filing that an operator has chosen in a list. */
export interface ChosenFiling {
  applicationId: string;
  state: StateCode;
}

/** How many of the chosen filings were given to the operator, and how many had changed meanwhile. */
export interface ClaimedFilings {
  claimed: number;
  left: number;
}

type ClaimContext = Pick<BridgeContext, 'db' | 'clock'>;

/**
 * Claims the chosen filings that are in the scope of the operator. One by one, so that a filing that
 * a colleague has claimed meanwhile does not undo the others.
 */
export function claimSeveral(
  context: ClaimContext,
  operator: Operator,
  chosen: readonly ChosenFiling[],
): Promise<ClaimedFilings> {
  return changeEach(context, [operator], chosen, (filing) =>
    claimFiling(context, { ...filing, actor: actorOf(operator) }),
  );
}

/**
 * Gives the chosen filings to a colleague. Those that are not in the scope of both are left. An
 * operator who may not file gets none.
 */
export async function assignSeveral(
  context: ClaimContext,
  supervisor: Operator,
  colleague: Operator,
  chosen: readonly ChosenFiling[],
): Promise<ClaimedFilings> {
  if (!canBeAssigned(colleague)) return { claimed: 0, left: chosen.length };
  return changeEach(context, [supervisor, colleague], chosen, (filing) =>
    assignFiling(context, { ...filing, actor: actorOf(supervisor), colleague: actorOf(colleague) }),
  );
}

/** Whether an operator can work on filings. */
export function canBeAssigned(operator: Operator): boolean {
  return operator.disabledAt === '' && hasRole(operator, 'file');
}

async function changeEach(
  context: ClaimContext,
  operators: readonly Operator[],
  chosen: readonly ChosenFiling[],
  change: (filing: ChosenFiling) => Promise<void>,
): Promise<ClaimedFilings> {
  let claimed = 0;
  for (const filing of chosen) {
    // These filings are in a form, not in the path that the console checks for every route.
    const inScopes = await Promise.all(operators.map(({ scope }) => isInScope(context, scope, filing.applicationId)));
    if (!inScopes.every(Boolean)) continue;
    try {
      await change(filing);
      claimed += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return { claimed, left: chosen.length - claimed };
}
