import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { ApplicationStatus, Language, Progress, ProgressStep } from '../../contract/index.js';
import type { ApplySession, SessionLink } from '../domain/applications/session.js';
import type { BridgeContext } from '../domain/context.js';
import type { ApplyBudgets } from './body-budgets.js';
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

/** The context of every page, also without an application. */
export interface AnyPageContext {
  texts: Texts;
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  /** Whether the page is in a frame, where the element shows a header. */
  isFramed: boolean;
  assets: ApplyAssets;
  /** The operator of the bridge. */
  operator: Operator;
  /** The host name, as in the address bar. */
  host: string;
  /** The URL of the page in the other language. */
  otherLanguageHref?: string | undefined;
  /** The partner; absent without an application. */
  agencyName?: string | undefined;
  isTest: boolean;
  /** The expiry of the link; absent without an open application. */
  linkEnds?: Date | undefined;
  /** The overview next to the page on wide screens. */
  overview?: Overview | undefined;
  /** The estimated minutes left; absent where nothing is left to do. */
  minutesLeft?: number | undefined;
  /**
   * The messages that the script sends to the element, and their target origins. Only on pages of a
   * known application.
   */
  channel?: { origins: string[]; snapshot: PageSnapshot; expiry?: LinkExpiry } | undefined;
}

/** The summary of the application next to a form on wide screens. */
export interface Overview {
  /** Such as "Life and health". */
  license: string;
  /** Such as "New license". */
  application: string;
  states: readonly string[];
  /** The total of the fees and who pays them; `undefined` where they are unknown. */
  fees: string | undefined;
  /** The notices about fees that are confirmed at filing, or not verified with the departments. */
  feesNotes: readonly string[];
  /** `href` is the page of a step that was reached. */
  steps: readonly { name: ProgressStep; isDone: boolean; href: string | undefined }[];
}

/** The context of every page of an application. */
export interface PageContext extends AnyPageContext {
  token: string;
  session: ApplySession;
  agencyName: string;
  /** Whether the user came from the review to change an answer, and returns there. */
  isChange: boolean;
  /** The query with the display settings, "" when there are none. */
  query: string;
  /** Whether the bridge sends mails to its users. */
  sendsMail: boolean;
  /** The whole URL of the link, for a later visit. */
  linkHref: string;
  /** The path of a page of this application, with the display settings in the query. */
  path(to: string): string;
  /** As {@link PageContext.path}, with a return to the review. */
  changePath(to: string): string;
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

function localeOf(language: Language): string {
  return `${language}-US`;
}

/** The dependencies of the routes. */
export interface ApplyServices {
  context: BridgeContext;
  assets: ApplyAssets;
  operator: Operator;
  /** The memory of large bodies. */
  budgets: ApplyBudgets;
}

/** The variables that the middleware sets for the routes. */
export interface ApplyEnv {
  Bindings: Bindings;
  Variables: {
    /**
     * The partner's page, which may frame this one and to which the user returns; absent while the
     * application is unknown.
     */
    returnUrl: string | undefined;
    /** Whether the page only shows why a request failed, with a link to itself. */
    isFailure: boolean | undefined;
    /** The origins of the payment processor's fields, on the page with them. */
    scriptOrigins: readonly string[] | undefined;
    /** The context of every page. */
    page: AnyPageContext;
    /** Set on the paths of a known application. */
    pageContext: PageContext;
  };
}

/** The Hono application. */
export type ApplyApp = Hono<ApplyEnv>;
/** The Hono context of a request. */
export type ApplyRequest = Context<ApplyEnv>;
/** A middleware of the hosted application. */
export type ApplyMiddleware = MiddlewareHandler<ApplyEnv>;

/**
 * The display settings. Without cookies they are in the query of every page: `lang` and `theme`,
 * added by the user's link or by the script when the element sends those of the partner's page.
 */
export interface Display {
  language: Language;
  theme: AnyPageContext['theme'];
  /** The query with the display settings, "" when there are none. */
  query: string;
}

/** Reads the display settings. */
export function readDisplay(c: ApplyRequest): Display {
  const chosen = languagesSpoken.find((language) => language === c.req.query('lang'));
  const theme = (['light', 'dark'] as const).find((one) => one === c.req.query('theme'));
  const query = new URLSearchParams();
  if (chosen) query.set('lang', chosen);
  if (theme) query.set('theme', theme);
  const text = query.toString();
  return { language: chosen ?? acceptedLanguage(c), theme: theme ?? 'auto', query: text && `?${text}` };
}

/** Sets the context of pages before the application is known. */
export function describePage({ context, assets, operator }: ApplyServices): ApplyMiddleware {
  const { host } = new URL(context.settings.applyUrl);
  return async function describeThisPage(c, next) {
    const { language, theme } = readDisplay(c);
    // The browser sends this header for a frame, where the element's header replaces the page's.
    const isFramed = c.req.header('sec-fetch-dest') === 'iframe';
    const page: ApplyEnv['Variables']['page'] = {
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

/**
 * Also for the response to a form, because each form posts to the URL of a page. Its input would be
 * lost, so the script asks first.
 */
function otherLanguageHref(c: ApplyRequest, language: Language): string | undefined {
  const other = languagesSpoken.find((one) => one !== language);
  if (!other) return undefined;
  const url = new URL(c.req.url);
  url.searchParams.set('lang', other);
  return hrefOf(url);
}

/**
 * The path of a page in this site. It starts with one slash, because two would lead to another
 * site.
 */
export function hrefOf({ pathname, search }: URL): string {
  return `/${pathname.replace(/^\/+/, '')}${search}`;
}

function acceptedLanguage(c: ApplyRequest): Language {
  const wanted = (c.req.header('accept-language') ?? '').toLowerCase().split(/[,;-]/)[0]?.trim();
  return languagesSpoken.find((language) => language === wanted) ?? 'en';
}

/** The expiry of a link, for the script, which notifies the user and the element. */
export interface LinkExpiry {
  /** The server's time, because the browser's may differ. ISO 8601 in UTC. */
  now: string;
  /** ISO 8601 in UTC. */
  expiresAt: string;
  /** How long before the expiry the user is warned. */
  warningMs: number;
}

/** The time in which a user notices the expiry and completes a page. */
const longestWarningMs = 5 * 60_000;

/**
 * Describes the expiry of a link. For short sessions the warning comes in the last fifth, so that
 * they do not start with it.
 */
export function describeExpiry(
  { clock, settings }: Pick<BridgeContext, 'clock' | 'settings'>,
  { expiresAt }: SessionLink,
): LinkExpiry {
  const warningMs = Math.min(longestWarningMs, settings.sessionTtlSeconds * 200);
  return { now: clock().toISOString(), expiresAt: expiresAt.toISOString(), warningMs };
}
