import type { Context, Env, MiddlewareHandler } from 'hono';

/**
 * The headers of every response: no inline scripts or styles, no caching, no referrer, and framing
 * only by `framedBy`. No Cross-Origin-Opener-Policy, because a popup needs its opener.
 *
 * A page that may be framed also opens in a partner's page that is cross-origin isolated, unless it
 * loads scripts of others, which lack the headers for that.
 *
 * Our own, because `hono/secure-headers` has one policy for all responses.
 *
 * @param isSecure Whether the pages are served over https; then with HSTS.
 * @param scriptOrigins Additional origins of scripts, frames and requests of this response.
 *   Default: none.
 * @param framedBy The origin that may frame this response. Default: none.
 */
export function secureHeaders<E extends Env>(
  isSecure: boolean,
  framedBy: (c: Context<E>) => string | undefined = () => undefined,
  scriptOrigins: (c: Context<E>) => readonly string[] = () => [],
): MiddlewareHandler<E> {
  return async function addSecureHeaders(c, next) {
    await next();
    const others = scriptOrigins(c);
    const framingOrigin = framedBy(c);
    const policy = [
      "default-src 'none'",
      ["script-src 'self'", ...others].join(' '),
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      ["connect-src 'self'", ...others].join(' '),
      ...(others.length > 0 ? [`frame-src ${others.join(' ')}`] : []),
      "base-uri 'none'",
      // Forms do not redirect to the partner: see `redirectToPartner`.
      "form-action 'self'",
      // By default no site may frame a page, which prevents clickjacking.
      `frame-ancestors ${framingOrigin ?? "'none'"}`,
    ];
    const { headers } = c.res;
    headers.set('content-security-policy', policy.join('; '));
    headers.set('referrer-policy', 'no-referrer');
    headers.set('x-content-type-options', 'nosniff');
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), usb=()');
    if (framingOrigin !== undefined && others.length === 0) {
      headers.set('cross-origin-embedder-policy', 'require-corp');
      // The frame-ancestors above still decide which site may frame it.
      headers.set('cross-origin-resource-policy', 'cross-origin');
    }
    if (isSecure) headers.set('strict-transport-security', 'max-age=31536000');
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  };
}
