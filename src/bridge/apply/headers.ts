import type { ApplyMiddleware } from './environment.js';

/**
 * The headers of every answer. Nothing inline runs or styles, nothing is kept by a cache, no address leaks by a referrer, and
 * only the partner of this application may frame the page. No Cross-Origin-Opener-Policy: a popup needs its opener. `isSecure`: whether
 * browsers reach the pages by https, and are to do so from then on.
 */
export function secureHeaders(isSecure: boolean): ApplyMiddleware {
  return async function addSecureHeaders(c, next) {
    await next();
    const returnUrl = c.get('returnUrl');
    const partner = returnUrl ? new URL(returnUrl).origin : undefined;
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      // Nor does a form lead to the partner: see `leadBack`.
      "form-action 'self'",
      // Without a known application nobody frames us: a page that takes SSNs must not be laid under somebody's decoy.
      `frame-ancestors ${partner ?? "'none'"}`,
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
