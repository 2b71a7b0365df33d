import { stepNames } from '../../../../contract/index.js';
import { feesOfSession } from '../../../domain/payments/session-fees.js';
import { stepsOf } from '../../../domain/applications/steps.js';
import { html, type Html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';
import { listed, stateName } from '../../../catalogue/state-names.js';
import { dollars, type PageContext } from '../../page-context.js';
import { localTime } from '../../time.js';
import { feeHints } from '../payments/view.js';
import { statesLink } from '../states/view.js';

/**
 * The page before the first step, with what the user will need. `canPay`: whether there is a
 * processor, where the user pays the fees.
 */
export function startPage(pageContext: PageContext, canPay: boolean): Page {
  const { texts, language, session } = pageContext;
  const { application } = session;
  const words = texts.start;
  const total = dollars(feesOfSession(session).totalCents, language);
  const isUserPaying = application.paymentMethod === 'user_pays';
  return {
    title: words.title,
    lead: words.lead(
      listed(
        application.states.map((state) => stateName(state, language)),
        language,
      ),
      pageContext.minutesLeft ?? 0,
    ),
    content: html`
      ${!canPay && cannotPay(pageContext)}
      <p class="buttons begin">
        <a class="button" href="${pageContext.path(session.saved.profile ? '' : 'profile')}"
          >${session.saved.profile ? words.resume : words.begin}</a
        >
        <a class="button quiet" href="${pageContext.path('leave')}">${words.leave(pageContext.agencyName)}</a>
      </p>
      ${statesLink(pageContext)}
      <h2>${words.needTitle}</h2>
      <ul class="list">
        ${words.needs.map((need) => html`<li>${need}</li>`)} ${isUserPaying && html`<li>${words.needCard(total)}</li>`}
      </ul>
      ${!isUserPaying && html`<p>${words.paidBy(pageContext.agencyName)}</p>`} ${isUserPaying && feeHints(pageContext)}
      <section class="steps" aria-labelledby="steps-title">
        <h2 id="steps-title">${words.stepsTitle}</h2>
        <ol class="list">
          ${stepsOf(application.paymentMethod).map((step) => html`<li>${stepNames[language][step]}</li>`)}
        </ol>
      </section>
      <h2>${words.privacyTitle}</h2>
      <p>${words.privacy}</p>
      ${wayBack(pageContext)}
    `,
  };
}

/** How to return: the URL of the application, to bookmark or copy, also from a frame. */
function wayBack({ texts, language, session, agencyName, linkHref, sendsMail }: PageContext): Html {
  const words = texts.start;
  return html`<h2>${words.wayBackTitle}</h2>
    <p>${words.wayBack} ${localTime(session.link.expiresAt, language, true)}. ${words.keepPrivate}</p>
    <div class="own-link">
      <a id="own-link" href="${linkHref}">${linkHref}</a>
      <button
        class="button quiet small"
        type="button"
        id="copy-link"
        data-copied="${words.copied}"
        data-not-copied="${words.notCopied}"
        hidden
      >
        ${words.copy}
      </button>
      <span id="copied" role="status"></span>
    </div>
    <p>${words.afterEnd(agencyName)} ${sendsMail ? words.proofByMail : words.proofByDigits}</p>`;
}

/** Shown first, so that no user types an SSN for an application that cannot be submitted. */
function cannotPay({ texts }: PageContext): Html {
  return html`<div class="inset">
    <h2>${texts.payment.unavailableTitle}</h2>
    <p>${texts.start.cannotPay}</p>
  </div>`;
}
