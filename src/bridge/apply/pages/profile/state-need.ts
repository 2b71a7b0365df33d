import type { ProfilePage } from '../../../domain/applications/profile/pages.js';
import { type NeedOverview, type StateNeed, stateNeedOf } from '../../../domain/applications/profile/requirements.js';
import { html, type Html } from '../../../pages/html.js';
import { elsewhere } from '../../masthead.js';
import { stateName } from '../../../catalogue/state-names.js';
import { dollars, type PageContext } from '../../page-context.js';

/** The box on a page of the step about what its state asks for. */
export function stateNeedBox(pageContext: PageContext, page: ProfilePage): Html | undefined {
  const { texts, language, session } = pageContext;
  const need = stateNeedOf(session, page, language);
  if (!need || !page.state) return undefined;
  const words = texts.profile.stateNeed;
  return html`<section class="inset">
    <h2>${words.title(stateName(page.state, language))}</h2>
    ${page.topic === 'continuing' && html`<p>${words.hoursElsewhere}</p>`}
    ${need.overview && overview(pageContext, need.overview)} ${needRows(pageContext, need, need.refundPolicy)}
  </section>`;
}

/** The step that a state still requires before it grants the lines of a page, with a link to it. */
export function pendingNeed(pageContext: PageContext, page: ProfilePage, title: string): Html | undefined {
  const { language, session } = pageContext;
  const need = stateNeedOf(session, page, language);
  return (
    need &&
    html`<section class="inset">
      <h3>${title}</h3>
      ${needRows(pageContext, need)}
    </section>`
  );
}

/** All steps to a first license, so that users know each step before its page. */
function overview({ texts }: PageContext, { hours, exam, fingerprints }: NeedOverview): Html {
  const { first, when } = texts.profile.stateNeed;
  const steps = [
    hours === undefined ? first.courseUnknown : first.course(hours),
    exam && first.exam(exam.vendor, exam.when && when[exam.when]),
    fingerprints && first.fingerprints(fingerprints.when && when[fingerprints.when]),
  ];
  return html`<p>${first.lead}</p>
    <ul class="list">
      ${steps.map((step) => step !== undefined && html`<li>${step}</li>`)}
    </ul>`;
}

function needRows({ texts, language }: PageContext, need: StateNeed, refundPolicy?: string): Html {
  const { layout } = texts;
  const words = texts.profile.stateNeed;
  const { hours, when, vendor, url, code, cents, department, isSample } = need;
  const rows: [string, string | Html | undefined][] = [
    [words.hours, hours?.toString()],
    [words.whenTitle, when && words.when[when]],
    [words.vendor, url === undefined ? vendor : elsewhere(layout, url, vendor ?? url)],
    [words.code, code && html`<code>${code}</code>`],
    [words.price, cents === undefined ? undefined : words.about(dollars(cents, language))],
    [words.refunds, refundPolicy],
    [words.department, elsewhere(layout, department.url, department.name)],
  ];
  return html`<dl>
      ${rows.map(
        ([name, value]) =>
          value &&
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${isSample && html`<p class="hint">${words.sample}</p>`}`;
}
