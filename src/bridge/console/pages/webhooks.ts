import { hasRole } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import {
  listDeadLetters,
  replayApplication,
  replayDeadLetter,
  type DeadLetter,
} from '../../domain/webhooks/dead-letters.js';
import { html, type Html } from '../../pages/html.js';
import { show, showProblem } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput } from '../layout.js';
import { dataTable, lastFailure, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.webhooks;

/** The number of entries shown; replayed webhooks make room for the next ones. */
const maxListed = 200;

/** The dead-lettered webhooks. */
export const webhookRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/webhooks',
    access: 'view',
    async handle(request) {
      const letters = await listDeadLetters(request.services.context, request.session.operator.scope, maxListed);
      const mayReplay = hasRole(request.session.operator, 'file');
      const columns = [words.event, words.about, words.deadAt, words.last, ...(mayReplay ? [words.action] : [])];
      const rows = letters.map((letter) => [
        html`<code>${letter.type}</code>`,
        subjectOf(letter),
        time(new Date(letter.deadAt)),
        html`${lastFailure(letter) ?? words.gone}, ${texts.detail.attempts(String(letter.attempts))}`,
        ...(mayReplay ? [replayForms(request, letter)] : []),
      ]);
      return show(request, {
        title: words.title,
        at: '/webhooks',
        content: html`<p class="lead">${words.lead}</p>
          ${dataTable({ caption: words.title, columns, rows, empty: words.empty })}`,
      });
    },
  },
  {
    method: 'POST',
    path: '/webhooks/replay',
    access: 'file',
    async handle({ c, services, session, form }) {
      const actor = actorOf(session.operator);
      const { scope } = session.operator;
      const application = form.text('application');
      const outcome =
        application === ''
          ? await replayDeadLetter(services.context, scope, form.text('event'), actor)
          : (await replayApplication(services.context, scope, application, actor)).outcome;
      if (outcome === 'no_address') return showProblem(c, services, 409, words.noAddress);
      if (outcome === 'unknown') return showProblem(c, services, 409, words.unknown);
      services.context.wakeOutbox();
      return c.redirect('/webhooks?done=replayed', 303);
    },
  },
];

function subjectOf({ applicationId, npn }: DeadLetter): Html {
  return applicationId === null
    ? html`${words.npn(npn ?? '')}`
    : html`<a href="/applications/${applicationId}"><code>${applicationId}</code></a>`;
}

function replayForms({ session }: OperatorRequest, { id, applicationId, npn, type }: DeadLetter): Html {
  const button = (name: string, value: string, label: string) =>
    html`<form method="post" action="/webhooks/replay">
      ${csrfInput(session)}
      <input type="hidden" name="${name}" value="${value}" />
      <button class="button quiet small" type="submit">
        ${label}<span class="visually-hidden"> – ${type}, ${applicationId ?? words.npn(npn ?? '')}</span>
      </button>
    </form>`;
  return html`<div class="actions">
    ${button('event', id, words.replay)}
    ${applicationId === null ? '' : button('application', applicationId, words.replayAll)}
  </div>`;
}
