import { z } from 'zod';
import type { WebhookEvent, WebhookEventType } from '../../../../contract/index.js';
import { applicationStatus, progress } from './application.js';
import { stateCodeSchema } from '../../schemas/text.js';
import { timestamp, uri } from './values.js';

/** What every event says. */
export const webhookEventData = z.object({
  applicationId: z.string(),
  sessionId: z.string(),
  userId: z.string(),
});

function event<Type extends WebhookEventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    id: z.string().meta({ description: 'Equals the header `webhook-id` and stays the same in every retry.' }),
    type: z.literal(type),
    createdAt: timestamp,
    data,
  });
}

/** The bodies of the five events. */
export const eventSchemas = {
  'application.session_started': event('application.session_started', webhookEventData),
  'application.progress_updated': event(
    'application.progress_updated',
    webhookEventData
      .extend(progress.shape)
      .meta({ description: 'The step that was completed, not the one that follows.' }),
  ),
  'application.submitted': event('application.submitted', webhookEventData),
  'application.status_changed': event(
    'application.status_changed',
    webhookEventData.extend({
      states: z
        .array(z.object({ state: stateCodeSchema, status: applicationStatus }))
        .meta({ description: 'Only the states whose status changed.' }),
    }),
  ),
  'application.requires_action': event(
    'application.requires_action',
    webhookEventData.extend({
      actionUrl: uri.meta({ description: 'Where to send the user back to. A capability: never log it.' }),
      state: stateCodeSchema,
      reason: z.string().meta({ description: 'Empty when the department gave none.' }),
    }),
  ),
} satisfies { [Type in WebhookEventType]: z.ZodType<Extract<WebhookEvent, { type: Type }>> };
