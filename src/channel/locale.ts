/**
 * The part of a language tag that travels: language, script and region. Extensions such as `-u-hc-h12` are left out, because
 * the longer grammar would have room for numbers. `en` for what is no language tag.
 */
export function coreLocale(tag: string): string {
  return /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(?=-|$)/i.exec(tag)?.[0] ?? 'en';
}
