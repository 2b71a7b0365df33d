import type { ReturnStatus } from '../../contract/index.js';

/**
 * Returns where the user goes: the partner's URL with `status` added to its query. A `status` of its
 * own is removed, because partners read only one of two. The rest stays byte by byte.
 */
export function returnHref(returnUrl: string, status: ReturnStatus): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/.exec(returnUrl) ?? [];
  const own = query.split('&').filter((part) => part !== '' && !new URLSearchParams(part).has('status'));
  return `${base}?${[...own, `status=${status}`].join('&')}${fragment}`;
}
