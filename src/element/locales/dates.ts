/** A day, such as "Nov 20, 2026". */
export function dateOf(moment: string, locale: string): string {
  return formatted(moment, locale, { dateStyle: 'medium' });
}

/** A time of day, such as "2:02 PM". */
export function timeOf(moment: string, locale: string): string {
  return formatted(moment, locale, { timeStyle: 'short' });
}

function formatted(moment: string, locale: string, style: Intl.DateTimeFormatOptions): string {
  const date = new Date(moment);
  // A backend may send anything: what is no date is left out, it must not break the list.
  return date.getTime() ? date.toLocaleString(locale, style) : '';
}
