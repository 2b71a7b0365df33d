/** The language tag that an element speaks: its own, the one around it, or the browser's. */
export function localeOf(element: Element & { locale: string }): string {
  // On a server there is nothing around it.
  const around = typeof document === 'undefined' ? undefined : element.closest<HTMLElement>('[lang]');
  for (const name of [element.locale, around?.lang, navigator.language] as string[])
    try {
      // Backends that keep `es_MX` mean `es-MX`.
      return new Intl.Locale(name.replace(/_/g, '-')).toString();
    } catch {
      // Absent, or none that dates and numbers can be written in: the `C` that WebKitGTK takes from its system throws as well.
    }
  return 'en';
}
