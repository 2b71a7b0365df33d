import { literal, picklist, type GenericSchema } from 'valibot';
import type { ElementMessages } from './messages.js';
import { appearance, moment, record, stateCode, type Schema } from './values.js';

/** A message of the element as it travels. */
export interface ElementMessage<Type extends keyof ElementMessages = keyof ElementMessages> {
  type: Type;
  payload: ElementMessages[Type];
}

type ElementSchemas = { [Type in keyof ElementMessages]: Schema<ElementMessage<Type>> };

const message = <Type extends string, Payload extends GenericSchema>(type: Type, payload: Payload) =>
  record({ type: literal(type), payload });

/** What the page accepts from the element. */
export const elementSchemas = {
  configure: message('configure', record(appearance)),
  confirmClose: message('confirmClose', record({})),
  navigateBack: message('navigateBack', record({})),
  actionResult: message('actionResult', record({ state: stateCode, outcome: picklist(['opened', 'rejected']) })),
  session: message('session', record({ expiresAt: moment })),
} satisfies ElementSchemas;
