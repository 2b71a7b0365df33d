import type { Context, Env, MiddlewareHandler } from 'hono';

/**
 * The headers of every answer. Nothing inline runs or styles, nothing is kept by a cache, no address leaks by a referrer, and
 * only the origin that `framedBy` allows may frame the page. No Cross-Origin-Opener-Policy: a popup needs its opener.
 *
 * @param isSecure Whether browsers reach the pages by https, and are to do so from then on.
 * @param scriptOrigins The origins of the scripts, frames and requests that this answer may have besides ours. Default: none.
 * @param framedBy The origin that may frame this answer. Default: none.
 */
export function secureHeaders<E extends Env>(
  isSecure: boolean,
  framedBy: (c: Context<E>) => string | undefined = () => undefined,
  scriptOrigins: (c: Context<E>) => readonly string[] = () => [],
): MiddlewareHandler<E> {
  return async function addSecureHeaders(c, next) {
    await next();
    const others = scriptOrigins(c);
    const policy = [
      "default-src 'none'",
      ["script-src 'self'", ...others].join(' '),
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      ["connect-src 'self'", ...others].join(' '),
      ...(others.length > 0 ? [`frame-src ${others.join(' ')}`] : []),
      "base-uri 'none'",
      // Nor does a form lead to the partner: see `redirectToPartner`.
      "form-action 'self'",
      // By default no site frames a page: one that takes SSNs must not be laid under a decoy.
      `frame-ancestors ${framedBy(c) ?? "'none'"}`,
    ];
    const { headers } = c.res;
    headers.set('content-security-policy', policy.join('; '));
    headers.set('referrer-policy', 'no-referrer');
    headers.set('x-content-type-options', 'nosniff');
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), usb=()');
    if (isSecure) headers.set('strict-transport-security', 'max-age=31536000');
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  };
}
