import { boolean, literal, strictObject, type ZodMiniType } from 'zod/mini';
import type { PageMessages } from './messages.js';
import { integer, snapshot, stateCode, text } from './values.js';

/** A message of the page as it travels. `seq` grows with every message of a document. */
export interface PageMessage<Type extends keyof PageMessages = keyof PageMessages> {
  type: Type;
  seq: number;
  payload: PageMessages[Type];
}

type PageSchemas = { [Type in keyof PageMessages]: ZodMiniType<PageMessage<Type>> };

const message = <Type extends string, Payload extends ZodMiniType>(type: Type, payload: Payload) =>
  strictObject({ type: literal(type), seq: integer(1, 10_000_000), payload });

/** What the element accepts from the page. */
export const pageSchemas = {
  ready: message('ready', snapshot),
  progress: message('progress', snapshot),
  submitted: message('submitted', snapshot),
  resize: message('resize', strictObject({ height: integer(0, 50_000) })),
  scrollTo: message('scrollTo', strictObject({ top: integer(0, 50_000) })),
  dirty: message('dirty', strictObject({ dirty: boolean() })),
  // The host is free here and held against the origin of the page by `isForeignAction`.
  requiresAction: message(
    'requiresAction',
    strictObject({
      state: stateCode,
      actionUrl: text(/^https?:\/\/([a-z\d.-]{1,253}|\[[a-f\d:]{2,39}])(:\d{1,5})?\/a\/[\w-]{43}$/),
    }),
  ),
  sessionExpiring: message('sessionExpiring', strictObject({ inSeconds: integer(0, 86_400) })),
  closeRequest: message('closeRequest', strictObject({ by: literal(['escape', 'button', 'done']) })),
  error: message(
    'error',
    strictObject({
      code: literal([
        'session_expired',
        'session_invalid',
        'already_submitted',
        'payment_declined',
        'payment_unavailable',
        'save_failed',
        'unavailable',
      ]),
      recoverable: boolean(),
    }),
  ),
} satisfies PageSchemas;

/** Whether a message would send the user to another site than the one that it comes from. */
export function isForeignAction({ type, payload }: PageMessage, origin: string): boolean {
  return type === 'requiresAction' && !(payload as PageMessages['requiresAction']).actionUrl.startsWith(`${origin}/a/`);
}
