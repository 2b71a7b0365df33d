import { updateAccount } from '../../domain/account/account.js';
import { createAccountCredential } from '../../domain/account/credential.js';
import { BridgeFailure } from '../../domain/failure.js';
import { login } from '../../domain/account/login.js';
import { resetCredential } from '../../domain/account/reset-credential.js';
import type { Handlers } from './call.js';

/** Operations 1 to 4. */
export const accountHandlers = {
  login: (context, { body, address }) => login(context, body, address),

  updateAccount: (context, { body, caller }) => updateAccount(context, caller, body),

  createAccountCredential(context, { query: { agencyId }, caller }) {
    if (!/^agc_[\w-]{1,64}$/.test(agencyId)) {
      throw new BridgeFailure('invalid_agency', 'agencyId: expected the id of an active agency');
    }
    return createAccountCredential(context, agencyId, caller);
  },

  resetCredential: (context, { caller }) => resetCredential(context, caller),
} satisfies Partial<Handlers>;
