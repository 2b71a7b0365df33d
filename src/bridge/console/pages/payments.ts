import { randomId } from '../../domain/keys/keys.js';
import { listPayments, type ListedPayment } from '../../domain/payments/list-payments.js';
import { hasRole } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { confirmRefund, listRefunds, proposeRefund, refundPayment } from '../../domain/payments/operations.js';
import { refundConfirmationForm, refundForm } from '../../domain/payments/committing-forms.js';
import { readProposal, type RefundProposal } from '../../domain/second-person/proposals.js';
import { needsSecondPerson } from '../../domain/second-person/tasks.js';
import { commitShown, shownToken } from '../../domain/shown/shown.js';
import { shownInput, textField } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { dataTable, dollars, facts, modePill, pager, queryOf, readCents, stateLabel, time } from '../parts.js';
import { behindProof, checkProof, proofField } from '../proof.js';
import { readReason, reasonField } from '../reason.js';
import { consoleTexts as texts } from '../texts.js';
import { confirmProposal, proposalSection, withdrawProposal } from './proposal.js';

const words = texts.payments;
const refundPath = '/applications/:id/refund';

/** Payments and refunds. */
export const paymentRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/payments',
    access: 'view',
    async handle(request) {
      const { payments, next } = await listPayments(
        request.services.context,
        { scope: request.session.operator.scope },
        request.c.req.query('after'),
      );
      return show(request, {
        title: words.title,
        at: '/payments',
        content: html`${paymentTable(request, payments, words.title)}
        ${pager(next && `/payments${queryOf({ after: next })}`)}`,
      });
    },
  },
  {
    method: 'GET',
    path: refundPath,
    access: 'file',
    async handle(request) {
      const refundable = await findRefundable(request);
      return refundable ? show(request, await refundPage(request, refundable)) : showMissing(request);
    },
  },
  {
    method: 'POST',
    path: refundPath,
    access: 'file',
    async handle(request) {
      const { c, services, session, form } = request;
      const refundable = await findRefundable(request);
      if (refundable === undefined) return showMissing(request);
      const { payment } = refundable;
      const amountCents = readCents(form.text('amount'));
      const refundId = form.text('refund');
      const { errors, check } = collectErrors();
      const isAmount = amountCents !== undefined && amountCents > 0 && amountCents <= payment.refundableCents;
      check(isAmount, 'amount', words.amountWrong(dollars(payment.refundableCents)));
      const note = readReason(form, check);
      // The id of the form: sent twice, it is one refund.
      check(/^ref_[\w-]{22}$/.test(refundId), 'amount', words.amountWrong(dollars(payment.refundableCents)));
      if (errors.length === 0) await checkProof(request, check);
      const { shown } = form;
      // Still the token of the page that the operator has read, until a message says what has
      // changed.
      if (errors.length > 0 || amountCents === undefined)
        return show(request, await refundPage(request, refundable, errors, shown));
      const { applicationId } = payment;
      const actor = actorOf(session.operator);
      return commitShown(
        async () => {
          const isProposal = needsSecondPerson(services.context, 'refunds');
          const paymentId = payment.state && payment.id;
          const refund = { applicationId, paymentId, amountCents, actor, note, refundId, shown };
          await (isProposal ? proposeRefund : refundPayment)(services.context, refund);
          return c.redirect(`/applications/${applicationId}?done=${isProposal ? 'proposed' : 'refunded'}`, 303);
        },
        () => showRefundAgain(request),
      );
    },
  },
  {
    method: 'POST',
    path: `${refundPath}/confirm`,
    access: 'file',
    async handle(request) {
      const refundable = await findRefundable(request);
      if (refundable === undefined) return showMissing(request);
      const { shown } = request.form;
      const { errors, check } = collectErrors();
      await checkProof(request, check);
      if (errors.length > 0) return show(request, await refundPage(request, refundable, errors, shown));
      const { applicationId } = refundable.payment;
      return confirmProposal(
        request,
        { applicationId, done: 'refunded' },
        () =>
          confirmRefund(request.services.context, { applicationId, actor: actorOf(request.session.operator), shown }),
        () => showRefundAgain(request),
      );
    },
  },
  {
    method: 'POST',
    path: `${refundPath}/withdraw`,
    access: 'file',
    handle: (request) =>
      withdrawProposal(request, { kind: 'refund', applicationId: request.c.req.param('id') ?? '', state: '' }),
  },
];

/** Shows the page with what is stored now, after it has changed. */
async function showRefundAgain(request: OperatorRequest): Promise<Response> {
  const current = await findRefundable(request);
  return current ? show(request, await refundPage(request, current, texts.changed)) : showMissing(request);
}

/** The table of payments. Operators who may refund see a link where a refund is possible. */
export function paymentTable(
  { session }: Pick<OperatorRequest, 'session'>,
  payments: readonly ListedPayment[],
  caption: string,
): Html {
  const rows = payments.map((payment) => [
    html`<a href="/applications/${payment.applicationId}"><code>${payment.applicationId}</code></a>
      ${modePill(payment.mode)}`,
    payment.agencyName,
    time(payment.createdAt),
    html`${dollars(payment.amountCents)}
    ${payment.state && html`<span class="line">${words.furtherFee(stateLabel(payment.state))}</span>`}`,
    html`${words.statuses[payment.status]} ${payment.problem !== '' && html`<strong>${payment.problem}</strong>`}`,
    payment.refundedCents === 0 ? '' : dollars(payment.refundedCents),
    html`${payment.reference}
    ${
      hasRole(session.operator, 'file') &&
      payment.refundableCents > 0 &&
      html`<a class="line" href="${refundHref(payment)}">${words.refund}</a>`
    }`,
  ]);
  const columns = [
    texts.list.application,
    texts.list.agency,
    words.at,
    words.amount,
    words.status,
    words.refunded,
    words.reference,
  ];
  return dataTable({ caption, columns, rows, empty: words.empty });
}

/** The path of the refund: of the fees, or of a further fee. */
function refundHref({ id, applicationId, state }: ListedPayment): string {
  return `/applications/${applicationId}/refund${queryOf({ payment: state && id })}`;
}

/** A payment of which something can be refunded, and the refunds that were requested. */
interface RefundablePayment {
  payment: ListedPayment;
  refunds: Awaited<ReturnType<typeof listRefunds>>;
  /** The proposal that waits. */
  proposal: RefundProposal | undefined;
}

async function findRefundable({ c, services, session }: OperatorRequest): Promise<RefundablePayment | undefined> {
  const applicationId = c.req.param('id') ?? '';
  const [{ payments }, proposal] = await Promise.all([
    listPayments(services.context, { scope: session.operator.scope, applicationId }),
    readProposal(services.context, { applicationId, kind: 'refund', state: '' }),
  ]);
  // A proposal that waits comes first, whichever payment was asked for: it is what can be confirmed.
  const wanted = proposal ? proposal.content.paymentId : c.req.query('payment');
  const payment = payments.find(
    ({ id, state, refundableCents }) => refundableCents > 0 && (wanted === undefined ? !state : id === wanted),
  );
  return payment && { payment, refunds: await listRefunds(services.context, payment.id), proposal };
}

async function refundPage(
  request: OperatorRequest,
  refundable: RefundablePayment,
  errors: NonNullable<ConsolePage['errors']> = [],
  shown?: string,
): Promise<ConsolePage> {
  const { payment, proposal } = refundable;
  return {
    title: words.refundTitle,
    at: '/payments',
    errors,
    back: { href: `/applications/${payment.applicationId}`, label: texts.detail.title },
    content: html`${facts([
      [words.amount, dollars(payment.amountCents)],
      [words.refunded, dollars(payment.refundedCents)],
      [words.left, dollars(payment.refundableCents)],
    ])}
    ${
      proposal
        ? await proposedRefund(request, { ...refundable, proposal }, errors, shown)
        : refundFields(request, refundable, errors, shown)
    }`,
  };
}

function proposedRefund(
  request: OperatorRequest,
  refundable: RefundablePayment & { proposal: RefundProposal },
  errors: NonNullable<ConsolePage['errors']>,
  shown = shownToken(request.services.context, refundConfirmationForm, refundable),
): Promise<Html> {
  const { amountCents, note } = refundable.proposal.content;
  return proposalSection(request, refundable.proposal, {
    rows: [
      [words.refund, dollars(amountCents)],
      [words.reason, note],
    ],
    shown,
    proof: { page: refundHref(refundable.payment), field: proofField(request, errors) },
  });
}

function refundFields(
  request: OperatorRequest,
  refundable: RefundablePayment,
  errors: NonNullable<ConsolePage['errors']>,
  shown = shownToken(request.services.context, refundForm, refundable),
): Html {
  const { session, form, services } = request;
  const isProposal = needsSecondPerson(services.context, 'refunds');
  const refundId = form.text('refund') === '' ? randomId('ref') : form.text('refund');
  const href = refundHref(refundable.payment);
  const fields = html`<form method="post" action="${href}" novalidate>
    ${csrfInput(session)} ${shownInput(shown)}
    <input type="hidden" name="refund" value="${refundId}" />
    ${textField(
      { texts, errors },
      {
        name: 'amount',
        label: words.refundAmount,
        hint: words.amountHint,
        value: form.text('amount'),
        width: 'short',
      },
    )}
    ${reasonField(form, errors, words.reason)} ${proofField(request, errors)}
    ${isProposal && html`<p class="hint">${texts.proposal.needed}</p>`}
    <p class="buttons">
      <button class="button" type="submit">${isProposal ? words.propose : words.refund}</button>
    </p>
  </form>`;
  return behindProof(request, href, fields);
}
