/** Whether the user may come from an application that was opened in this page's place. A first look, before more is loaded. */
export function wasAway(): boolean {
  try {
    return /[?&]state=/.test(location.search) || traceKey in sessionStorage;
  } catch {
    // A page may be forbidden to store anything.
    return false;
  }
}

/** Under which name the storage holds what is needed to know the user again. */
export const traceKey = 'licensing-apply';
