import { z } from 'zod';
import { webhookEvents, type WebhookEventType } from '../index.js';
import { applicationStatus, progress } from './sessions.js';
import { stateCodeSchema, timestamp, uri } from './values.js';

const about = z
  .object({
    applicationId: z.string().describe('The id of the application.'),
    sessionId: z.string().describe('The id of the session that started the application.'),
    userId: z.string().describe("The partner's own id for the user."),
  })
  .meta({ id: 'WebhookEventData', description: 'The fields of every event.' });

function event<Type extends WebhookEventType, Data extends z.ZodType>(id: string, type: Type, data: Data) {
  return z
    .object({
      id: z.string().describe('The id of the event, as in the header `webhook-id`. The same in every retry.'),
      type: z.literal(type).describe('The type of the event.'),
      createdAt: timestamp.describe('The time of the event, ISO 8601 in UTC.'),
      data,
    })
    .meta({ id, description: webhookEvents[type] });
}

/** The bodies of the five events. */
export const eventSchemas = {
  'application.session_started': event(
    'SessionStartedEvent',
    'application.session_started',
    about.describe('The application.'),
  ),
  'application.progress_updated': event(
    'ProgressUpdatedEvent',
    'application.progress_updated',
    about.extend(progress.shape).describe('The application and the completed step, not the next one.'),
  ),
  'application.submitted': event('SubmittedEvent', 'application.submitted', about.describe('The application.')),
  'application.status_changed': event(
    'StatusChangedEvent',
    'application.status_changed',
    about
      .extend({
        states: z
          .array(
            z.object({
              state: stateCodeSchema.describe('The state.'),
              status: applicationStatus.describe('Its new status.'),
            }),
          )
          .describe('Only the states with a new status.'),
      })
      .describe('The application and the states with a new status.'),
  ),
  'application.requires_action': event(
    'RequiresActionEvent',
    'application.requires_action',
    about
      .extend({
        actionUrl: uri.describe('The URL for the user. A capability: never log it.'),
        state: stateCodeSchema.describe('The state that requires an action.'),
        reason: z.string().describe('The reason in the department\'s words; "" when it gave none.'),
      })
      .describe('The application and the required action.'),
  ),
} satisfies Record<WebhookEventType, z.ZodType>;
