/** Formats a day, such as "Nov 20, 2026"; "" for a text that is no date. */
export function formatDate(isoDateTime: string, locale: string): string {
  return formatDateTime(isoDateTime, locale, { dateStyle: 'medium' });
}

/** Formats a calendar day, `YYYY-MM-DD`, as {@link formatDate} does; "" for a text that is no date. */
export function formatDay(isoDay: string, locale: string): string {
  // In UTC, in which `Date` reads a day without a time. West of it, it would be the day before.
  return formatDateTime(isoDay, locale, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** Formats a time of day, such as "2:02 PM"; "" for a text that is no date. */
export function formatTime(isoDateTime: string, locale: string): string {
  return formatDateTime(isoDateTime, locale, { timeStyle: 'short' });
}

/**
 * Formats an amount of US dollars as the language writes it in the United States, such as
 * "$1,235.50".
 */
export function formatAmount(dollars: number, locale: string): string {
  return dollars.toLocaleString(new Intl.Locale(locale, { region: 'US' }), { style: 'currency', currency: 'USD' });
}

/** Joins items to a list, such as "Texas, Ohio, and Utah". */
export function formatList(items: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale).format(items);
}

/** Selects the form of a word for a count, in a language that has only a singular and a plural. */
export function selectPlural(locale: string, count: number, forms: { one: string; other: string }): string {
  return new Intl.PluralRules(locale).select(count) === 'one' ? forms.one : forms.other;
}

function formatDateTime(isoDateTime: string, locale: string, style: Intl.DateTimeFormatOptions): string {
  const date = new Date(isoDateTime);
  // A backend may send any text. Formatting an invalid date would throw.
  return date.getTime() ? date.toLocaleString(locale, style) : '';
}
