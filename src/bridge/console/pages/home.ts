import { applicationStatuses, statusNames } from '../../../contract/index.js';
import { ages, countWork, type ModeCounts } from '../../domain/applications/list-applications.js';
import { html, type Html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleRoute } from '../context.js';
import { dataTable, queryOf } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { proposalTable } from './proposal.js';

const words = texts.home;

/** The open work by mode, status and age. */
export const homeRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/',
    access: 'view',
    async handle(request) {
      const { modes, deadLetters, answers } = await countWork(request.services.context, request.session.operator.scope);
      return show(request, {
        title: words.title,
        at: '/',
        content: html`${await proposalTable(request)}
          ${answers > 0 && html`<p><a href="/filings?status=answer">${words.answers(String(answers))}</a></p>`}
          ${modes.map(modeSection)}
          <p class="hint">${words.decidedNote}</p>
          <h2>${texts.layout.webhooks}</h2>
          <p>
            ${
              deadLetters === 0
                ? words.noDeadLetters
                : html`<a href="/webhooks">${words.deadLetters(String(deadLetters))}</a>`
            }
          </p>`,
      });
    },
  },
];

function modeSection({ mode, unfinished, statuses }: ModeCounts): Html {
  const rows = applicationStatuses.map((status) => {
    const counts = ages.map((age) => statuses[status][age]);
    const link = (count: number, query: Record<string, string>) =>
      count === 0
        ? html`<span class="zero">0</span>`
        : html`<a href="/applications${queryOf({ mode, status, ...query })}">${String(count)}</a>`;
    return [
      html`<span class="pill ${status}">${statusNames.en[status]}</span>`,
      ...ages.map((age) => link(statuses[status][age], { age })),
      link(
        counts.reduce((sum, count) => sum + count, 0),
        {},
      ),
    ];
  });
  const columns = [words.status, ...ages.map((age) => texts.ages[age]), words.total];
  return html`<h2>${words.mode[mode]}</h2>
    ${dataTable({ caption: words.caption(words.mode[mode]), columns, rows, empty: words.empty })}
    <p><a href="/applications${queryOf({ mode, status: 'open' })}">${words.unfinished(String(unfinished))}</a></p>`;
}
