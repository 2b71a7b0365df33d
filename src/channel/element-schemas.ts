import { appearance } from './appearance.js';
import type { ElementMessages } from './messages.js';
import type { ObjectSchema } from './schema.js';
import { linkTo, moment, record, stateCode } from './values.js';

/** A message of the element as it travels. */
export interface ElementMessage<Type extends keyof ElementMessages = keyof ElementMessages> {
  type: Type;
  payload: ElementMessages[Type];
}

function message<const Type extends string, const Payload extends ObjectSchema>(type: Type, payload: Payload) {
  return record({ type: { const: type }, payload });
}

/** What the page accepts from the element. */
export const elementSchemas = {
  configure: message('configure', record(appearance)),
  confirmClose: message('confirmClose', record({})),
  navigateBack: message('navigateBack', record({})),
  actionResult: message('actionResult', record({ state: stateCode, outcome: { enum: ['opened', 'rejected'] } })),
  session: message('session', record({ expiresAt: moment, applicationUrl: linkTo('s') }, ['applicationUrl'])),
} satisfies Record<keyof ElementMessages, ObjectSchema>;
