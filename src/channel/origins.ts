/**
 * Checks that a text is one exact origin, such as `https://apply.example` or `http://localhost:5172`.
 *
 * @throws TypeError when it has a path, a wildcard, an upper case letter or a default port: compared as texts, such an
 *   origin would never match, and `*` must never become a target.
 */
export function assertOrigin(origin: string): void {
  if (!/^https?:[^*]+$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new TypeError(`"${origin}" is not an exact origin such as "https://apply.example".`);
  }
}
