import type { FailureName, OperationId } from '../../../contract/index.js';

/*
 * What bounds every input. The code takes its numbers from here, and `npm run docs` writes the tables of docs/bridge/configure.md from here.
 * Nothing reads, walks or normalizes an input before its bound has been checked.
 */

const kibibyte = 1_024;

/**
 * The largest body of each operation that takes one, in bytes: every field at its longest, each character escaped. Only lists of
 * NPNs need more. Login is the one operation that reads a body before it knows the caller.
 */
export const bodyBytes = {
  login: 4 * kibibyte,
  updateAccount: 16 * kibibyte,
  onboardProducer: 16 * kibibyte,
  startBulkOnboarding: 1_024 * kibibyte,
  lookUpNpn: 4 * kibibyte,
  getSubscriptionUpdate: 4 * kibibyte,
  subscribe: 1_024 * kibibyte,
  unsubscribe: 1_024 * kibibyte,
  assignTerritory: 4 * kibibyte,
  syncProfile: 16 * kibibyte,
  createSession: 16 * kibibyte,
  decideState: 16 * kibibyte,
} as const satisfies Partial<Record<OperationId, number>>;

/** A bound and what it bounds, in words for the docs. */
interface Bound {
  max: number;
  doc: string;
}

/** Bounds of what a body or a form holds, and of what an instance holds of all of them. */
export const inputLimits = {
  jsonDepth: { max: 32, doc: 'Levels of nesting in a JSON body' },
  jsonValues: { max: 12_000, doc: 'Values in a JSON body' },
  formBytes: { max: 256 * kibibyte, doc: 'Bytes of a form of the hosted application' },
  formFields: { max: 500, doc: 'Fields of a form' },
  // Twice the longest text: browsers send each end of a line as two characters.
  formFieldCharacters: { max: 4_000, doc: 'Characters of a field of a form, before anything is done with it' },
  documentBytes: { max: 8 * 1_024 * kibibyte, doc: 'Bytes of a document that a user uploads' },
  documentsPerApplication: { max: 20, doc: 'Documents of an application, those for requests of states included' },
  // Bodies up to this size are bounded by the number of connections, so that large ones cannot keep small ones out.
  smallBodyBytes: { max: 16 * kibibyte, doc: 'Bytes of a body or form that is read at any time' },
  bodyBytesInFlight: {
    max: 64 * 1_024 * kibibyte,
    doc: 'Bytes of all larger bodies that the API is reading; the same again for forms of the hosted application',
  },
} as const satisfies Record<string, Bound>;

/** The most characters of each kind of text, before it is changed in any way. */
export const characters = {
  /** Ids, slugs, secrets and keys that partners choose or hold. */
  id: { max: 255, doc: 'Characters of an id, a client secret or an Idempotency-Key' },
  name: { max: 100, doc: 'Characters of a first name, a last name or a city' },
  street: { max: 200, doc: 'Characters of a street' },
  gender: { max: 50, doc: 'Characters of a gender' },
  reason: { max: 500, doc: 'Characters of the reason of a decision' },
  email: { max: 254, doc: 'Characters of an e-mail address' },
  phone: { max: 40, doc: 'Characters of a phone number' },
  url: { max: 2_048, doc: 'Characters of a URL' },
  formLine: { max: 200, doc: 'Characters of a line of a form' },
  signedName: { max: 500, doc: 'Characters of a typed signature' },
  followUp: { max: 2_000, doc: 'Characters of an answer in the words of the user' },
} as const satisfies Record<string, Bound>;

/** How long a caller may take, and how much it may hold: slow callers must not keep connections from others. */
export interface ServerLimits {
  /** For the headers of a request, in milliseconds. */
  headersMs: number;
  /** For a whole request, in milliseconds. */
  requestMs: number;
  /** Bytes a second that an upload has to bring once {@link ServerLimits.requestMs} is over. */
  uploadBytesPerSecond: number;
  /** For a request and its answer, read to the last byte, in milliseconds; of an upload, besides what its body may take. */
  exchangeMs: number;
  /** Between two requests of one connection, in milliseconds. */
  idleMs: number;
  /** How often the first two are checked, in milliseconds. */
  checkMs: number;
  /** Bytes of the headers of a request. */
  headerBytes: number;
  /** Connections at once on one port; further ones are closed as they come. */
  connections: number;
}

/** The limits of each port of an instance. */
export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  // A quarter of a megabit: a slow mobile connection brings the largest document in under five minutes. A caller that trickles is
  // cut off as soon as any other.
  uploadBytesPerSecond: 32 * kibibyte,
  exchangeMs: 60_000,
  // Longer than load balancers keep theirs: if we closed an idle connection first, a request that is being sent on it would be lost.
  idleMs: 65_000,
  checkMs: 2_000,
  headerBytes: 16 * kibibyte,
  connections: 4_000,
};

/**
 * What a session may try. Counted in the rows of what was tried, under the application's lock: of many tries at once, none may
 * slip past the count, and none that was refused may be counted.
 */
export const triesPerSession = {
  // Testing stolen card numbers takes many attempts, a user's own card few.
  declinedPayments: { max: 5, doc: 'Declined payments of a session' },
} as const satisfies Record<string, Bound>;

/** What a user may try in {@link triesPerDay.seconds}, in all sessions of an agency and mode together. */
export const triesPerDay = {
  seconds: 24 * 3_600,
  // Of 10,000 possible ones. Not per session: a partner's page makes a new one at every click.
  wrongLastFour: { max: 5, doc: 'Wrong last four digits of the SSN of a user in 24 hours' },
} as const satisfies { seconds: number; wrongLastFour: Bound };

/** So many of something in so many seconds, counted by all instances together. */
export interface RateLimit {
  points: number;
  seconds: number;
  /** What is counted, in words for failures and docs. */
  what: string;
  /** What the count belongs to. An address is kept as a keyed hash only. */
  by: 'credential' | 'agency and mode' | 'address';
  failure: FailureName;
}

const minute = 60;
const hour = 3_600;

/** Every rate that is limited. */
export const rateLimits = {
  /** `BRIDGE_RATE_LIMIT` changes it. All tokens of a credential count together: another login must not buy another 600. */
  requests: { points: 600, seconds: minute, what: 'requests', by: 'credential', failure: 'too_many_requests' },
  /**
   * By address only: whoever knows a clientId could lock its agency out otherwise, and secrets of 256 random bits cannot be
   * guessed.
   */
  failedLogins: { points: 10, seconds: minute, what: 'failed logins', by: 'address', failure: 'too_many_logins' },
  /** Of the console. By address only, as above: an account that locks is an account that others can lock. */
  failedSignIns: {
    points: 10,
    seconds: minute,
    what: 'failed sign-ins to the console',
    by: 'address',
    failure: 'too_many_logins',
  },
  /** Of the console: a page costs a look-up of its session, whoever asks. */
  consolePages: {
    points: 600,
    seconds: minute,
    what: 'pages of the console',
    by: 'address',
    failure: 'too_many_requests',
  },
  /** Each login writes a row, and a token lives for an hour. */
  logins: { points: 60, seconds: minute, what: 'logins', by: 'credential', failure: 'too_many_requests' },
  /** With a known name and five known digits, 10,000 tries find an SSN: at this rate they take three weeks. */
  ssnMisses: {
    points: 20,
    seconds: hour,
    what: 'look-ups by SSN without a result',
    by: 'agency and mode',
    failure: 'too_many_requests',
  },
  /** `BRIDGE_PAGE_LIMIT` changes it. Room for a hundred people behind one address, each with a page every five seconds. */
  pages: {
    points: 1_200,
    seconds: minute,
    what: 'pages of the hosted application',
    by: 'address',
    failure: 'too_many_requests',
  },
} as const satisfies Record<string, RateLimit>;

/** The name of a limit in {@link rateLimits}. */
export type RateLimitName = keyof typeof rateLimits;

/** A limit in words, such as "600 requests a minute by one credential". */
export function rateInWords({ points, seconds, what, by }: RateLimit): string {
  const period = seconds === minute ? 'a minute' : 'an hour';
  return `${String(points)} ${what} ${period} by one ${by}`;
}
