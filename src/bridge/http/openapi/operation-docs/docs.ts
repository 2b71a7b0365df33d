import type { OperationId, OperationTypes } from '../../../../contract/index.js';

/** The groups of operations, in the order of the documents, and what each is about. */
export const tags = {
  Authentication: 'Client credentials become an access token.',
  Account: 'Settings and credentials of the calling agency.',
  Producers: 'Single producers: looked up, subscribed, onboarded.',
  'Bulk onboarding': 'Many producers in one job.',
  Subscriptions: 'The producers whose updates the agency follows.',
  Territories: 'Sales territories and who works in them.',
  Sessions: 'Early access. License applications that the user completes on a hosted page.',
  'Test helpers': 'Test mode only. An addition of this bridge: for a live token these addresses do not exist.',
} as const;

/** One of {@link tags}. */
export type Tag = keyof typeof tags;

/** What the documents say of an operation besides what the table says. */
export interface OperationDocs<Id extends OperationId> {
  tag: Tag;
  /** What the summary leaves out: limits, what is refused, what changes. */
  description: string;
  /** What the answer is, in a few words. */
  answer: string;
  /** Bodies that work, by a short name; empty where none is taken. */
  bodies: Record<string, OperationTypes[Id]['body']>;
  /** Answers, by a short name. */
  answers: Record<string, OperationTypes[Id]['response']>;
}

/** Docs of several operations. */
export type DocsOf<Ids extends OperationId> = { [Id in Ids]: OperationDocs<Id> };
