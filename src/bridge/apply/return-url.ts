import type { ReturnStatus } from '../../contract/index.js';

/** Where the user goes, with `status` added to whatever query the partner's address has. The rest stays byte by byte. */
export function returnHref(returnUrl: string, status: ReturnStatus): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(returnUrl) ?? [];
  const separator = query === '' ? '?' : query === '?' ? '' : '&';
  return `${base}${query}${separator}status=${status}${fragment}`;
}
