import type {
  Account,
  AccountUpdateRequest,
  AgencyCredential,
  CredentialReset,
  LoginResponse,
} from '../../../contract/index.js';
import type { Calls } from '../calls.js';
import type { CallOptions } from '../options.js';
import type { Received } from '../received.js';

/** Operations 1 to 4: login, account and credentials. */
export interface AccountOperations {
  /** Logs in now (operation 1). Not needed: the other methods do it. Useful at start-up to find out that a secret is wrong. */
  login(options?: CallOptions): Promise<LoginResponse>;
  /** Changes the settings of the account (operation 2). A field that is absent keeps its value; `null` or "" clears it. */
  updateAccount(settings: AccountUpdateRequest, options?: CallOptions): Promise<Received<Account>>;
  /**
   * Issues the credential of an agency (operation 3). Works once without credentials; afterwards only for a client with live
   * credentials, which this call ends: make a new client with the new ones. The only time that the secrets can be read.
   */
  createAccountCredential(agencyId: string, options?: CallOptions): Promise<AgencyCredential>;
  /**
   * Replaces both secrets and ends every token issued before (operation 4). Only a live client may; it goes on with the new
   * live secret by itself. Store both secrets at once: nobody can read them again, and other clients need them. Calls that
   * are on their way meanwhile may fail with `credentials_refused`. Not repeated once anything was sent.
   */
  resetCredential(options?: CallOptions): Promise<CredentialReset>;
}

/** Offers operations 1 to 4. */
export function accountOperations({ call, login, replaceSecret }: Calls): AccountOperations {
  return {
    login,
    updateAccount: (settings, options) => call('updateAccount', { body: settings }, options),
    createAccountCredential: (agencyId, options) => call('createAccountCredential', { query: { agencyId } }, options),
    async resetCredential(options) {
      const reset = await call('resetCredential', {}, options);
      // The live one: a test token is refused, so whoever gets here was live before.
      replaceSecret(reset.liveClientSecret);
      return reset;
    },
  };
}
