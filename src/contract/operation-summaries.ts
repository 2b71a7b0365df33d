import type { OperationId } from './operation-calls.js';

/** One sentence for the docs about each operation. Not in their table, which every partner's bundle carries. */
export const operationSummaries: Readonly<Record<OperationId, string>> = {
  login: 'Trades client credentials for an access token.',
  updateAccount: "Changes the account settings of the token's mode.",
  createAccountCredential: 'Issues the credential of an agency.',
  resetCredential: 'Replaces both client secrets and ends every token issued before.',
  onboardProducer: 'Looks up, subscribes or onboards one producer.',
  getBulkDetails: 'Reads the producers of a bulk onboarding, fifty a page.',
  startBulkOnboarding: 'Starts onboarding up to 10,000 producers.',
  getBulkStatus: 'Reads how far a bulk onboarding is.',
  listActiveLicenses: 'Lists the active licenses of the onboarded producers by state.',
  lookUpNpn: 'Finds an NPN by last name and SSN.',
  getSubscriptionUpdate: 'Reads the latest update of a subscribed producer.',
  subscribe: 'Adds subscription targets.',
  unsubscribe: 'Removes subscription targets.',
  assignTerritory: 'Assigns a territory to a producer.',
  unassignTerritory: 'Takes a territory from a producer.',
  listTerritories: 'Lists the territories of the agency and who works in them.',
  syncProfile: 'Merges what is known of a user, for later applications.',
  createSession: 'Creates an application and the address at which the user completes it.',
  getApplication: 'Reads the progress of an application and its status per state.',
  decideState: 'Lets a simulated department decide. Test mode only.',
};
