import { boolean, optional } from 'valibot';
import type { ElementAnswers } from './messages.js';
import { moment, record, type Schema } from './values.js';

type AnswerSchemas = { [Type in keyof ElementAnswers]: Schema<ElementAnswers[Type]> };

const done = record({});

/** What the element accepts as answers of the page. */
export const answerSchemas = {
  configure: done,
  confirmClose: record({ dirty: boolean(), savedAt: optional(moment) }),
  navigateBack: record({ moved: boolean() }),
  actionResult: done,
  session: done,
} satisfies AnswerSchemas;
