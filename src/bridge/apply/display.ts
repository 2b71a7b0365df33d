import type { Language } from '../../contract/index.js';
import type { ApplyEnvironment, ApplyMiddleware, ApplyRequest, ApplyRoom } from './environment.js';
import { languagesSpoken, textsIn } from './texts/index.js';
import type { PageVisit } from './visit.js';

/**
 * How the page is to look. Without cookies the choices ride in the query, from page to page: `lang` and `theme`, put there by
 * the user's own link or by the script when the element says what the partner's page uses.
 */
export interface Display {
  language: Language;
  theme: PageVisit['theme'];
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
export function describePage({ context, assets }: ApplyRoom): ApplyMiddleware {
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
      host,
      isTest: false,
      otherLanguageHref: otherLanguageHref(c, language),
    };
    c.set('page', page);
    await next();
  };
}

function otherLanguageHref(c: ApplyRequest, language: Language): string | undefined {
  const other = languagesSpoken.find((one) => one !== language);
  if (!other || c.req.method !== 'GET') return undefined;
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
