import { listActiveLicenses } from '../../domain/producers/active-licenses.js';
import { readBulkDetails, readBulkStatus, startBulkOnboarding } from '../../domain/producers/bulk-onboarding.js';
import { lookUpNpn } from '../../domain/producers/npn-look-up.js';
import { onboardProducer } from '../../domain/producers/onboard-producer.js';
import { readSubscriptionUpdate, subscribe, unsubscribe } from '../../domain/producers/subscriptions.js';
import type { Handlers } from './call.js';

/** Operations 5 to 13. */
export const producerHandlers = {
  onboardProducer: (context, { body, caller }) => onboardProducer(context, caller, body),
  getBulkDetails: (context, { params, query, caller }) => readBulkDetails(context, caller, params.id, query.page),
  startBulkOnboarding: (context, { body, caller }) => startBulkOnboarding(context, caller, body),
  getBulkStatus: (context, { params, caller }) => readBulkStatus(context, caller, params.id),
  listActiveLicenses: (context, { query, caller }) => listActiveLicenses(context, caller, query.stateCode),
  lookUpNpn: (context, { body, caller }) => lookUpNpn(context, caller, body),
  getSubscriptionUpdate: (context, { body, caller }) => readSubscriptionUpdate(context, caller, body),
  subscribe: (context, { body, caller }) => subscribe(context, caller, body.npns),
  unsubscribe: (context, { body, caller }) => unsubscribe(context, caller, body.npns),
} satisfies Partial<Handlers>;
