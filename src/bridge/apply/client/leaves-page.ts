/**
 * Whether a click leads to another page of the application: not to an anchor of this page, another
 * window, or another site.
 */
export function leavesPage(event: MouseEvent, { origin, pathname, hash, target }: HTMLAnchorElement): boolean {
  const isOnThisPage = hash !== '' && pathname === location.pathname;
  const isElsewhere = target !== '' || event.ctrlKey || event.metaKey || event.shiftKey;
  return origin === location.origin && !isOnThisPage && !isElsewhere;
}
