import type { oas31 } from 'zod-openapi';

/** What the parameters of paths and queries mean, by their names, which mean the same in every operation. */
export const parameterDocs: Record<string, { description: string; example: unknown; required?: true }> = {
  agencyId: {
    // Required, although its schema has a default: that it is missing is a failure of its own.
    required: true,
    description: 'The id that the operator handed over when the agency was set up.',
    example: 'agc_5b6c7d8e9f',
  },
  applicationId: { description: 'The id from `createSession`.', example: 'app_9c8b7a6d' },
  id: {
    description: 'The id that `startBulkOnboarding` returned.',
    example: '3f0c8a52-6d1e-4b7a-9c25-0e8f4d2b1a60',
  },
  npn: { description: "The producer's national producer number.", example: '9000000001' },
  page: { description: 'Which page to read, counted from 1.', example: 1 },
  pageSize: { description: 'Territories per page.', example: 20 },
  state: { description: 'The state whose department decides.', example: 'TX' },
  stateCode: {
    description:
      'The states to report. Repeat the parameter (`stateCode=TX&stateCode=CA`) or join the codes with commas ' +
      '(`stateCode=TX,CA`); both mean the same. The codes are taken in either case. Anything else, an empty item too, is 400.',
    example: ['TX', 'CA'],
  },
  territoryId: { description: 'The territory to take away.', example: 'ter_south' },
  userId: { description: "The partner's own id for the user.", example: 'usr_abc123' },
};

/** The header of the operations that take an `Idempotency-Key`. */
export const idempotencyKeyParameter: oas31.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat. For 24 hours, the same key with the same body, compared as parsed JSON, yields the ' +
    'same session; with another body it is 400. Keys belong to the agency and the mode.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '7d5f0c2e-order-1',
};
