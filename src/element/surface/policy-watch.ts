import { originOf } from '../url-policy.js';

const refused: Record<string, number> = {};

/** What the Content-Security-Policy of the page, whatever asked for it, refused since this was first called, and when last. */
export function watchPolicy(): Readonly<Record<string, number>> {
  // The same listener for all elements, which the browser then has once: one for each would hold its element for good.
  addEventListener('securitypolicyviolation', note);
  return refused;
}

function note({ effectiveDirective, blockedURI, disposition, timeStamp }: SecurityPolicyViolationEvent): void {
  // Where nothing was to be loaded it is a word, such as `inline`.
  if (disposition === 'enforce') refused[`${effectiveDirective} ${originOf(blockedURI) || blockedURI}`] = timeStamp;
}
