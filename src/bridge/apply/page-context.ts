import type { Context, Hono, MiddlewareHandler } from 'hono';
import {
  type ApplicationStatus,
  type Language,
  type Progress,
  type ProgressStep,
  spanishStateNames,
  stateNames,
} from '../../contract/index.js';
import type { ApplySession, SessionLink } from '../domain/applications/session.js';
import type { BridgeContext } from '../domain/context.js';
import type { BodyBudget } from '../domain/limits/limiter.js';
import type { TestProcessor } from '../domain/payments/test-processor.js';
import type { Bindings } from '../http/connection.js';
import type { ApplyAssets } from '../pages/assets.js';
import type { Operator } from '../pages/operator.js';
import { languagesSpoken, type Texts, textsIn } from './texts/index.js';

/** The progress of the application, as the script sends it to the element. */
export interface PageSnapshot extends Progress {
  dirty: boolean;
  savedAt?: string | undefined;
  states: { state: string; status: ApplicationStatus }[];
}

/** What any page needs, also one without an application. */
export interface AnyPageContext {
  texts: Texts;
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  /** Whether the page is shown in a frame, where the element has a header of its own. */
  isFramed: boolean;
  assets: ApplyAssets;
  /** The operator of the bridge. */
  operator: Operator;
  /** The host's name, as the user finds it in the address bar. */
  host: string;
  /** The page in the other language. */
  otherLanguageHref?: string | undefined;
  /** The partner, where it is known. */
  agencyName?: string | undefined;
  isTest: boolean;
  /** When the link ends. Absent where no application is open. */
  linkEnds?: Date | undefined;
  /** The overview beside the page on wide screens. */
  overview?: Overview | undefined;
  /** How many minutes the user still needs; absent where nothing is to be done. */
  minutesLeft?: number | undefined;
  /** The messages that the script sends to the element, and to which origins. Only pages of a known application have it. */
  channel?: { origins: string[]; snapshot: PageSnapshot; expiry?: LinkExpiry } | undefined;
}

/** The application at a glance, beside a form on wide screens. */
export interface Overview {
  /** Such as "Life and health". */
  license: string;
  /** Such as "New license". */
  application: string;
  states: readonly string[];
  /** What the fees come to and who pays them; `undefined` where they are not known. */
  fees: string | undefined;
  /** That some of the fees were not verified with the departments; `undefined` where all were. */
  feesNote: string | undefined;
  /** `href` leads to a step that was reached. */
  steps: readonly { name: ProgressStep; isDone: boolean; href: string | undefined }[];
}

/** What any page of an application needs. */
export interface PageContext extends AnyPageContext {
  token: string;
  session: ApplySession;
  agencyName: string;
  /** Whether the user came from the review to change something, and goes back there. */
  isChange: boolean;
  /** The query that carries the choices of display, "" when there are none. */
  query: string;
  /** The whole address of the link, to come back with. */
  linkHref: string;
  /** The path of a page of this application, with the choices of display that ride in the query. */
  path(to: string): string;
  /** As {@link PageContext.path}, and back to the review afterwards. */
  changePath(to: string): string;
}

/** The full name of a state. */
export function stateName(code: string, language: Language): string {
  const names: Readonly<Record<string, string>> = language === 'es' ? spanishStateNames : stateNames;
  return names[code] ?? code;
}

/** US dollars. */
export function dollars(cents: number, language: Language): string {
  return new Intl.NumberFormat(localeOf(language), { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** A day, such as March 3, 2027. */
export function longDate(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/** A day and a time in UTC. */
export function longTime(date: Date, language: Language): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(localeOf(language), options).format(date)} UTC`;
}

/** Names in a sentence: Texas and California. */
export function listed(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(names);
}

/** Slugs are the partners' own: one that has no name here is shown in its own words, `surplus_lines` as "Surplus lines". */
export function kindName({ review }: Texts, slug: string): string {
  const known = Object.entries(review.kinds).find(([kind]) => kind === slug);
  if (known) return known[1];
  const words = slug.replace(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function localeOf(language: Language): string {
  return `${language}-US`;
}

/** What the routes work with. */
export interface ApplyRoom {
  context: BridgeContext;
  assets: ApplyAssets;
  operator: Operator;
  /** Bounds what all large bodies take together. */
  budget: BodyBudget;
  /** Whose simulated page of 3-D Secure is shown. */
  testProcessor: TestProcessor;
}

/** What the middleware leaves for the routes. */
export interface ApplyEnvironment {
  Bindings: Bindings;
  Variables: {
    /** The partner's page that may frame this one and gets the user back; absent while the application is not known. */
    returnUrl: string | undefined;
    /** Whether the page says why a request failed, and holds a link to itself only. */
    isFailure: boolean | undefined;
    /** The origins of the payment processor's fields, on the page that has them. */
    scriptOrigins: readonly string[] | undefined;
    /** What every page needs. */
    page: AnyPageContext;
    /** On the paths of a known application. */
    pageContext: PageContext;
  };
}

/** The application while its routes are added. */
export type ApplyApp = Hono<ApplyEnvironment>;
/** A request in one of its routes. */
export type ApplyRequest = Context<ApplyEnvironment>;
/** A middleware of it. */
export type ApplyMiddleware = MiddlewareHandler<ApplyEnvironment>;

/**
 * How the page is to look. Without cookies the choices ride in the query, from page to page: `lang` and `theme`, put there by
 * the user's own link or by the script when the element says what the partner's page uses.
 */
export interface Display {
  language: Language;
  theme: AnyPageContext['theme'];
  /** The query that carries what was chosen, "" when nothing was. */
  query: string;
}

/** Reads the choices of display. */
export function readDisplay(c: ApplyRequest): Display {
  const chosen = languagesSpoken.find((language) => language === c.req.query('lang'));
  const theme = (['light', 'dark'] as const).find((one) => one === c.req.query('theme'));
  const query = new URLSearchParams();
  if (chosen) query.set('lang', chosen);
  if (theme) query.set('theme', theme);
  const text = query.toString();
  return { language: chosen ?? acceptedLanguage(c), theme: theme ?? 'auto', query: text && `?${text}` };
}

/** Leaves for every route what a page needs before an application is known. */
export function describePage({ context, assets, operator }: ApplyRoom): ApplyMiddleware {
  const { host } = new URL(context.applyUrl);
  return async function describeThisPage(c, next) {
    const { language, theme } = readDisplay(c);
    // The browser says itself that it fills a frame; the element's header then does what ours would do twice.
    const isFramed = c.req.header('sec-fetch-dest') === 'iframe';
    const page: ApplyEnvironment['Variables']['page'] = {
      texts: textsIn(language),
      language,
      theme,
      isFramed,
      assets,
      operator,
      host,
      isTest: false,
      otherLanguageHref: otherLanguageHref(c, language),
    };
    c.set('page', page);
    await next();
  };
}

/** Also of a page that answers a form: each form posts to the address of a page. Its input is lost, so the script asks first. */
function otherLanguageHref(c: ApplyRequest, language: Language): string | undefined {
  const other = languagesSpoken.find((one) => one !== language);
  if (!other) return undefined;
  const url = new URL(c.req.url);
  url.searchParams.set('lang', other);
  return hrefOf(url);
}

/** The address of a page within this site. One slash first: two would lead to another site. */
export function hrefOf({ pathname, search }: URL): string {
  return `/${pathname.replace(/^\/+/, '')}${search}`;
}

function acceptedLanguage(c: ApplyRequest): Language {
  const wanted = (c.req.header('accept-language') ?? '').toLowerCase().split(/[,;-]/)[0]?.trim();
  return languagesSpoken.find((language) => language === wanted) ?? 'en';
}

/** When a link expires, for the script to tell the user and the element. */
export interface LinkExpiry {
  /** The server's time, as the browser's may be another. ISO 8601 in UTC. */
  now: string;
  /** ISO 8601 in UTC. */
  expiresAt: string;
  /** How long before that the user is warned. */
  warningMs: number;
}

/** What a user needs to notice that the link expires and to finish a page of the application. */
const longestWarningMs = 5 * 60_000;

/** Describes when a link expires. Of short sessions only the last fifth is announced: otherwise they would begin with a warning. */
export function describeExpiry(
  { clock, sessionTtlSeconds }: Pick<BridgeContext, 'clock' | 'sessionTtlSeconds'>,
  { expiresAt }: SessionLink,
): LinkExpiry {
  const warningMs = Math.min(longestWarningMs, sessionTtlSeconds * 200);
  return { now: clock().toISOString(), expiresAt: expiresAt.toISOString(), warningMs };
}
