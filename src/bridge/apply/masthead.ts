import { phoneHref, type Operator } from '../pages/operator.js';
import type { AnyPageContext } from './page-context.js';
import { html, type Html } from '../pages/html.js';
import { localTime } from './time.js';

/**
 * The operator's name, the host, and the link to the other language. In test mode with a banner
 * above.
 */
export function masthead({ texts, host, operator, isTest, otherLanguageHref, language }: AnyPageContext): Html {
  const { layout } = texts;
  const other = language === 'en' ? 'es' : 'en';
  // Landmarks have names because in a frame they appear next to those of the partner's page.
  return html`<header class="masthead" aria-label="${layout.application}">
    ${isTest && html`<p class="test-mode"><strong>${layout.testModeTitle}</strong> <span>${layout.testMode}</span></p>`}
    <div class="masthead-row">
      <p class="brand">
        ${mark(operator)}
        <span class="brand-names">
          ${operator.name !== undefined && html`<strong class="operator-name">${operator.name}</strong>`}
          <span class="application-name">${layout.application}</span>
        </span>
      </p>
      <p class="host"><span aria-hidden="true">${lock()}</span> <span>${host}</span></p>
      ${
        otherLanguageHref &&
        html`<p class="language">
          <a href="${otherLanguageHref}" lang="${other}" hreflang="${other}">${layout.otherLanguage}</a>
        </p>`
      }
    </div>
  </header>`;
}

/**
 * The host, the operator and its contact details, the expiry of the link, and the data that the
 * partner sees.
 */
export function footer({ texts, language, host, operator, agencyName, linkEnds }: AnyPageContext): Html {
  const { layout } = texts;
  const runBy = operator.name === undefined ? layout.secureOn(host) : layout.runBy(host, operator.name);
  return html`<footer class="foot" aria-label="${host}">
    <div class="foot-row">
      ${operatorLinks(layout, operator)}
      ${linkEnds && html`<p class="link-ends">${layout.linkEnds}: ${localTime(linkEnds, language, true)}</p>`}
      <p>${runBy} ${agencyName && layout.onBehalf(agencyName)}</p>
    </div>
  </footer>`;
}

/**
 * The operator's phone number, e-mail address and help page, one line each; `undefined` when there
 * are none.
 */
export function operatorHelp(
  { layout }: AnyPageContext['texts'],
  { phone, email, helpUrl }: Operator,
): Html | undefined {
  if ((phone ?? email ?? helpUrl) === undefined) return undefined;
  return html`<ul class="help">
    ${phone && html`<li>${layout.phone}: <a href="${phoneHref(phone)}">${phone}</a></li>`}
    ${email && html`<li>${layout.email}: <a href="mailto:${email}">${email}</a></li>`}
    ${helpUrl && html`<li>${elsewhere(layout, helpUrl, layout.helpPage)}</li>`}
  </ul>`;
}

function operatorLinks(layout: AnyPageContext['texts']['layout'], operator: Operator): Html | undefined {
  const { privacyUrl, termsUrl, helpUrl, phone, email } = operator;
  if ((privacyUrl ?? termsUrl ?? helpUrl ?? phone ?? email) === undefined) return undefined;
  return html`<ul class="foot-links">
    ${privacyUrl && html`<li>${elsewhere(layout, privacyUrl, layout.privacyPolicy)}</li>`}
    ${termsUrl && html`<li>${elsewhere(layout, termsUrl, layout.terms)}</li>`}
    ${helpUrl && html`<li>${elsewhere(layout, helpUrl, layout.helpPage)}</li>`}
    ${phone && html`<li><a href="${phoneHref(phone)}">${phone}</a></li>`}
    ${email && html`<li><a href="mailto:${email}">${email}</a></li>`}
  </ul>`;
}

/**
 * A link to another site. It opens in a new window, so that input is kept, and because few sites
 * allow framing.
 */
export function elsewhere(layout: AnyPageContext['texts']['layout'], href: string, text: string): Html {
  return html`<a href="${href}" target="_blank" rel="noreferrer"
    >${text}<span class="visually-hidden"> ${layout.newWindow}</span></a
  >`;
}

/** Decorative, because the name is next to it. */
function mark({ logoHref }: Operator): Html {
  if (logoHref === undefined) return seal();
  return html`<img class="logo" src="${logoHref}" alt="" />`;
}

function seal(): Html {
  return html`<svg class="seal" viewBox="0 0 32 32" width="36" height="36" aria-hidden="true" focusable="false">
    <path class="seal-field" d="M16 2 28 6.5v9c0 7.2-5 12.2-12 14.5C9 27.7 4 22.7 4 15.500v-9z" />
    <path class="seal-mark" d="m10.5 16.2 3.9 3.9 7.6-8.2" fill="none" />
  </svg>`;
}

function lock(): Html {
  return html`<svg viewBox="0 0 16 16" width="14" height="14" focusable="false">
    <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.6" />
    <rect x="3" y="7" width="10" height="7.5" rx="1.5" fill="currentColor" />
  </svg>`;
}
