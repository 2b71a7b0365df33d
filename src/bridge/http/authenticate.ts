import type { Operation } from '../../contract/index.js';
import { identifyCaller, type Caller } from '../domain/account/caller.js';
import type { BridgeContext } from '../domain/context.js';
import { BridgeFailure } from '../domain/failure.js';

/**
 * Finds out who is calling and whether this operation is for them.
 *
 * @throws BridgeFailure `invalid_token`, `agency_deactivated`, `agency_deactivated_token` or `unknown_route`.
 */
export async function authenticate(
  context: BridgeContext,
  operation: Operation,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  if (operation.auth === 'none') return undefined;
  if (operation.auth === 'optional' && authorization === undefined) return undefined;
  const token = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await identifyCaller(context, token);
  if (caller === undefined) throw new BridgeFailure('invalid_token', 'Authorization: expected a valid bearer token');
  if (caller.isDeactivated) throw deactivated(operation);
  // For a live token the test helpers do not exist.
  if (operation.auth === 'test' && caller.mode !== 'test') {
    throw new BridgeFailure('unknown_route', 'path: expected one of the documented addresses');
  }
  return caller;
}

function deactivated(operation: Operation): BridgeFailure {
  const name = operation.statuses.includes(403) ? 'agency_deactivated' : 'agency_deactivated_token';
  return new BridgeFailure(name, 'Authorization: the agency of this token is deactivated');
}
