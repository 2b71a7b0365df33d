/** What the element says about the partner's page. */
interface Appearance {
  mode: string;
  locale: string;
  theme: 'auto' | 'light' | 'dark';
}

/**
 * What a page of the partner says that cannot speak to this one: it gave way to it, or this window is cut off from it. It stands
 * behind the `#` of the address, as a query: no server sees it. Taken from there, so that Back does not bring it up again.
 */
export function takeAppearance(): Appearance | undefined {
  const { mode, locale, theme } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!mode || !locale || !isTheme(theme)) return undefined;
  history.replaceState(
    history.state,
    '',
    withQuery(location.origin + location.pathname + location.search, 'theme', theme),
  );
  return { mode, locale, theme };
}

function isTheme(value: string | undefined): value is Appearance['theme'] {
  return value === 'auto' || value === 'light' || value === 'dark';
}

/**
 * Takes over the partner's colours and language, each time that what it returns is called. The choice then rides in the query of every
 * link and form, so that the next page is right from its first paint; there are no cookies to keep it in.
 */
export function createAppearance(): (appearance: Appearance) => void {
  let followed: string | undefined;
  let isTyped = false;
  document.addEventListener('input', () => {
    isTyped = true;
  });

  return function followAppearance({ mode, locale, theme }) {
    document.documentElement.dataset['mode'] = mode;
    document.documentElement.dataset['theme'] = theme;
    carry('theme', theme);
    // What the user chose here goes before what the partner's page has from the start, not before what is chosen there meanwhile.
    const isFollowed = followed ? followed !== locale : !new URLSearchParams(location.search).has('lang');
    followed = locale;
    if (isFollowed) speak(locale.split('-')[0]?.toLowerCase() ?? '', isTyped);
  };
}

/** Shows the page in a language, if there is one of it; from the next page on when this one says or holds what would be lost. */
function speak(language: string, isTyped: boolean): void {
  const other = document.querySelector<HTMLAnchorElement>(`.language a[hreflang="${CSS.escape(language)}"]`);
  if (isTyped || document.querySelector('.error-summary')) carry('lang', language, 'a:not([hreflang])');
  else if (other) location.replace(other.href);
}

function carry(name: string, value: string, links = 'a'): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(links)) link.href = withQuery(link.href, name, value);
  for (const form of document.querySelectorAll('form')) form.action = withQuery(form.action, name, value);
}

function withQuery(href: string, name: string, value: string): string {
  const url = new URL(href, location.href);
  const isOurs = url.origin === location.origin && /^\/[sa]\//.test(url.pathname);
  const isOnThisPage = url.hash !== '' && url.pathname === location.pathname;
  if (!isOurs || isOnThisPage) return href;
  if (value === 'auto') url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}
