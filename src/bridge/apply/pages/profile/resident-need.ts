import type { ProfilePage } from '../../../domain/applications/profile/pages.js';
import { residentNeedOf, type ResidentNeed } from '../../../domain/applications/profile/requirements.js';
import { html, type Html } from '../../../pages/html.js';
import { elsewhere } from '../../masthead.js';
import { stateName, type PageContext } from '../../page-context.js';

/** The box on a page of the step about what its state asks of residents. */
export function residentNeedBox(pageContext: PageContext, page: ProfilePage): Html | undefined {
  const { texts, language, session } = pageContext;
  const need = residentNeedOf(session.pinned, page, session.application, language);
  if (!need || !page.state) return undefined;
  const words = texts.profile.residentNeed;
  const lead = page.topic === 'continuing' ? words.hoursElsewhere : need.overview;
  return html`<section class="inset">
    <h2>${words.title(stateName(page.state, language))}</h2>
    ${lead && html`<p>${lead}</p>`} ${needRows(pageContext, need, need.refundPolicy)}
  </section>`;
}

/** The step that the home state still requires before it grants the lines of a page, with a link to it. */
export function pendingNeed(pageContext: PageContext, page: ProfilePage, title: string): Html | undefined {
  const { language, session } = pageContext;
  const need = residentNeedOf(session.pinned, page, session.application, language);
  return (
    need &&
    html`<section class="inset">
      <h3>${title}</h3>
      ${needRows(pageContext, need)}
    </section>`
  );
}

function needRows({ texts }: PageContext, need: ResidentNeed, refundPolicy?: string): Html {
  const { layout } = texts;
  const words = texts.profile.residentNeed;
  const { hours, vendor, url, code, department, isSample } = need;
  const rows: [string, string | Html | undefined][] = [
    [words.hours, hours?.toString()],
    [words.vendor, url === undefined ? vendor : elsewhere(layout, url, vendor ?? url)],
    [words.code, code && html`<code>${code}</code>`],
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
