/** The language tag that an element speaks: its own, the one around it, or the browser's. */
export function localeOf(element: Element & { locale: string }): string {
  // On a server there is nothing around it.
  const around = typeof document === 'undefined' ? undefined : element.closest<HTMLElement>('[lang]');
  return [element.locale, around?.lang, navigator.language].find(isLanguageTag) ?? 'en';
}

/** Whether dates and numbers can be written in it. `en_US` cannot, nor can the `C` that WebKitGTK takes from its system: they throw. */
function isLanguageTag(tag = ''): boolean {
  try {
    return !!new Intl.Locale(tag);
  } catch {
    return false;
  }
}
