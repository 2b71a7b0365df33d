/*
 * The schemas of all messages. Both ends check messages with them, and `protocol-schema.ts`
 * publishes them as JSON Schema. The types are the interfaces of `messages.ts`; a type test
 * compares both.
 *
 * Every object is strict, every number and list is bounded, and every text has a pattern or a fixed
 * list of words. So no message has a place in which a social security number or an answer could
 * travel, except a link, which the host itself writes.
 */
import { stateNames } from '../contract/index.js';
import type { ElementAnswers, ElementMessages, PageMessages } from './messages.js';
import { boolean, type Infer, integer, list, object, type Schema, text, words } from './schema.js';

/** The value of `ns` in every message between the two windows. */
export const namespace = 'licensing-apply';

/** A raw message of the page. `seq` grows with every message of a document. */
export interface PageMessage<Type extends keyof PageMessages = keyof PageMessages> {
  type: Type;
  seq: number;
  payload: PageMessages[Type];
}

/** A raw message of the element. */
export interface ElementMessage<Type extends keyof ElementMessages = keyof ElementMessages> {
  type: Type;
  payload: ElementMessages[Type];
}

const languageTag = '[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\\d{3}))?';

/** A time of this century, ISO 8601 in UTC. */
const isoDateTime = text(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z$/u);

/**
 * A link to the hosted application, spelled as `URL.href` spells it: https, or http on the user's
 * own machine, and no user information. Whether it is of the right origin is checked by
 * {@link isForeignAction} and by the hosted page. Text that looks like a social security number is
 * rejected, as a safety net: the URL is the host's own, and its path could otherwise hold anything.
 */
const applicationLink = text(
  /^(?!.*\d{3}-\d{2}-\d{4})(https:\/\/([a-z\d.\-]{1,253}|\[[a-f\d:.]{2,45}\])|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))(:\d{1,5})?\/[!-~]*$/u,
  { maxLength: 2_048 },
);

const stateCode = words(...Object.keys(stateNames));

const appearance = {
  mode: words('modal', 'inline', 'popup', 'redirect'),
  locale: text(new RegExp(`^${languageTag}$`, 'u')),
  theme: words('auto', 'light', 'dark'),
};

const snapshot = object(
  {
    step: words('not_started', 'profile', 'identity', 'background', 'disclosures', 'payment', 'review', 'submitted'),
    index: integer(0, 20),
    count: integer(1, 20),
    dirty: boolean,
    states: list(
      object({ state: stateCode, status: words('pending_review', 'approved', 'denied', 'requires_action') }),
      {
        maxItems: 56,
      },
    ),
  },
  { savedAt: isoDateTime },
);

const errorCode = words(
  'session_expired',
  'session_invalid',
  'already_submitted',
  'payment_declined',
  'payment_unavailable',
  'save_failed',
  'unavailable',
);

/** The messages that the element accepts from the page. */
export const pageSchemas = {
  ready: pageMessage('ready', snapshot),
  progress: pageMessage('progress', snapshot),
  submitted: pageMessage('submitted', snapshot),
  resize: pageMessage('resize', object({ height: integer(0, 50_000) })),
  scrollTo: pageMessage('scrollTo', object({ top: integer(0, 50_000) })),
  dirty: pageMessage('dirty', object({ dirty: boolean })),
  requiresAction: pageMessage('requiresAction', object({ state: stateCode, actionUrl: applicationLink })),
  sessionExpiring: pageMessage('sessionExpiring', object({ inSeconds: integer(0, 86_400) })),
  closeRequest: pageMessage('closeRequest', object({ by: words('escape', 'button', 'done') })),
  error: pageMessage('error', object({ code: errorCode, recoverable: boolean })),
} satisfies { [Type in keyof PageMessages]: Schema<PageMessage<Type>> };

/** The messages that the page accepts from the element. */
export const elementSchemas = {
  configure: elementMessage('configure', object(appearance)),
  confirmClose: elementMessage('confirmClose', object({})),
  navigateBack: elementMessage('navigateBack', object({})),
  session: elementMessage('session', object({ expiresAt: isoDateTime }, { applicationUrl: applicationLink })),
} satisfies { [Type in keyof ElementMessages]: Schema<ElementMessage<Type>> };

/** The answers that the element accepts from the page. */
export const answerSchemas = {
  configure: object({}),
  confirmClose: object({ dirty: boolean }, { savedAt: isoDateTime }),
  navigateBack: object({ moved: boolean }),
  session: object({}, { taken: boolean }),
} satisfies { [Type in keyof ElementAnswers]: Schema<ElementAnswers[Type]> };

const version = integer(1, 999);
const versions = list(version, { minItems: 1, maxItems: 20 });

/** 128 random bits in letters, so that they contain no number. */
const documentId = text(/^[a-p]{32}$/u);

/*
 * The three messages of the handshake are frozen for all versions, because ends of different
 * versions use them to find a common one.
 */

/** The page introduces its document and the versions that it supports. */
export const helloSchema = object({
  ns: words(namespace),
  t: words('hello'),
  v: versions,
  doc: documentId,
});

/** The element accepts the document and transfers one side of a port. */
export const welcomeSchema = object({
  ns: words(namespace),
  t: words('welcome'),
  v: version,
  doc: documentId,
  init: object({
    channel: text(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u),
    ...appearance,
  }),
});

/** The element supports none of the page's versions, only these. */
export const rejectSchema = object({
  ns: words(namespace),
  t: words('reject'),
  v: versions,
  doc: documentId,
});

/** {@link helloSchema} */
export type Hello = Infer<typeof helloSchema>;

/** {@link welcomeSchema} */
export type Welcome = Infer<typeof welcomeSchema>;

/** {@link rejectSchema} */
export type Reject = Infer<typeof rejectSchema>;

/** Whether a message has a link to another origin than its sender's. */
export function isForeignAction({ type, payload }: PageMessage, origin: string): boolean {
  // The schema allows nothing between the origin and the path, so comparing the texts is exact.
  return type === 'requiresAction' && !(payload as PageMessages['requiresAction']).actionUrl.startsWith(`${origin}/`);
}

/**
 * The sent part of a language tag: language, script and region. Extensions such as `-u-hc-h12` are
 * dropped, because the longer grammar would have room for numbers. Returns `en` for an invalid tag.
 */
export function coreLocale(tag: string): string {
  return new RegExp(`^${languageTag}(?=-|$)`).exec(tag)?.[0] ?? 'en';
}

function pageMessage<const Type extends keyof PageMessages, Payload extends Schema>(type: Type, payload: Payload) {
  return object({ type: words(type), seq: integer(1, 10_000_000), payload });
}

function elementMessage<const Type extends keyof ElementMessages, Payload extends Schema>(
  type: Type,
  payload: Payload,
) {
  return object({ type: words(type), payload });
}
