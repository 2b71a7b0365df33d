import { z } from 'zod';
import { webhookEvents, type WebhookEventType } from '../index.js';
import { producerDetail } from './responses/producer-detail.js';
import { applicationStatus, issuedLicense, progress } from './responses/sessions.js';
import { npn, stateCodeSchema, timestamp, uri } from './values.js';

const about = z
  .object({
    applicationId: z.string().describe('The id of the application.'),
    sessionId: z.string().describe('The id of the newest session of the application.'),
    userId: z.string().describe("The partner's own id for the user."),
  })
  .meta({ id: 'WebhookEventData', description: 'The fields of every event of an application.' });

const aboutStates = about
  .extend({
    states: z
      .array(
        z.object({
          state: stateCodeSchema.meta({ received: 'required', description: 'The state.' }),
          status: applicationStatus.meta({ received: 'required', description: 'Its new status.' }),
          ...issuedLicense,
        }),
      )
      .describe('Only the states with a new status.'),
  })
  .describe('The application and the states with a new status.');

/** The fields of every event besides `type` and `data`. */
const base = {
  id: z.string().meta({
    received: /^[\x21-\x7e]{1,255}$/,
    description: 'The id of the event, as in the header `webhook-id`. The same in every retry.',
  }),
  createdAt: timestamp.describe('The time of the event, ISO 8601 in UTC.'),
};

function event<Type extends WebhookEventType, Data extends z.ZodType>(id: string, type: Type, data: Data) {
  return z
    .object({
      id: base.id,
      type: z.literal(type).describe('The type of the event.'),
      createdAt: base.createdAt,
      data,
    })
    .meta({ id, description: webhookEvents[type] });
}

/** The bodies of the events. */
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
  'application.status_changed': event('StatusChangedEvent', 'application.status_changed', aboutStates),
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
  'producer.updated': event(
    'ProducerUpdatedEvent',
    'producer.updated',
    z
      .object({
        npn: npn.describe('National producer number without leading zeros.'),
        reportDate: z.iso
          .date()
          .describe('The day of the update in UTC, with which getSubscriptionUpdate (operation 11) returns it.'),
        changes: z
          .array(z.string())
          .describe(
            'The sections of the record that changed, such as `licenseInformation`. Changes that had not been delivered yet are included.',
          ),
        producer: producerDetail
          .exactOptional()
          .describe("The record. Only with the account's `webhookPreference` `entity-info`."),
      })
      .describe('The producer and what changed.'),
  ),
} satisfies Record<WebhookEventType, z.ZodType>;

/** An event of another host, of a type that this version does not know. The bridge sends none. */
export const unknownEventSchema = z
  .object({
    id: base.id,
    type: z.literal('unknown').describe('The type of the event.'),
    originalType: z
      .string()
      .meta({ received: /^[\w.:-]{1,100}$/, description: "The host's type, if it is a short name." }),
    createdAt: base.createdAt,
    data: aboutStates.describe('The application and the states with a new status, if the host lists any.'),
  })
  .meta({ id: 'UnknownEvent', description: 'An event of an unknown type.' });
