import { ApiError } from '../../domain/errors/api-error.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { hasRole, listOperators } from '../../domain/operators/operators.js';
import { listProposals, type Proposal, withdraw } from '../../domain/second-person/proposals.js';
import { commitShown } from '../../domain/shown/shown.js';
import { shownInput } from '../../pages/fields.js';
import { html, type Html } from '../../pages/html.js';
import { showProblem } from '../responses.js';
import type { OperatorRequest } from '../context.js';
import { csrfInput } from '../layout.js';
import { dataTable, dollars, facts, stateLabel, time } from '../parts.js';
import { behindProof } from '../proof.js';
import { consoleTexts as texts } from '../texts.js';
import { actorName } from './audit.js';

const words = texts.proposal;

/** The page on which a proposal is confirmed or withdrawn. */
export function proposalPath({
  kind,
  applicationId,
  state,
}: Pick<Proposal, 'kind' | 'applicationId' | 'state'>): string {
  const application = `/applications/${applicationId}`;
  return kind === 'refund' ? `${application}/refund` : `${application}/states/${state}/correction`;
}

/**
 * A proposal with its buttons: another operator confirms it, and everybody who may make the change
 * withdraws it.
 *
 * @param rows What was proposed.
 * @param shown The token of the confirmation.
 * @param proof The page and the field for a fresh proof of the operator, where the change needs one.
 */
export async function proposalSection(
  request: OperatorRequest,
  proposal: Proposal,
  {
    rows,
    shown,
    proof,
  }: {
    rows: Parameters<typeof facts>[0];
    shown: string;
    proof?: { page: string; field: Html | undefined };
  },
): Promise<Html> {
  const { session, services } = request;
  const operators = await listOperators(services.context);
  const isOwn = proposal.proposedBy === actorOf(session.operator);
  const base = proposalPath(proposal);
  const confirmation = html`<form method="post" action="${base}/confirm">
    ${csrfInput(session)} ${shownInput(shown)} ${proof?.field}
    <button class="button" type="submit">${words.confirm}</button>
  </form>`;
  return html`<h2>${words.title}</h2>
    ${facts([...rows, [words.by, actorName(proposal.proposedBy, operators)], [words.at, time(proposal.proposedAt)]])}
    ${isOwn && html`<p class="hint after-buttons">${words.own}</p>`}
    <div class="actions buttons">
      ${!isOwn && (proof ? behindProof(request, proof.page, confirmation) : confirmation)}
      <form method="post" action="${base}/withdraw">
        ${csrfInput(session)}
        <button class="button quiet" type="submit">${words.withdraw}</button>
      </form>
    </div>`;
}

/**
 * Confirms a proposal. Shows its page again when it, or what it changes, is not what the operator has
 * read, and a message when it is gone.
 */
export async function confirmProposal(
  { c, services }: OperatorRequest,
  { applicationId, done }: { applicationId: string; done: 'corrected' | 'refunded' },
  confirm: () => Promise<void>,
  showAgain: () => Promise<Response>,
): Promise<Response> {
  try {
    return await commitShown(async () => {
      await confirm();
      return c.redirect(`/applications/${applicationId}?done=${done}`, 303);
    }, showAgain);
  } catch (error) {
    // Withdrawn, or it cannot be done any more: an amount is refunded, a decision corrected.
    if (error instanceof ApiError) return showProblem(c, services, 409, words.gone);
    throw error;
  }
}

/** Withdraws a proposal. */
export async function withdrawProposal(
  { c, services, session }: OperatorRequest,
  key: Pick<Proposal, 'kind' | 'applicationId' | 'state'>,
): Promise<Response> {
  try {
    await withdraw(services.context, key, actorOf(session.operator));
  } catch (error) {
    if (error instanceof ApiError) return showProblem(c, services, 409, words.gone);
    throw error;
  }
  return c.redirect(`/applications/${key.applicationId}?done=withdrawn`, 303);
}

/** The proposals that wait, for the home page; nothing when there are none. */
export async function proposalTable({ services, session }: OperatorRequest): Promise<Html | undefined> {
  const proposals = await listProposals(services.context, session.operator.scope);
  if (proposals.length === 0) return undefined;
  const operators = await listOperators(services.context);
  const rows = proposals.map((proposal) => [
    hasRole(session.operator, 'file')
      ? html`<a href="${proposalPath(proposal)}">${describe(proposal)}</a>`
      : describe(proposal),
    html`<a href="/applications/${proposal.applicationId}"><code>${proposal.applicationId}</code></a>`,
    actorName(proposal.proposedBy, operators),
    time(proposal.proposedAt),
  ]);
  const columns = [words.change, texts.list.application, words.by, words.at];
  return html`<h2>${words.list}</h2>
    ${dataTable({ caption: words.list, columns, rows, empty: '' })}`;
}

function describe(proposal: Proposal): string {
  if (proposal.kind === 'refund') return words.refund(dollars(proposal.content.amountCents));
  return words.correction(stateLabel(proposal.state));
}
