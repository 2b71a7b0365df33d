import { literal, strictObject, type ZodMiniType } from 'zod/mini';
import type { ElementMessages } from './messages.js';
import { appearance, moment, stateCode } from './values.js';

/** A message of the element as it travels. */
export interface ElementMessage<Type extends keyof ElementMessages = keyof ElementMessages> {
  type: Type;
  payload: ElementMessages[Type];
}

type ElementSchemas = { [Type in keyof ElementMessages]: ZodMiniType<ElementMessage<Type>> };

const message = <Type extends string, Payload extends ZodMiniType>(type: Type, payload: Payload) =>
  strictObject({ type: literal(type), payload });

/** What the page accepts from the element. */
export const elementSchemas = {
  configure: message('configure', strictObject(appearance)),
  confirmClose: message('confirmClose', strictObject({})),
  navigateBack: message('navigateBack', strictObject({})),
  actionResult: message('actionResult', strictObject({ state: stateCode, outcome: literal(['opened', 'rejected']) })),
  session: message('session', strictObject({ expiresAt: moment })),
} satisfies ElementSchemas;
