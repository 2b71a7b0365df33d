import { stateCodes, type StateCode } from '../../../contract/index.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { claimFiling, listFilings, markFiled, releaseFiling } from '../../domain/filings/filings.js';
import { listOperators, type Operator } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { textField } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing, showProblem } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../environment.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { facts, modePill, stateLabel, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { operatorOf } from './filings.js';

const words = texts.filing;
const path = '/filings/:id/:state';

/** The maximum length of a state's reference. */
const longestReference = 100;

/** The page of a filing, with its actions: claim, return and file. */
export const filingRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    access: 'view',
    async handle(request) {
      const filing = await findFiling(request);
      if (filing === undefined) return showMissing(request);
      return show(request, filingPage(request, filing, await listOperators(request.room.context)));
    },
  },
  {
    method: 'POST',
    path: `${path}/claim`,
    access: 'file',
    handle: (request) => change(request, 'claimed', (filing) => claimFiling(request.room.context, filing)),
  },
  {
    method: 'POST',
    path: `${path}/release`,
    access: 'file',
    handle: (request) => change(request, 'released', (filing) => releaseFiling(request.room.context, filing)),
  },
  {
    method: 'POST',
    path: `${path}/filed`,
    access: 'file',
    async handle(request) {
      const reference = request.form.text('reference');
      const { errors, check } = collectErrors();
      check(reference !== '' && reference.length <= longestReference, 'reference', words.referenceWrong);
      if (errors.length === 0) {
        return change(request, 'filed', (filing) => markFiled(request.room.context, { ...filing, reference }));
      }
      const filing = await findFiling(request);
      if (filing === undefined) return showMissing(request);
      const operators = await listOperators(request.room.context);
      return show(request, { ...filingPage(request, filing, operators, errors), errors });
    },
  },
];

type Filing = Awaited<ReturnType<typeof listFilings>>[number];

function keyOf({ c }: OperatorRequest): { applicationId: string; state: StateCode } | undefined {
  const state = stateCodes.find((code) => code === c.req.param('state'));
  return state && { applicationId: c.req.param('id') ?? '', state };
}

/** Finds the filing of a path; `undefined` when there is none. */
export async function findFiling(request: OperatorRequest): Promise<Filing | undefined> {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const [filing] = await listFilings(request.room.context, { ...key, limit: 1 });
  return filing;
}

/**
 * Changes a filing. When another operator has changed it meanwhile, shows that and overwrites
 * nothing.
 */
async function change(
  request: OperatorRequest,
  done: 'claimed' | 'released' | 'filed',
  work: (filing: { applicationId: string; state: StateCode; actor: ReturnType<typeof actorOf> }) => Promise<void>,
): Promise<Response> {
  const { c, room, session } = request;
  const key = keyOf(request);
  if (key === undefined) return showMissing(request);
  try {
    await work({ ...key, actor: actorOf(session.operator) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure === 'unknown_application') return showMissing(request);
    if (error.failure !== 'invalid_transition') throw error;
    return showProblem(c, room, 409, words.moved);
  }
  return c.redirect(`/filings/${key.applicationId}/${key.state}?done=${done}`, 303);
}

function filingPage(
  request: OperatorRequest,
  filing: Filing,
  operators: readonly Operator[],
  errors: NonNullable<ConsolePage['errors']> = [],
): ConsolePage {
  const { applicationId: id, state } = filing;
  return {
    title: words.title(stateLabel(state)),
    at: '/filings',
    back: { href: '/filings', label: texts.filings.title },
    content: html`${facts([
      [texts.filings.application, html`<a href="/applications/${id}"><code>${id}</code></a> ${modePill('live')}`],
      [texts.filings.agency, filing.agencyName],
      [texts.detail.license, filing.licenseType],
      [texts.detail.submitted, time(filing.submittedAt)],
      [texts.filings.status, texts.filings.statuses[filing.status]],
      [texts.filings.by, operatorOf(filing, operators)],
      [words.reference, filing.reference ?? ''],
      [words.filedAt, filing.filedAt === null ? undefined : time(filing.filedAt)],
      [words.problem, filing.lastError ?? ''],
    ])}
    ${request.session.operator.role === 'file' && actionsOf(request, filing, errors)}`,
  };
}

function actionsOf(request: OperatorRequest, filing: Filing, errors: NonNullable<ConsolePage['errors']>): Html {
  const { session, form } = request;
  const base = `/filings/${filing.applicationId}/${filing.state}`;
  const isMine = filing.claimedBy === actorOf(session.operator);
  const isOpen = filing.status === 'waiting' || isMine;
  const post = (to: string, label: string) =>
    html`<form method="post" action="${base}/${to}">
      ${csrfInput(session)}
      <button class="button quiet" type="submit">${label}</button>
    </form>`;
  return html`<h2>${words.packageTitle}</h2>
    <p class="hint">${words.packageHint}</p>
    <div class="actions buttons">
      ${post('package.pdf', words.packagePdf)} ${post('package.zip', words.packageArchive)}
    </div>
    <div class="actions buttons">
      ${filing.status === 'waiting' && post('claim', words.claim)} ${isMine && post('release', words.release)}
      <a class="button quiet" href="/applications/${filing.applicationId}/states/${filing.state}"
        >${texts.detail.decide}</a
      >
    </div>
    ${
      isOpen &&
      html`<h2>${words.markTitle}</h2>
        <form method="post" action="${base}/filed" novalidate>
          ${csrfInput(session)}
          ${textField(
            { texts, errors },
            {
              name: 'reference',
              label: words.reference,
              hint: words.referenceHint,
              value: form.text('reference'),
              width: 'medium',
              maxlength: longestReference,
            },
          )}
          <p class="buttons"><button class="button" type="submit">${words.mark}</button></p>
        </form>`
    }`;
}
