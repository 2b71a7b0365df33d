/**
 * The key of a redirect in the storage of the tab. Each element of a page has its own, so that the
 * user can come back to several.
 */
export function tabKey(element: string): string {
  return `licensing-apply#${element}`;
}

/** The key of a redirect in the storage of the site, for a return in another tab. */
export function siteKey(returnNonce = ''): string {
  return `licensing-apply:${returnNonce}`;
}

/**
 * Whether this page may have a redirect to restore. Decides whether more code is loaded, so it only
 * looks for an entry of any content: `restoreRedirectState` checks it.
 */
export function mayHaveRedirectState({ id }: { id: string }): boolean {
  // Other services, such as a sign-in, also come back with a `state`.
  const nonce = new URL(location.href).searchParams.getAll('state').at(-1);
  try {
    return tabKey(id) in sessionStorage || (!!nonce && siteKey(nonce) in localStorage);
  } catch {
    // Storage may be forbidden.
    return false;
  }
}
