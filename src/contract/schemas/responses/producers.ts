import { z } from 'zod';
import { npn, stateCodeSchema, timestamp } from '../values.js';
import { producerDetail, residencyStatus } from './producer-detail.js';

const activeLicense = z
  .object({
    licenseNumber: z.string().describe("The state's number of the license."),
    npn: npn.describe('The producer of the license.'),
    residencyStatus: residencyStatus.describe("Whether the state is the producer's home state."),
  })
  .meta({ id: 'ActiveLicense', description: 'An active license.' });

const activeLicenses = z
  .object({
    state: stateCodeSchema.meta({ received: 'required', description: 'State code in upper case.' }),
    licenseInfo: z.array(activeLicense).describe('The licenses; empty where there is none.'),
  })
  .meta({
    id: 'ActiveLicenses',
    description:
      'One item of the response of listActiveLicenses (operation 9): the active licenses in one state of the onboarded producers.',
  });

const npnLookUp = z
  .object({
    message: z.string().describe('One sentence for people.'),
    data: z
      .object({
        npn: npn.meta({ received: 'required', description: 'National producer number without leading zeros.' }),
      })
      .describe('The producer that was found.'),
  })
  .meta({ id: 'NpnLookUp', description: 'Response of lookUpNpn (operation 10).' });

const subscriptionTarget = z
  .object({
    npn: npn.meta({ received: 'required', description: 'National producer number without leading zeros.' }),
    addedAt: timestamp.describe('The time of the first addition, ISO 8601 in UTC.'),
  })
  .meta({ id: 'SubscriptionTarget', description: 'A subscribed NPN.' });

const subscription = z
  .object({
    agencyId: z.string().describe('The agency of the subscriptions.'),
    npns: z
      .array(subscriptionTarget)
      .meta({ received: 'required', description: 'The NPNs, in the order of the request.' }),
  })
  .meta({
    id: 'Subscription',
    description: 'Response of operations 12 and 13: the subscriptions that the call changed.',
  });

const subscriptionUpdate = z
  .object({
    npn: npn.meta({ received: 'optional', description: 'National producer number without leading zeros.' }),
    reportDate: z.iso.date().meta({ received: 'optional', description: 'The requested day, unchanged.' }),
    updatedAt: timestamp.meta({ received: 'optional', description: 'The time of the update, ISO 8601 in UTC.' }),
    changes: z
      .array(z.string())
      .meta({ received: 'optional', description: 'The changed sections of `producer`, such as `licenseInformation`.' }),
    producer: producerDetail.meta({ received: 'optional', description: 'The producer as of that update.' }),
  })
  .meta({
    id: 'SubscriptionUpdate',
    description: 'Response of getSubscriptionUpdate (operation 11): the newest update on or before a day.',
  });

/** The responses of operations 5 and 9 to 13. */
export const producerResponses = {
  onboardProducer: producerDetail,
  listActiveLicenses: activeLicenses.array(),
  lookUpNpn: npnLookUp,
  getSubscriptionUpdate: subscriptionUpdate,
  subscribe: subscription,
  unsubscribe: subscription,
};
