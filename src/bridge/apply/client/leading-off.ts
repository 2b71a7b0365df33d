/** Whether a click leaves this page for another one of the application: not for a place on it, another window, or another site. */
export function leadsOffThisPage(event: MouseEvent, { origin, pathname, hash, target }: HTMLAnchorElement): boolean {
  const isOnThisPage = hash !== '' && pathname === location.pathname;
  const isElsewhere = target !== '' || event.ctrlKey || event.metaKey || event.shiftKey;
  return origin === location.origin && !isOnThisPage && !isElsewhere;
}
