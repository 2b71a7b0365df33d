import { anyList, anyText, maybe, number, object, text } from './values.js';

const progress = object({ step: text, index: number, count: number });

/** Reads the answer of operation 19. */
export const application = object({
  applicationId: text,
  sessionId: maybe(text),
  userId: maybe(text),
  applicationType: maybe(text),
  licenseType: maybe(text),
  submittedAt: maybe(text),
  progress: maybe(progress),
  states: anyList(
    object({ state: text, status: text, updatedAt: anyText, actionUrl: maybe(text), reason: maybe(text) }),
  ),
});
