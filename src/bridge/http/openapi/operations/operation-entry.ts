import {
  testBankAccounts,
  testCards,
  testSsns,
  type OperationId,
  type OperationTypes,
} from '../../../../contract/index.js';

const testValues = `The last four digits of the SSN that the user types decide how the simulated departments answer:

${testSsns.map(({ ssn, what }) => `- \`${ssn}\`: ${what}`).join('\n')}

So does the number of the card, or of the bank account, in the payment step:

${testCards.map(({ number, what }) => `- \`${number}\`: ${what}`).join('\n')}
${testBankAccounts.map(({ routingNumber, accountNumber, what }) => `- \`${routingNumber}\`, \`${accountNumber}\`: ${what}`).join('\n')}`;

/** The groups of operations with their descriptions, in the order of the document. */
export const tags = {
  Authentication: 'Client credentials become an access token.',
  Account: 'Settings and credentials of the calling agency.',
  Producers: 'Single producers: looked up, subscribed, onboarded.',
  'Bulk onboarding': 'Many producers in one job.',
  Subscriptions: 'The producers whose updates the agency follows.',
  Territories: 'Sales territories and who works in them.',
  Sessions: 'Early access. License applications that the user completes on a hosted page.',
  'Test helpers': `Test mode only. An addition of this bridge: for a live token these addresses do not exist. ${testValues}`,
};

/** The documentation of an operation, besides its row in the contract's table and its schemas. */
export interface OperationEntry {
  tag: keyof typeof tags;
  /** The details beyond the summary: limits, errors, changes. */
  description: string;
  /** Examples of bodies, by a short name. */
  bodies?: Record<string, unknown>;
  /** A short description of the response. */
  answer: string;
  /** Examples of responses, by a short name. */
  answers: Record<string, unknown>;
}

/** The entries of several operations, with the types of the contract. */
export type EntriesOf<Ids extends OperationId> = { [Id in Ids]: OperationEntry & Typed<OperationTypes[Id]> };

type Typed<Types extends { body: unknown; response: unknown }> = {
  answers: Record<string, Types['response']>;
} & (Types['body'] extends undefined ? { bodies?: never } : { bodies: Record<string, Types['body']> });
