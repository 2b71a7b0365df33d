/** The mode, language and theme of the partner's page. */
interface Appearance {
  mode: string;
  locale: string;
  theme: 'auto' | 'light' | 'dark';
}

/**
 * Reads the appearance from the fragment of the URL, which no server receives, and removes it
 * there, so that Back does not apply it again. The element puts it there for a redirect and for a
 * popup that it cannot send messages to. Returns `undefined` when the fragment has none.
 */
export function applyAppearance(): Appearance | undefined {
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
 * Returns a function that applies the theme and language of the partner's page. The query of every
 * link and form carries them to the next page, because the application sets no cookies.
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
    // A language that the user chose here takes precedence over the first one of the partner's
    // page, but not over one that is chosen there later.
    const isFollowed = followed ? followed !== locale : !new URLSearchParams(location.search).has('lang');
    followed = locale;
    if (isFollowed) speak(locale.split('-')[0]?.toLowerCase() ?? '', isTyped);
  };
}

/**
 * Shows the page in a supported language. When a reload would lose input or errors, the language
 * applies from the next page.
 */
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
