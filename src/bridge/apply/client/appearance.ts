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

/**
 * Stops a form that has a yes without its details. The server never sends answers back, so the user
 * would have to answer the whole question again.
 */
export function askForDetails(): void {
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      const submitter = event.submitter instanceof HTMLButtonElement ? event.submitter : undefined;
      if (submitter?.name === 'leave') return;
      const missing = [...form.querySelectorAll('.question')].flatMap(missingDetails);
      if (missing.length === 0) return;
      event.preventDefault();
      missing[0]?.focus();
    });
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * The fields of one question, without those of the questions below it, which are checked
 * separately.
 */
function missingDetails(question: Element): Field[] {
  const own = (selector: string) =>
    [...question.querySelectorAll<Field>(selector)].filter((field) => field.closest('.question') === question);
  for (const note of question.querySelectorAll('.follow-up .error')) {
    if (note.closest('.question') === question) note.remove();
  }
  const radios = own('.yes-no input');
  const fields = own('.follow-up :is(input, textarea, select)[required]');
  for (const field of [...radios, ...fields]) field.removeAttribute('aria-invalid');
  if (!isAsked(question)) return [];
  const missing = isYes(question) ? fields.filter((field) => field.value.trim() === '') : [];
  // A question below a "yes" must be answered together with it.
  const isOpen = questionAbove(question) !== undefined && !radios.some((radio) => radio.matches(':checked'));
  if (isOpen) missing.unshift(...radios.slice(0, 1));
  for (const field of missing) markMissing(field);
  return missing;
}

function isYes(question: Element): boolean {
  return question.querySelector(':scope > .yes-no input[value="yes"]')?.matches(':checked') ?? false;
}

function isAsked(question: Element): boolean {
  const above = questionAbove(question);
  return above === undefined || (isYes(above) && isAsked(above));
}

function questionAbove(question: Element): Element | undefined {
  return question.parentElement?.closest('.question') ?? undefined;
}

function markMissing(field: Field): void {
  const note = document.createElement('p');
  note.className = 'error';
  note.id = `${field.id}-error`;
  note.textContent = field.form?.dataset['detailMissing'] ?? '';
  (field.closest('.yes-no, .in-a-row') ?? field).before(note);
  field.setAttribute('aria-invalid', 'true');
  const described = new Set((field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
  field.setAttribute('aria-describedby', [...described.add(note.id)].join(' '));
}
