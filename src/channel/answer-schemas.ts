import { boolean, optional, strictObject, type ZodMiniType } from 'zod/mini';
import type { ElementAnswers } from './messages.js';
import { moment } from './values.js';

type AnswerSchemas = { [Type in keyof ElementAnswers]: ZodMiniType<ElementAnswers[Type]> };

const done = strictObject({});

/** What the element accepts as answers of the page. */
export const answerSchemas = {
  configure: done,
  confirmClose: strictObject({ dirty: boolean(), savedAt: optional(moment) }),
  navigateBack: strictObject({ moved: boolean() }),
  actionResult: done,
  session: done,
} satisfies AnswerSchemas;
