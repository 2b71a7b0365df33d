import { webhookEvents, type WebhookEvent, type WebhookEventType } from '../../../contract/index.js';

const exampleData = { applicationId: 'app_9c8b7a6d', sessionId: 'ses_4e5f6a7b', userId: 'usr_abc123' };

/** One example of each event. */
export const exampleEvents: { [Type in WebhookEventType]: Extract<WebhookEvent, { type: Type }> } = {
  'application.session_started': {
    id: 'evt_00000001',
    type: 'application.session_started',
    createdAt: '2026-03-02T11:30:00.000Z',
    data: exampleData,
  },
  'application.progress_updated': {
    id: 'evt_00000002',
    type: 'application.progress_updated',
    createdAt: '2026-03-02T11:35:00.000Z',
    data: { ...exampleData, step: 'background', index: 3, count: 6 },
  },
  'application.submitted': {
    id: 'evt_00000003',
    type: 'application.submitted',
    createdAt: '2026-03-02T12:00:00.000Z',
    data: exampleData,
  },
  'application.status_changed': {
    id: 'evt_00000004',
    type: 'application.status_changed',
    createdAt: '2026-03-04T08:00:00.000Z',
    data: {
      ...exampleData,
      states: [{ state: 'TX', status: 'approved', licenseNumber: '1234567', issuedOn: '2026-03-04' }],
    },
  },
  'application.requires_action': {
    id: 'evt_00000005',
    type: 'application.requires_action',
    createdAt: '2026-03-04T08:30:00.000Z',
    data: {
      ...exampleData,
      actionUrl: 'https://apply.example.com/a/example-action-token',
      state: 'CA',
      reason: 'The department asks for a copy of a document.',
    },
  },
  'producer.updated': {
    id: 'evt_00000006',
    type: 'producer.updated',
    createdAt: '2026-03-05T06:00:00.000Z',
    data: { npn: '12345678', reportDate: '2026-03-05', changes: ['addresses', 'licenseInformation'] },
  },
};

/** The group of the webhooks in the document. */
export const eventsTag = {
  name: 'Events',
  description:
    'Calls that the bridge makes to a partner while an application moves on, and when the record of a subscribed producer ' +
    'changes. Those of an application go to the `webhookUrl` of the session or, where it has none, to that of the account. ' +
    'Those of a producer go to that of the account. An event may arrive more than once; those of one application, or of one ' +
    'producer, come in order, one at a time. Nothing goes to a private or loopback address, unless the operator allows loopback in test mode. For an ' +
    'agency that has a secret for it, each call has the `webhook-signature` of Standard Webhooks; others are not signed. ' +
    'Each also has a `traceparent` (W3C Trace Context). No event ever holds an SSN or an answer to a background question.',
};

/** The responses of a partner. */
const responses = {
  '2XX': { description: 'Any 2xx counts as delivered. The body is not read.' },
  '410': { description: 'Nothing further is sent to this address.' },
  default: {
    description:
      'Any other response, including a redirect, causes a retry, as does no response within 10 seconds. Retries follow after ' +
      '5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each with jitter. Then the event is dead-lettered, and the ' +
      'next ones are sent.',
    headers: {
      'Retry-After': {
        description: 'The time to wait before the next attempt, honored up to one hour.',
        schema: { type: 'string' },
      },
    },
  },
};

/** The webhook of an event, whose body has this schema. */
export function webhookCall(type: WebhookEventType, schema: object) {
  return {
    operationId: type.replace(/[._](\w)/g, (_match, letter: string) => letter.toUpperCase()),
    tags: [eventsTag.name],
    summary: webhookEvents[type],
    ...(type === 'application.status_changed' && {
      description:
        'A move to `requires_action` leads to this event first and to `application.requires_action` after it.',
    }),
    security: [],
    parameters: [{ $ref: '#/components/parameters/WebhookId' }, { $ref: '#/components/parameters/WebhookTimestamp' }],
    requestBody: { required: true, content: { 'application/json': { schema, example: exampleEvents[type] } } },
    responses,
  };
}

/** The headers of every delivery. */
export const webhookParameters = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event. It equals `id` of the body and is the same in every retry.',
    schema: { type: 'string' },
    example: 'evt_00000001',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'The time of the delivery, in whole seconds since 1970-01-01T00:00:00Z.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1_772_613_001,
  },
};
