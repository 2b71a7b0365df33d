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
 * Takes over the partner's colours and language. The choice then rides in the query of every link and form, so that the next
 * page is right from its first paint; there are no cookies to keep it in.
 */
export function followAppearance({ mode, locale, theme }: Appearance): void {
  document.documentElement.dataset['mode'] = mode;
  const hasChosenLanguage = new URLSearchParams(location.search).has('lang');
  const language = locale.split('-')[0]?.toLowerCase() ?? '';
  const other = document.querySelector<HTMLAnchorElement>(`.language a[hreflang="${CSS.escape(language)}"]`);
  // Not over an answer to a post: reloading it by its address would lose what it says.
  if (other && !hasChosenLanguage && !document.querySelector('.error-summary')) {
    carry('theme', theme);
    location.replace(other.href);
    return;
  }
  document.documentElement.dataset['theme'] = theme;
  carry('theme', theme);
}

function carry(name: string, value: string): void {
  for (const link of document.querySelectorAll('a')) link.href = withQuery(link.href, name, value);
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
