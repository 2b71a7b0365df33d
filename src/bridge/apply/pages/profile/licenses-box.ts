import type { HeldLicense } from '../../../domain/applications/profile/held-licenses.js';
import { html, type Html } from '../../../pages/html.js';
import { listed, stateName } from '../../../catalogue/state-names.js';
import { longDate, type PageContext } from '../../page-context.js';

/**
 * The licenses of a page as the registry has them; nothing without one. It is below the fields, so
 * that they stay on the first screen.
 */
export function licensesBox({ texts, language }: PageContext, licenses: readonly HeldLicense[]): Html | undefined {
  if (licenses.length === 0) return undefined;
  const words = texts.profile.licenses;
  const row = ({ state, number, licenseClass, lines, isActive, expires, creditsNeeded }: HeldLicense) => {
    const day = expires === '' ? '' : longDate(new Date(expires), language);
    const until = isActive ? words.until(day) : words.ended(day);
    const credits = creditsNeeded > 0 && html`<br />${words.credits(creditsNeeded)}`;
    return html`<dt>${stateName(state, language)}</dt>
      <dd>
        ${licenseClass}, ${words.number(number)}<br />
        ${listed(lines, language)}${lines.length > 0 && ' · '}${until} ${credits}
      </dd>`;
  };
  return html`<section class="inset">
    <h2>${words.title}</h2>
    <dl>${licenses.map(row)}</dl>
  </section>`;
}
