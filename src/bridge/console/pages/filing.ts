import { stateCodes, type StateCode } from '../../../contract/index.js';
import { typeName } from '../../catalogue/type-names.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { readLicensesToFile } from '../../domain/applications/profile/known.js';
import { type ListedPerson, listedName, readPeople } from '../../domain/applications/people.js';
import { numberOfNotes } from '../../domain/applications/notes.js';
import { readSigningFacts, type SigningFacts } from '../../domain/applications/signature.js';
import {
  claimFiling,
  correctReference,
  holdFiling,
  listFilings,
  markFiled,
  releaseClaim,
  releaseFiling,
} from '../../domain/filings/filings.js';
import { hasRole, listOperators, type Operator } from '../../domain/operators/operators.js';
import { hasClaimed } from '../../domain/filings/claims.js';
import { claimForm, filingForm } from '../../domain/filings/committing-forms.js';
import { commitShown, shownToken } from '../../domain/shown/shown.js';
import { formFieldsOf, type FormSection } from '../../domain/filings/form-fields.js';
import { ChangedAfterSignatureError, openFiling, type PackageRequest } from '../../domain/filings/package.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { shownInput, textField } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing, showProblem } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { copyFields } from '../copy-fields.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { facts, modePill, selectField, stateLabel, time } from '../parts.js';
import { readReason, reasonField } from '../reason.js';
import { consoleTexts as texts } from '../texts.js';
import { keptFilters } from '../kept-filters.js';
import { isAnswer, operatorOf, waitsForUser } from './filings.js';
import { notesAnchor } from './notes.js';

const words = texts.filing;
const path = '/filings/:id/:state';

/** The maximum length of a state's reference. */
const longestReference = 100;

/** The page of a filing, with its actions: claim, return and file; and that of a colleague's claim. */
export const filingRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    access: 'view',
    handle: (request) => showFiling(request),
  },
  {
    method: 'POST',
    path: `${path}/claim`,
    access: 'file',
    handle: async (request) => (await claim(request)) ?? showDone(request, 'claimed'),
  },
  {
    method: 'POST',
    path: `${path}/release`,
    access: 'file',
    handle: (request) => change(request, 'released', (filing) => releaseFiling(request.services.context, filing)),
  },
  {
    method: 'GET',
    path: `${path}/release-claim`,
    access: 'supervise',
    handle: (request) => showClaim(request),
  },
  {
    method: 'POST',
    path: `${path}/release-claim`,
    access: 'supervise',
    async handle(request) {
      const { form, services } = request;
      const { shown } = form;
      const { errors, check } = collectErrors();
      const note = readReason(form, check);
      if (errors.length > 0) return showClaim(request, errors, shown);
      return commitShown(
        () => change(request, 'released', (filing) => releaseClaim(services.context, { ...filing, note, shown })),
        () => showClaim(request, texts.changed),
      );
    },
  },
  {
    method: 'POST',
    path: `${path}/filed`,
    access: 'file',
    async handle(request) {
      const { reference, errors } = readReference(request);
      const { shown } = request.form;
      if (errors.length > 0) return showFiling(request, { errors, shown, fields: await fieldsAgain(request) });
      return commitShown(
        () =>
          change(request, 'filed', (filing) => markFiled(request.services.context, { ...filing, reference, shown })),
        () => showFiling(request, { errors: texts.changed }),
      );
    },
  },
  {
    method: 'POST',
    path: `${path}/reference`,
    access: 'file',
    handle(request) {
      const { reference, errors } = readReference(request);
      if (errors.length > 0) return showFiling(request, { errors });
      const from = request.form.text('from');
      return change(request, 'filed', (filing) =>
        correctReference(request.services.context, { ...filing, from, reference }),
      );
    },
  },
  {
    method: 'POST',
    path: `${path}/waits`,
    access: 'file',
    handle(request) {
      const waitsFor = waits.find((known) => known === request.form.text('waitsFor')) ?? null;
      return change(request, 'held', (filing) => holdFiling(request.services.context, { ...filing, waitsFor }));
    },
  },
];

function readReference({ form }: OperatorRequest) {
  const reference = form.text('reference');
  const { errors, check } = collectErrors();
  check(reference !== '' && reference.length <= longestReference, 'reference', words.referenceWrong);
  return { reference, errors };
}

const waits = ['fingerprints', 'correction'] as const;

/** A filing as a page shows it. */
export type Filing = Awaited<ReturnType<typeof listFilings>>[number];

function keyOf({ c }: OperatorRequest): { applicationId: string; state: StateCode } | undefined {
  const state = stateCodes.find((code) => code === c.req.param('state'));
  return state && { applicationId: c.req.param('id') ?? '', state };
}

/** Finds the filing of a path; `undefined` when there is none. */
export async function findFiling(request: OperatorRequest): Promise<Filing | undefined> {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const [filing] = await listFilings(request.services.context, {
    scope: request.session.operator.scope,
    ...key,
    limit: 1,
  });
  return filing;
}

/** Claims the filing of a path. Resolves with the page that says why it was not. */
export function claim(request: OperatorRequest): Promise<Response | undefined> {
  return attempt(request, (filing) => claimFiling(request.services.context, filing));
}

/** The filing of a path, and the operator who changes it. */
type OwnFiling = Omit<PackageRequest, 'note'>;

async function change(
  request: OperatorRequest,
  done: 'released' | 'filed' | 'held',
  work: (filing: OwnFiling) => Promise<void>,
): Promise<Response> {
  return (await attempt(request, work)) ?? showDone(request, done);
}

function showDone({ c }: OperatorRequest, done: 'claimed' | 'released' | 'filed' | 'held'): Response {
  return c.redirect(`/filings/${c.req.param('id') ?? ''}/${c.req.param('state') ?? ''}?done=${done}`, 303);
}

/**
 * Changes a filing. When another operator has changed it meanwhile, resolves with a page that says
 * so, and overwrites nothing.
 */
async function attempt(
  request: OperatorRequest,
  work: (filing: OwnFiling) => Promise<void>,
): Promise<Response | undefined> {
  const { c, services, session } = request;
  const key = keyOf(request);
  if (key === undefined) return showMissing(request);
  try {
    await work({ ...key, actor: actorOf(session.operator) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure === 'unknown_application') return showMissing(request);
    if (error.failure !== 'invalid_transition') throw error;
    return showProblem(c, services, 409, words.moved);
  }
  return undefined;
}

/** Reads the fields of the form of a state; `undefined` when there are none. */
export async function readFields(
  { services }: OperatorRequest,
  access: PackageRequest,
): Promise<FormSection[] | undefined> {
  const opened = await openFiling(services.context, access);
  if (opened === undefined) return undefined;
  return formFieldsOf(opened, access.state, await readLicensesToFile(services.context, opened));
}

/** Reads the fields again for a page that had them, so that an error does not hide them. */
async function fieldsAgain(request: OperatorRequest): Promise<readonly FormSection[] | undefined> {
  if (request.form.text('fields') === '') return undefined;
  const filing = await findFiling(request);
  const actor = actorOf(request.session.operator);
  if (filing === undefined || !hasClaimed([filing], { state: filing.state, actor })) return undefined;
  try {
    return await readFields(request, { applicationId: filing.applicationId, state: filing.state, actor });
  } catch (error) {
    if (!(error instanceof ChangedAfterSignatureError)) throw error;
    return undefined;
  }
}

/** Shows the page of a filing, with the fields of the form when they were asked for. */
export async function showFiling(
  request: OperatorRequest,
  { errors = [], shown, fields }: { errors?: Errors; shown?: string; fields?: readonly FormSection[] | undefined } = {},
): Promise<Response> {
  const filing = await findFiling(request);
  if (filing === undefined) return showMissing(request);
  const { context } = request.services;
  const { applicationId } = filing;
  const [operators, signed, noteCount, people] = await Promise.all([
    listOperators(context),
    readSigningFacts(context, applicationId),
    numberOfNotes(context, applicationId),
    hasRole(request.session.operator, 'file') ? readPeople(context, [applicationId]) : undefined,
  ]);
  // With errors still the token of the page that the operator has read.
  const token = shown ?? shownToken(context, filingForm, filing);
  const person = people?.get(applicationId);
  const parts = { operators, signed, noteCount, person, errors, shown: token, fields };
  return show(request, filingPage(request, filing, parts));
}

type Errors = NonNullable<ConsolePage['errors']>;

/** Shows a supervisor the claim of a colleague; the filing itself when there is none. */
async function showClaim(request: OperatorRequest, errors: Errors = [], shown?: string): Promise<Response> {
  const { c, form, services, session } = request;
  const filing = await findFiling(request);
  if (filing === undefined) return showMissing(request);
  const { applicationId, state } = filing;
  const href = `/filings/${applicationId}/${state}`;
  const isMine = hasClaimed([filing], { state, actor: actorOf(session.operator) });
  if (filing.status !== 'claimed' || isMine) return c.redirect(href, 303);
  const colleague = operatorOf(filing, await listOperators(services.context));
  return show(request, {
    title: words.releaseClaim.title,
    at: '/filings',
    errors,
    back: { href, label: words.title(stateLabel(state)) },
    content: html`<p class="lead">${words.releaseClaim.lead(colleague)}</p>
      <form method="post" action="${href}/release-claim" novalidate>
        ${csrfInput(session)} ${shownInput(shown ?? shownToken(services.context, claimForm, filing))}
        ${reasonField(form, errors, words.releaseClaim.reason)}
        <p class="buttons"><button class="button" type="submit">${words.release}</button></p>
      </form>`,
  });
}

/** The parts of the page besides the filing. */
interface FilingShown {
  operators: readonly Operator[];
  signed: SigningFacts | undefined;
  /** Of the application. */
  noteCount: number;
  /** The applicant; `undefined` for an operator who sees no names. */
  person: ListedPerson | undefined;
  errors: Errors;
  /** The token of the form. */
  shown: string;
  /** The fields of the form; `undefined` until the operator asks for them. */
  fields: readonly FormSection[] | undefined;
}

function filingPage(request: OperatorRequest, filing: Filing, shown: FilingShown): ConsolePage {
  const { operators, errors, noteCount, person } = shown;
  const { applicationId: id, state } = filing;
  const mayFile = hasRole(request.session.operator, 'file');
  const noteText = noteCount === 0 ? texts.notes.add : texts.notes.count(String(noteCount));
  return {
    title: words.title(stateLabel(state)),
    at: '/filings',
    errors,
    back: { href: `/filings${keptFilters(request.c)}`, label: texts.filings.title },
    content: html`${isAnswer(filing) && html`<p class="inset">${words.answer}</p>`}
    ${facts([
      [texts.filings.applicant, person && listedName(person)],
      [texts.detail.number, filing.receiptNumber ?? ''],
      [texts.filings.application, html`<a href="/applications/${id}"><code>${id}</code></a> ${modePill(filing.mode)}`],
      [texts.filings.agency, filing.agencyName],
      [texts.detail.license, typeName(filing.licenseType, 'en')],
      [texts.detail.submitted, time(filing.submittedAt)],
      [texts.detail.digest, shown.signed && html`<code>${shown.signed.digest}</code>`],
      [texts.filings.status, statusText(filing)],
      [texts.filings.by, operatorOf(filing, operators)],
      [texts.filings.waitsFor, filing.waitsFor === null ? '' : texts.filings.waits[filing.waitsFor]],
      [words.reference, filing.reference ?? ''],
      [words.filedAt, filing.filedAt === null ? undefined : time(filing.filedAt)],
      [words.problem, filing.lastError ?? ''],
      [texts.notes.title, mayFile ? html`<a href="/applications/${id}#${notesAnchor}">${noteText}</a>` : undefined],
    ])}
    ${mayFile && actionsOf(request, filing, shown)}`,
  };
}

function statusText(filing: Filing): string {
  const name = texts.filings.statuses[filing.status];
  return waitsForUser(filing) ? `${name}. ${texts.filings.forUser}` : name;
}

function actionsOf(request: OperatorRequest, filing: Filing, { errors, shown, fields }: FilingShown): Html {
  const { session, form } = request;
  const base = `/filings/${filing.applicationId}/${filing.state}`;
  const isMine = hasClaimed([filing], { state: filing.state, actor: actorOf(session.operator) });
  const isOfColleague = filing.status === 'claimed' && !isMine;
  const isOpen = filing.status === 'waiting' || isMine;
  const isFiled = filing.status === 'filed' || filing.status === 'answered';
  const post = (to: string, label: string) =>
    html`<form method="post" action="${base}/${to}">
      ${csrfInput(session)}
      <button class="button quiet" type="submit">${label}</button>
    </form>`;
  return html`${fields && isOpen && html`<p><a href="#reference">${words.toReference}</a></p>`}
    ${fields && copyFields(fields)}
    <h2>${words.packageTitle}</h2>
    <p class="hint">${words.packageHint} ${filing.status === 'waiting' && words.packageClaim}</p>
    <div class="actions buttons">
      ${
        isMine
          ? html`${!fields && post('fields', words.fields)} ${post('package.pdf', words.packagePdf)}
            ${post('package.zip', words.packageArchive)}`
          : html`<a class="button quiet" href="${base}/package">${words.packageReason}</a>`
      }
    </div>
    <div class="actions buttons">
      ${
        filing.status === 'waiting' &&
        html`${post('claim-and-fields', words.claimAndShow)} ${post('claim', words.claim)}`
      }
      ${isMine && post('release', words.release)}
      ${
        isOfColleague &&
        hasRole(session.operator, 'supervise') &&
        html`<a class="button quiet" href="${base}/release-claim">${words.releaseClaim.title}</a>`
      }
      ${
        filing.status !== 'answered' &&
        html`<a class="button quiet" href="/applications/${filing.applicationId}/states/${filing.state}"
          >${texts.detail.decide}</a
        >`
      }
      ${!isOpen && html`<a class="button quiet" href="/filings/next">${words.next}</a>`}
    </div>
    ${
      isOpen &&
      html`<h2>${words.markTitle}</h2>
        <form method="post" action="${base}/filed" novalidate>
          ${csrfInput(session)} ${shownInput(shown)}
          ${fields && html`<input type="hidden" name="fields" value="shown" />`}
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
    }
    ${isFiled && filing.reference && referenceForm(request, filing.reference, { base, errors })}
    ${(isOpen || filing.status === 'filed') && waitsForm(request, filing, `${base}/waits`)}`;
}

/** Corrects a reference that was mistyped. */
function referenceForm(
  { session, form }: OperatorRequest,
  reference: string,
  { base, errors }: { base: string; errors: Errors },
): Html {
  return html`<h2>${words.correctReference}</h2>
    <form method="post" action="${base}/reference" novalidate>
      ${csrfInput(session)} <input type="hidden" name="from" value="${reference}" />
      ${textField(
        { texts, errors },
        {
          name: 'reference',
          label: words.reference,
          value: form.text('reference') || reference,
          width: 'medium',
          maxlength: longestReference,
        },
      )}
      <p class="buttons"><button class="button quiet" type="submit">${words.correctReference}</button></p>
    </form>`;
}

/** What the state waits for. A correction is of what it has received. */
function waitsForm({ session }: OperatorRequest, { status, waitsFor }: Filing, action: string): Html {
  const { title, hint, label, choices, save } = words.waits;
  const offered = status === 'filed' ? waits : waits.filter((wait) => wait !== 'correction');
  const options = ['nothing', ...offered] as const;
  return html`<h2>${title}</h2>
    <p class="hint">${hint}</p>
    <form method="post" action="${action}" class="waits">
      ${csrfInput(session)}
      ${selectField({
        name: 'waitsFor',
        label,
        value: waitsFor ?? 'nothing',
        options: options.map((option) => [option, choices[option]]),
      })}
      <button class="button quiet small" type="submit">${save}</button>
    </form>`;
}
