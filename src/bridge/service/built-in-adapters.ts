import { createSmtpMailer } from '../adapters/smtp-mailer.js';
import type { Environment } from '../config/environment.js';
import type { Adapters } from '../ports/adapters.js';

/**
 * The adapters that the environment switches on. An adapter of `BRIDGE_ADAPTERS`, or one that is
 * given to `createBridge`, takes precedence.
 */
export function createBuiltInAdapters({ BRIDGE_SMTP_URL: server, BRIDGE_MAIL_FROM: from }: Environment): Adapters {
  return {
    ...(server === undefined || from === undefined ? {} : { mailer: createSmtpMailer({ server, from }) }),
  };
}
