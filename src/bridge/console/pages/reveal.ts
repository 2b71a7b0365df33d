import { revealApplication, type RevealedApplication } from '../../domain/applications/reveal.js';
import { readDetail } from '../../domain/applications/application-detail.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { facts, stateLabel, time } from '../parts.js';
import { behindProof, checkProof, proofField } from '../proof.js';
import { readReason, reasonField } from '../reason.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.reveal;
const path = '/applications/:id/reveal';

/** The page that shows a user's data for a reason. */
export const revealRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    access: 'file',
    async handle(request) {
      const detail = await readDetail(request.services.context, request.c.req.param('id') ?? '');
      return detail === undefined ? showMissing(request) : show(request, reasonPage(request));
    },
  },
  {
    method: 'POST',
    path,
    access: 'file',
    async handle(request) {
      const { c, services, session, form } = request;
      const { errors, check } = collectErrors();
      const reason = readReason(form, check);
      if (errors.length === 0) await checkProof(request, check);
      if (errors.length > 0) return show(request, { ...reasonPage(request, errors), errors });
      const applicationId = c.req.param('id') ?? '';
      const revealed = await revealApplication(services.context, { applicationId, reason, operator: session.operator });
      // In the response to the post itself, so that the URL shows nothing when it is opened again.
      return revealed === undefined ? showMissing(request) : show(request, revealedPage(request, revealed));
    },
  },
];

function backOf({ c }: OperatorRequest): { href: string; label: string } {
  return { href: `/applications/${c.req.param('id') ?? ''}`, label: words.back };
}

function reasonPage(request: OperatorRequest, errors: ConsolePage['errors'] = []): ConsolePage {
  const { c, session, form } = request;
  const href = `/applications/${c.req.param('id') ?? ''}/reveal`;
  return {
    title: words.title,
    at: '/applications',
    back: backOf(request),
    content: html`<p class="lead">${words.lead}</p>
      ${behindProof(
        request,
        href,
        html`<form method="post" action="${href}" novalidate>
          ${csrfInput(session)} ${reasonField(form, errors)} ${proofField(request, errors)}
          <p class="buttons"><button class="button" type="submit">${words.submit}</button></p>
        </form>`,
      )}`,
  };
}

function revealedPage(request: OperatorRequest, revealed: RevealedApplication): ConsolePage {
  const { ssn, profile, answers, actionAnswers, signature, unreadable } = revealed;
  const grouped = ssn.replace(/^(\d{3})(\d{2})(\d{4})$/, '$1-$2-$3');
  return {
    title: words.shownTitle,
    at: '/applications',
    back: backOf(request),
    content: html`<p class="notice">${words.shown}</p>
      ${unreadable.length > 0 && html`<p class="notice">${words.unreadable} ${unreadable.join(', ')}</p>`}
      ${facts([[words.ssn, ssn === '' ? words.noSsn : html`<span class="figures">${grouped}</span>`]])}
      <h2>${words.profile}</h2>
      ${facts(profile.map(({ label, value }) => [label, value] as const))}
      <h2>${words.answers}</h2>
      ${answers.length === 0 ? html`<p class="empty">${words.noAnswers}</p>` : answers.map(answerOf)}
      ${actionAnswers.length > 0 && html`<h2>${words.actions}</h2>`}
      ${actionAnswers.map(
        ({ state, answeredAt, answer }) =>
          html`<h3>${stateLabel(state)}, ${time(answeredAt)}</h3>
            <p class="typed">${answer}</p>`,
      )}
      ${
        signature &&
        html`<h2>${words.signature}</h2>
          ${facts([
            [words.catalogue, signature.catalogueVersion],
            [words.signedName, signature.signedName],
            [words.signedAt, time(new Date(signature.signedAt))],
            [texts.detail.digest, html`<code>${signature.digest}</code>`],
            [words.language, signature.language],
            [words.address, signature.address],
            [words.browser, signature.userAgent],
          ])}
          ${wordsShown(words.attested, signature.attestations)} ${wordsShown(words.acknowledged, signature.disclosures)}`
      }`,
  };
}

/** The signed texts as the user saw them. */
function wordsShown(title: string, shown: NonNullable<RevealedApplication['signature']>['attestations']): Html {
  return html`<h3>${title}</h3>
    ${Object.values(shown).map(
      ({ text, language }) => html`<p lang="${language}">${words.shownIn(Object.values(text).join(' '), language)}</p>`,
    )}`;
}

function answerOf({ question, language, answer, details }: RevealedApplication['answers'][number]): Html {
  const given = answer === 'yes' ? words.yes : words.no;
  return html`<div class="answer ${answer}">
    <p lang="${language}">${words.shownIn(question, language)}</p>
    <p><strong>${given}</strong></p>
    ${details.length > 0 && facts(details.map(({ label, value }) => [label, value] as const))}
  </div>`;
}
