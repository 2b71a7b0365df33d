/** The origin of an address; "" if it has none. All that may be told of one. */
export function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}

/** Why an address is not opened. */
export type UrlRefusal = 'malformed' | 'scheme' | 'credentials' | 'same-origin';

/** The verdict on an address. */
export type UrlVerdict = { url: URL; refusal?: undefined } | { url?: undefined; refusal: UrlRefusal };

/**
 * Judges an address before it is opened: https, or http on this machine, no user name in it, and in a frame never `framingOrigin`,
 * the origin of the page. A frame of the page's own origin could take off its own sandbox, which has to allow scripts and same
 * origin.
 */
export function judgeUrl(address: string, framingOrigin: string): UrlVerdict {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return { refusal: 'malformed' };
  }
  const local = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return { refusal: 'scheme' };
  if (url.username || url.password) return { refusal: 'credentials' };
  if (url.origin === framingOrigin) return { refusal: 'same-origin' };
  return { url };
}
