/**
 * The key of a redirect in the storage of the tab. Each element of a page has its own, so that the
 * user can come back to several.
 */
export function tabKey(element: string): string {
  return `licensing-apply#${element}`;
}

/**
 * Whether this page may have a redirect to restore. Decides whether more code is loaded, so it only
 * looks for a trace: `restoreRedirectState` checks it.
 */
export function mayHaveRedirectState({ id }: { id: string }): boolean {
  try {
    return new URL(location.href).searchParams.has('state') || sessionStorage.getItem(tabKey(id)) !== null;
  } catch {
    // Storage may be forbidden.
    return false;
  }
}
