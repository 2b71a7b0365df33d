import { textLimits, type FailureName, type OperationId } from '../../../contract/index.js';

/*
 * The limits of every input. The code and the tables of docs/bridge/configure.md (`npm run docs`)
 * use these numbers. The limit of an input is checked before it is parsed, walked or normalized.
 */

const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;

/**
 * The maximum body of each operation in bytes: every field at its maximum length, each character
 * escaped. Only lists of NPNs need more. Login is the only operation that reads a body of an
 * unauthenticated caller.
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
  completeApplication: 4 * kibibyte,
  decideState: 16 * kibibyte,
} as const satisfies Partial<Record<OperationId, number>>;

/** A limit and its description for the docs. */
interface Bound {
  max: number;
  doc: string;
}

/** The limits of bodies and forms, and of their total in an instance. */
export const inputLimits = {
  jsonDepth: { max: 32, doc: 'Levels of nesting in a JSON body' },
  jsonValues: { max: 12_000, doc: 'Values in a JSON body' },
  formBytes: { max: 256 * kibibyte, doc: 'Bytes of a form of the hosted application' },
  formFields: { max: 500, doc: 'Fields of a form' },
  // Twice the longest text, because browsers send a line break as two characters.
  formFieldCharacters: { max: 4_000, doc: 'Characters of a field of a form, before any processing' },
  documentBytes: { max: 8 * mebibyte, doc: 'Bytes of a document that a user uploads' },
  documentsPerApplication: { max: 20, doc: 'Documents of an application, those for requests of states included' },
  reasonTemplates: { max: 200, doc: 'Templates for the reasons of decisions' },
  notesPerApplication: { max: 100, doc: 'Notes of operators about an application' },
  // Bodies up to this size are limited by the number of connections, so that large ones cannot
  // block small ones.
  smallBodyBytes: { max: 16 * kibibyte, doc: 'Bytes of a body or form that is read at any time' },
  apiBodiesBytes: {
    max: 32 * mebibyte,
    doc: 'Bytes of larger bodies that the API has in memory, in live mode; half of it for one agency',
  },
  apiTestBodiesBytes: { max: 16 * mebibyte, doc: 'The same in test mode' },
  documentsInMemoryBytes: {
    max: 64 * mebibyte,
    doc: 'Bytes of documents that are being uploaded, in live mode; half of it for one agency or address, and one document for an application',
  },
  testDocumentsInMemoryBytes: { max: 40 * mebibyte, doc: 'The same in test mode' },
  formsInMemoryBytes: {
    max: 16 * mebibyte,
    doc: 'Bytes of larger forms of the hosted application; a quarter of it for one address',
  },
} as const satisfies Record<string, Bound>;

/** The maximum number of characters of each kind of text, before any processing. */
export const characters = {
  ...textLimits,
  formLine: { max: 200, doc: 'Characters of a line of a form' },
  signedName: { max: 500, doc: 'Characters of a typed signature' },
  note: { max: 2_000, doc: 'Characters of a note of an operator' },
  followUp: { max: 2_000, doc: 'Characters of an answer in the words of the user' },
} as const satisfies Record<string, Bound>;

/** The largest further fee that an operator can ask for: a typing error must not charge more. */
export const furtherFeeCents: Bound = { max: 500_000, doc: 'US cents of a further fee of a state' };

/** The time limits of a caller, so that slow callers cannot use up the connections. */
export interface ServerLimits {
  /** Timeout for the headers of a request, in milliseconds. */
  headersMs: number;
  /** Timeout for a whole request, in milliseconds. */
  requestMs: number;
  /** The minimum speed of an upload after {@link ServerLimits.requestMs}, in bytes per second. */
  uploadBytesPerSecond: number;
  /**
   * Timeout for a request and its response up to the last byte, in milliseconds; for an upload,
   * without the time of its body.
   */
  exchangeMs: number;
  /** Timeout between two requests of a connection, in milliseconds. */
  idleMs: number;
  /** The interval of the checks of the first two timeouts, in milliseconds. */
  checkMs: number;
  /** The maximum size of the headers of a request, in bytes. */
  headerBytes: number;
  /** The maximum number of connections to one port; further ones are closed at once. */
  connections: number;
  /** Of these, the maximum number of one IP address, where no proxy is in front. */
  connectionsOfAddress: number;
}

/** The limits of each port of an instance. */
export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  // A quarter of a megabit: a slow mobile connection uploads the largest document in less than five
  // minutes. Slower callers are disconnected.
  uploadBytesPerSecond: 32 * kibibyte,
  exchangeMs: 60_000,
  // Longer than the timeout of load balancers: when the bridge closes an idle connection first, a
  // request that is just being sent on it is lost.
  idleMs: 65_000,
  checkMs: 2_000,
  headerBytes: 16 * kibibyte,
  connections: 4_000,
  // Enough for an office: a browser opens six.
  connectionsOfAddress: 1_000,
};

/**
 * The limits of attempts in an application, in all its sessions. Never by session: the page of a
 * partner can create a new session with every click. Attempts are counted from their rows under a
 * lock, so that concurrent attempts cannot exceed the limit, and rejected ones are not counted.
 */
export const triesPerApplication = {
  // Testing stolen card numbers takes many attempts; a user with a valid card needs few.
  declinedPayments: { max: 10, doc: 'Declined payments of an application, in all its sessions' },
} as const satisfies Record<string, Bound>;

/**
 * The limits of attempts in {@link triesPerDay.seconds}: of a user in all applications of an agency
 * and mode together, and of the whole agency in a mode.
 */
export const triesPerDay = {
  seconds: 24 * 3_600,
  // Of 10,000 possible ones.
  wrongLastFour: { max: 5, doc: 'Wrong last four digits of the SSN, and wrong codes by mail, of a user in 24 hours' },
  // Each is a chance of five in a million for a guesser, and a mail in the mailbox of the user.
  codes: { max: 5, doc: 'Codes that are sent by mail for a user in 24 hours' },
  declinedPayments: { max: 5, doc: 'Declined payments of a user in 24 hours' },
  // A card is tested by an accepted payment, too, that another answer makes useless.
  releasedPayments: { max: 10, doc: 'Payments of a user that were authorized and released in 24 hours' },
  // Many accounts of an agency may belong to one person.
  declinedPaymentsOfAgency: { max: 200, doc: 'Declined payments of an agency in one mode in 24 hours' },
} as const satisfies { seconds: number } & Record<string, Bound | number>;

/** The times of the console. */
export const operatorTimes = {
  // Long enough for the forms of one case, short for a browser that its operator has left.
  proofSeconds: { max: 300, doc: 'Seconds after a code or password for which the console asks for no other' },
} as const satisfies Record<string, Bound>;

/** A number of calls in a period of seconds, counted by all instances together. */
export interface RateLimit {
  points: number;
  seconds: number;
  /** The counted calls, as in error messages and docs. */
  what: string;
  /** The owner of the count. Only a keyed hash of an IP address or a mailbox is stored. */
  by: 'credential' | 'agency and mode' | 'address' | 'mailbox' | 'operator';
  failure: FailureName;
}

const minute = 60;
const hour = 3_600;
const day = 24 * hour;

/** The periods of the rates, as text. */
const periods = new Map([
  [minute, 'a minute'],
  [hour, 'an hour'],
  [day, 'a day'],
]);

/** Every rate that is limited. */
export const rateLimits = {
  /**
   * `BRIDGE_RATE_LIMIT` changes it. All tokens of a credential count together, so that another
   * login does not raise the limit.
   */
  requests: { points: 600, seconds: minute, what: 'requests', by: 'credential', failure: 'too_many_requests' },
  /** Of the API: each costs a look-up. Issued tokens are recognized before, and not counted. */
  inventedTokens: {
    points: 600,
    seconds: minute,
    what: 'invented tokens',
    by: 'address',
    failure: 'too_many_requests',
  },
  /**
   * By IP address only: with a limit by clientId, anyone who knows a clientId could lock its agency
   * out. Secrets of 256 random bits cannot be guessed.
   */
  failedLogins: { points: 10, seconds: minute, what: 'failed logins', by: 'address', failure: 'too_many_logins' },
  /**
   * Of the console. Names and passwords by IP address only, as above: others could lock an account
   * that locks itself.
   */
  failedSignIns: {
    points: 10,
    seconds: minute,
    what: 'failed sign-ins to the console',
    by: 'address',
    failure: 'too_many_logins',
  },
  /**
   * Of the console, after a right password, so that others cannot lock an operator out. Three of a
   * million codes are valid at a time: at this rate, every second guesser needs five years.
   */
  wrongCodes: {
    points: 5,
    seconds: hour,
    what: 'wrong codes of the authenticator app after a right password',
    by: 'operator',
    failure: 'too_many_logins',
  },
  /** Of the console, in a session, which may be stolen. Separate, so that it refuses no sign-in. */
  wrongCurrentPasswords: {
    points: 5,
    seconds: hour,
    what: 'wrong current passwords in sessions of the console',
    by: 'operator',
    failure: 'too_many_logins',
  },
  /** Of the console: every page costs a look-up of its session, also without a valid cookie. */
  consolePages: {
    points: 600,
    seconds: minute,
    what: 'pages of the console',
    by: 'address',
    failure: 'too_many_requests',
  },
  /**
   * Besides the limits of {@link triesPerDay}: one person with many accounts would otherwise stop
   * the whole agency. Enough for an office of hundreds of users behind one IP address.
   */
  declinedPayments: {
    points: 30,
    seconds: day,
    what: 'declined payments',
    by: 'address',
    failure: 'too_many_requests',
  },
  /** Of pages that send a code by mail. */
  codeRequests: {
    points: 20,
    seconds: hour,
    what: 'requests for a code by mail',
    by: 'address',
    failure: 'too_many_requests',
  },
  /**
   * To one mailbox, for all users of all agencies: a partner could create users without end with the
   * address of another person. A code over the limit is not sent, and no page says so.
   */
  codes: { points: 10, seconds: day, what: 'codes by mail', by: 'mailbox', failure: 'too_many_requests' },
  /** Of all kinds. More than the receipt and a decision of every state on one day. */
  mails: { points: 200, seconds: day, what: 'mails', by: 'mailbox', failure: 'too_many_requests' },
  /** Each login writes a row, and a token is valid for an hour. */
  logins: { points: 60, seconds: minute, what: 'logins', by: 'credential', failure: 'too_many_requests' },
  /**
   * With a known name and five known digits, 10,000 look-ups find an SSN: at this rate they take
   * three weeks.
   */
  ssnMisses: {
    points: 20,
    seconds: hour,
    what: 'look-ups by SSN without a result',
    by: 'agency and mode',
    failure: 'too_many_requests',
  },
  /**
   * `BRIDGE_PAGE_LIMIT` changes it. Enough for a hundred users behind one IP address, each with a
   * page every five seconds.
   */
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

/** A period of a rate as text, such as "a minute". */
export function periodInWords(seconds: number): string {
  return periods.get(seconds) ?? `${seconds} seconds`;
}

/** A limit as text, such as "600 requests a minute by one credential". */
export function rateInWords({ points, seconds, what, by }: RateLimit): string {
  return `${points} ${what} ${periodInWords(seconds)} by one ${by}`;
}
