/*
 * The schemas of all messages. Both ends check messages with them, and `protocol-schema.ts`
 * publishes them as JSON Schema. The types are the interfaces of `messages.ts`; a type test
 * compares both.
 *
 * Every object is strict, every number and list is bounded, and every text has a pattern or a fixed
 * list of words. So no message has a place in which a social security number or an answer could
 * travel, except a link, which the host itself writes.
 *
 * `zod/mini` interprets its schemas: it never calls `new Function`, so it works under a strict CSP
 * and Trusted Types without a change of zod's configuration, which the partner's own code shares.
 */
import * as z from 'zod/mini';
import { stateNames } from '../contract/index.js';
import type { ChannelInit, ElementAnswers, ElementMessages, PageMessages } from './messages.js';

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
const isoDateTime = pattern(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{3})?Z$/u);

/**
 * A link to the hosted application, spelled as `URL.href` spells it: https, or http on the user's
 * own machine, and no user information. Whether it is of the right origin is checked by
 * {@link isForeignAction} and by the hosted page. Text that looks like a social security number is
 * rejected, as a safety net: the URL is the host's own, and its path could otherwise hold anything.
 */
const applicationLink = z
  .string()
  .check(
    z.regex(
      /^(?!.*\d{3}-\d{2}-\d{4})(https:\/\/([a-z\d.\-]{1,253}|\[[a-f\d:.]{2,45}\])|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))(:\d{1,5})?\/[!-~]*$/u,
    ),
    z.maxLength(2_048),
  );

const stateCode = z.enum(Object.keys(stateNames));

const appearance = {
  mode: z.enum(['modal', 'inline', 'popup', 'redirect']),
  locale: pattern(new RegExp(`^${languageTag}$`, 'u')),
  theme: z.enum(['auto', 'light', 'dark']),
};

const snapshot = z.strictObject({
  step: z.enum(['not_started', 'profile', 'identity', 'background', 'disclosures', 'payment', 'review', 'submitted']),
  index: integer(0, 20),
  count: integer(1, 20),
  dirty: z.boolean(),
  savedAt: z.optional(isoDateTime),
  states: z
    .array(
      z.strictObject({
        state: stateCode,
        status: z.enum(['pending_review', 'approved', 'denied', 'requires_action']),
      }),
    )
    .check(z.maxLength(56)),
});

const errorCode = z.enum([
  'session_expired',
  'session_invalid',
  'already_submitted',
  'payment_declined',
  'payment_unavailable',
  'save_failed',
  'unavailable',
]);

/** The messages that the element accepts from the page. */
export const pageSchemas = {
  ready: pageMessage('ready', snapshot),
  progress: pageMessage('progress', snapshot),
  submitted: pageMessage('submitted', snapshot),
  resize: pageMessage('resize', z.strictObject({ height: integer(0, 50_000) })),
  scrollTo: pageMessage('scrollTo', z.strictObject({ top: integer(0, 50_000) })),
  dirty: pageMessage('dirty', z.strictObject({ dirty: z.boolean() })),
  requiresAction: pageMessage('requiresAction', z.strictObject({ state: stateCode, actionUrl: applicationLink })),
  sessionExpiring: pageMessage('sessionExpiring', z.strictObject({ inSeconds: integer(0, 86_400) })),
  closeRequest: pageMessage('closeRequest', z.strictObject({ by: z.enum(['escape', 'button', 'done']) })),
  error: pageMessage('error', z.strictObject({ code: errorCode, recoverable: z.boolean() })),
} satisfies { [Type in keyof PageMessages]: z.ZodMiniType<PageMessage<Type>> };

/** The messages that the page accepts from the element. */
export const elementSchemas = {
  configure: elementMessage('configure', z.strictObject(appearance)),
  confirmClose: elementMessage('confirmClose', z.strictObject({})),
  navigateBack: elementMessage('navigateBack', z.strictObject({})),
  session: elementMessage(
    'session',
    z.strictObject({ expiresAt: isoDateTime, applicationUrl: z.optional(applicationLink) }),
  ),
} satisfies { [Type in keyof ElementMessages]: z.ZodMiniType<ElementMessage<Type>> };

/** The answers that the element accepts from the page. */
export const answerSchemas = {
  configure: z.strictObject({}),
  confirmClose: z.strictObject({ dirty: z.boolean(), savedAt: z.optional(isoDateTime) }),
  navigateBack: z.strictObject({ moved: z.boolean() }),
  session: z.strictObject({ taken: z.optional(z.boolean()) }),
} satisfies { [Type in keyof ElementAnswers]: z.ZodMiniType<ElementAnswers[Type]> };

const version = integer(1, 999);
const versions = z.array(version).check(z.minLength(1), z.maxLength(20));

/** 128 random bits in letters, so that they contain no number. */
const documentId = pattern(/^[a-p]{32}$/u);

/*
 * The three messages of the handshake are frozen for all versions, because ends of different
 * versions use them to find a common one.
 */

/** The page introduces its document and the versions that it supports. */
export const helloSchema = z.strictObject({
  ns: z.literal(namespace),
  t: z.literal('hello'),
  v: versions,
  doc: documentId,
});

/** The element accepts the document and transfers one side of a port. */
export const welcomeSchema = z.strictObject({
  ns: z.literal(namespace),
  t: z.literal('welcome'),
  v: version,
  doc: documentId,
  init: z.strictObject({
    channel: pattern(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u),
    ...appearance,
  }) satisfies z.ZodMiniType<ChannelInit>,
});

/** The element supports none of the page's versions, only these. */
export const rejectSchema = z.strictObject({
  ns: z.literal(namespace),
  t: z.literal('reject'),
  v: versions,
  doc: documentId,
});

/** The messages that a page accepts as the answer to its hello. */
export const helloAnswerSchema = z.union([welcomeSchema, rejectSchema]);

/** {@link helloSchema} */
export type Hello = z.infer<typeof helloSchema>;

/** {@link welcomeSchema} */
export type Welcome = z.infer<typeof welcomeSchema>;

/** {@link rejectSchema} */
export type Reject = z.infer<typeof rejectSchema>;

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

function pageMessage<const Type extends keyof PageMessages, Payload extends z.ZodMiniType>(
  type: Type,
  payload: Payload,
) {
  return z.strictObject({ type: z.literal(type), seq: integer(1, 10_000_000), payload });
}

function elementMessage<const Type extends keyof ElementMessages, Payload extends z.ZodMiniType>(
  type: Type,
  payload: Payload,
) {
  return z.strictObject({ type: z.literal(type), payload });
}

function integer(minimum: number, maximum: number) {
  return z.int().check(z.minimum(minimum), z.maximum(maximum));
}

/** A text with a pattern, read as Unicode without other flags, because JSON Schema has none. */
function pattern(expression: RegExp) {
  return z.string().check(z.regex(expression));
}
