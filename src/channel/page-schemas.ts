import type { PageMessages } from './messages.js';
import type { ObjectSchema } from './schema.js';
import { boolean, integer, linkTo, record, snapshot, stateCode } from './values.js';

/** A message of the page as it travels. `seq` grows with every message of a document. */
export interface PageMessage<Type extends keyof PageMessages = keyof PageMessages> {
  type: Type;
  seq: number;
  payload: PageMessages[Type];
}

function message<const Type extends string, const Payload extends ObjectSchema>(type: Type, payload: Payload) {
  return record({ type: { const: type }, seq: integer(1, 10_000_000), payload });
}

/** What the element accepts from the page. */
export const pageSchemas = {
  ready: message('ready', snapshot),
  progress: message('progress', snapshot),
  submitted: message('submitted', snapshot),
  resize: message('resize', record({ height: integer(0, 50_000) })),
  scrollTo: message('scrollTo', record({ top: integer(0, 50_000) })),
  dirty: message('dirty', record({ dirty: boolean })),
  // The host is free here and held against the origin of the page by `isForeignAction`.
  requiresAction: message('requiresAction', record({ state: stateCode, actionUrl: linkTo('a') })),
  sessionExpiring: message('sessionExpiring', record({ inSeconds: integer(0, 86_400) })),
  closeRequest: message('closeRequest', record({ by: { enum: ['escape', 'button', 'done'] } })),
  error: message(
    'error',
    record({
      code: {
        enum: [
          'session_expired',
          'session_invalid',
          'already_submitted',
          'payment_declined',
          'payment_unavailable',
          'save_failed',
          'unavailable',
        ],
      },
      recoverable: boolean,
    }),
  ),
} satisfies Record<keyof PageMessages, ObjectSchema>;

/** Whether a message would send the user to another site than the one that it comes from. */
export function isForeignAction({ type, payload }: PageMessage, origin: string): boolean {
  return type === 'requiresAction' && !(payload as PageMessages['requiresAction']).actionUrl.startsWith(`${origin}/a/`);
}
