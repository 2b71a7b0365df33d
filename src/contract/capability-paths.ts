/**
 * The first segments of the paths of the hosted application that give access to their holder: a link,
 * a request for action, and the pages of a payment. No log may hold what follows them.
 */
export const capabilityPaths = ['s', 'a', 'p', 'test-processor'] as const;
