import type { ElementAnswers } from './messages.js';
import type { ObjectSchema } from './schema.js';
import { boolean, moment, record } from './values.js';

const done = record({});

/** What the element accepts as answers of the page. */
export const answerSchemas = {
  configure: done,
  confirmClose: record({ dirty: boolean, savedAt: moment }, ['savedAt']),
  navigateBack: record({ moved: boolean }),
  actionResult: done,
  session: record({ taken: boolean }, ['taken']),
} satisfies Record<keyof ElementAnswers, ObjectSchema>;
