import { originOf } from './url-policy.js';

const refused = new Set<string>();
const mostKept = 20;

/** What the page's Content-Security-Policy refused since this was first called: directives and origins, of the page and not of one element. */
export function watchPolicy(): ReadonlySet<string> {
  // The same listener for all elements, which the browser then has once: one for each would hold its element for good.
  document.addEventListener('securitypolicyviolation', note);
  return refused;
}

function note({ effectiveDirective, blockedURI, disposition }: SecurityPolicyViolationEvent): void {
  // Where nothing was loaded it is a word, such as `inline`.
  if (disposition === 'enforce' && refused.size < mostKept)
    refused.add(`${effectiveDirective} ${originOf(blockedURI) || blockedURI}`);
}
