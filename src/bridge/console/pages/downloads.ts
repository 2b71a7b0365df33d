import { stateCodes, type StateCode } from '../../../contract/index.js';
import { readPeople } from '../../domain/applications/people.js';
import { attachmentHeader, type FileName, fileNameOf } from '../../domain/filings/file-name.js';
import { packageArchive, packagePdf } from '../../domain/filings/archive.js';
import { ChangedAfterSignatureError, type PackageRequest, readPackage } from '../../domain/filings/package.js';
import type { FilingPackage } from '../../ports/filing-gateway.js';
import { adapterErrorCode } from '../../ports/adapter-error.js';
import { listDocuments, readDocument, type ListedDocument } from '../../domain/documents/documents.js';
import { hasClaimed } from '../../domain/filings/claims.js';
import { listFilings } from '../../domain/filings/filings.js';
import { hasRole } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { collectErrors, type FieldError } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing, showProblem } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { dataTable, fileSize, stateLabel, time } from '../parts.js';
import { behindProof, checkProof, proofField } from '../proof.js';
import { readReason, reasonField } from '../reason.js';
import { consoleTexts as texts } from '../texts.js';
import { claim, findFiling, readFields, showFiling, type Filing } from './filing.js';

const words = texts.downloads;

const documentPath = '/applications/:id/documents/:document';

const extensions = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/**
 * The downloads of the console and the fields of a form, for the operator who has claimed the filing;
 * for others with a reason. Each is a post with the CSRF token, so that a link that a
 * browser preloads, or that is opened from the history, neither shows an SSN nor writes an audit
 * entry.
 */
export const downloadRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/filings/:id/:state/package',
    access: 'file',
    async handle(request) {
      const filing = await findFiling(request);
      return filing === undefined ? showMissing(request) : show(request, packagePage(request, filing));
    },
  },
  {
    method: 'POST',
    path: '/filings/:id/:state/package.pdf',
    access: 'file',
    handle: (request) =>
      withPackage(request, async (filing) => {
        const pdf = await packagePdf(filing, request.services.context.clock());
        return download(new Uint8Array(pdf), 'application/pdf', await nameOf(request, filing.state, [], 'pdf'));
      }),
  },
  {
    method: 'POST',
    path: '/filings/:id/:state/package.zip',
    access: 'file',
    handle: (request) =>
      withPackage(request, async (filing) => {
        const pieces = packageArchive(filing, request.services.context.clock());
        // The first chunk before the headers, so that a failure can still be answered with a page.
        const first = await pieces.next();
        const name = await nameOf(request, filing.state, [], 'zip');
        return download(streamOf(request, first, pieces), 'application/zip', name);
      }),
  },
  {
    method: 'POST',
    path: '/filings/:id/:state/fields',
    access: 'file',
    handle: withFields,
  },
  {
    method: 'POST',
    path: '/filings/:id/:state/claim-and-fields',
    access: 'file',
    handle: async (request) => (await claim(request)) ?? withFields(request),
  },
  {
    method: 'GET',
    path: documentPath,
    access: 'file',
    async handle(request) {
      const known = await findKnown(request);
      return known === undefined ? showMissing(request) : show(request, documentPage(request));
    },
  },
  {
    method: 'POST',
    path: documentPath,
    access: 'file',
    async handle(request) {
      const { c, services, session } = request;
      const known = await findKnown(request);
      if (known === undefined) return showMissing(request);
      const filings = await listFilings(services.context, {
        scope: session.operator.scope,
        applicationId: c.req.param('id') ?? '',
        limit: stateCodes.length,
      });
      const { note, errors } = await readNote(request, filings, known.state);
      if (errors.length > 0) return show(request, documentPage(request, errors));
      const actor = actorOf(session.operator);
      const read = await readDocument(services.context, { documentId: known.id, actor, note });
      if (read === undefined) return showMissing(request);
      const name = await nameOf(request, known.state, ['document', String(known.number)], extensions[read.type]);
      return download(new Uint8Array(read.content), read.type, name);
    },
  },
];

/** Finds a document of the application of a path; `undefined` when there is none. */
async function findKnown({ c, services }: OperatorRequest): Promise<(ListedDocument & { number: number }) | undefined> {
  const listed = await listDocuments(services.context, c.req.param('id') ?? '');
  // The number of its row in the list.
  return listed.map((each, index) => ({ ...each, number: index + 1 })).find(({ id }) => id === c.req.param('document'));
}

type Errors = readonly FieldError[];
type Filings = Parameters<typeof hasClaimed>[0];

/** The reason for a download, with a fresh proof. The operator who has claimed the filing needs none. */
async function readNote(
  request: OperatorRequest,
  filings: Filings,
  state: StateCode | null,
): Promise<{ note: string | undefined; errors: Errors }> {
  const { form, session } = request;
  if (hasClaimed(filings, { state, actor: actorOf(session.operator) })) return { note: undefined, errors: [] };
  const { errors, check } = collectErrors();
  const note = readReason(form, check);
  if (errors.length === 0) await checkProof(request, check);
  return { note, errors };
}

function packagePage(request: OperatorRequest, { applicationId, state }: Filing, errors: Errors = []): ConsolePage {
  const { form, session } = request;
  const href = `/filings/${applicationId}/${state}`;
  return {
    title: words.reason.packageTitle,
    at: '/filings',
    errors,
    back: { href, label: texts.filing.title(stateLabel(state)) },
    content: html`<p class="lead">${words.reason.lead}</p>
      ${behindProof(
        request,
        `${href}/package`,
        html`<form method="post" action="${href}/package.pdf" novalidate>
          ${csrfInput(session)} ${reasonField(form, errors)} ${proofField(request, errors)}
          <p class="buttons">
            <button class="button" type="submit">${texts.filing.packagePdf}</button>
            <button class="button" type="submit" formaction="${href}/package.zip">
              ${texts.filing.packageArchive}
            </button>
            <button class="button" type="submit" formaction="${href}/fields">${texts.filing.fields}</button>
          </p>
        </form>`,
      )}`,
  };
}

function documentPage(request: OperatorRequest, errors: Errors = []): ConsolePage {
  const { c, form, session } = request;
  const href = `/applications/${c.req.param('id') ?? ''}`;
  const page = `${href}/documents/${c.req.param('document') ?? ''}`;
  return {
    title: words.reason.documentTitle,
    at: '/applications',
    errors,
    back: { href, label: texts.detail.title },
    content: html`<p class="lead">${words.reason.lead}</p>
      ${behindProof(
        request,
        page,
        html`<form method="post" action="${page}" novalidate>
          ${csrfInput(session)} ${reasonField(form, errors)} ${proofField(request, errors)}
          <p class="buttons"><button class="button" type="submit">${words.open}</button></p>
        </form>`,
      )}`,
  };
}

/**
 * The list of an application's documents. Their names reveal their subject, so they are not shown.
 */
export function documentTable(
  { session }: OperatorRequest,
  of: { applicationId: string; documents: readonly ListedDocument[]; filings: Filings },
): Html {
  const { applicationId, documents, filings } = of;
  const mayOpen = hasRole(session.operator, 'file');
  const actor = actorOf(session.operator);
  const openButton = (id: string, state: StateCode | null, label: Html) => {
    const href = `/applications/${applicationId}/documents/${id}`;
    if (!hasClaimed(filings, { state, actor })) return html`<a class="button quiet small" href="${href}">${label}</a>`;
    return html`<form method="post" action="${href}">
      ${csrfInput(session)}
      <button class="button quiet small" type="submit">${label}</button>
    </form>`;
  };
  const rows = documents.map(({ id, type, size, createdAt, state }, index) => [
    `${index + 1}. ${words.types[type]}`,
    fileSize(size),
    state === null ? words.background : words.request(stateLabel(state)),
    time(createdAt),
    mayOpen
      ? openButton(id, state, html`${words.open}<span class="visually-hidden"> – ${String(index + 1)}</span>`)
      : '',
  ]);
  const columns = [words.document, words.size, words.purpose, words.uploaded, ''];
  return html`<h2>${words.documents}</h2>
    ${dataTable({ caption: words.documents, columns, rows, empty: words.none })}`;
}

/** Responds with the package of a filing. */
function withPackage(
  request: OperatorRequest,
  respond: (filing: FilingPackage) => Promise<Response>,
): Promise<Response> {
  return withAccess(request, async (access) => {
    const filing = await readPackage(request.services.context, access);
    return filing && respond(filing);
  });
}

/** Responds with the page of a filing and the fields of the form of its state. */
function withFields(request: OperatorRequest): Promise<Response> {
  return withAccess(request, async (access) => {
    const fields = await readFields(request, access);
    return fields && showFiling(request, { fields });
  });
}

/**
 * Lets the operator who has claimed the filing, or gives a reason, read what is filed, unless it is
 * not what the user signed.
 *
 * @param respond Resolves with `undefined` when there is nothing to read.
 */
async function withAccess(
  request: OperatorRequest,
  respond: (access: PackageRequest) => Promise<Response | undefined>,
): Promise<Response> {
  const { c, services, session } = request;
  const found = await findFiling(request);
  if (found === undefined) return showMissing(request);
  const { applicationId, state } = found;
  const { note, errors } = await readNote(request, [found], state);
  if (errors.length > 0) return show(request, packagePage(request, found, errors));
  try {
    const response = await respond({ applicationId, state, actor: actorOf(session.operator), note });
    return response ?? (await showMissing(request));
  } catch (error) {
    if (!(error instanceof ChangedAfterSignatureError)) throw error;
    services.context.log.error(
      { applicationId, requestId: c.env.requestId },
      'The data of an application is not what was signed.',
    );
    return showProblem(c, services, 409, words.changed);
  }
}

/**
 * The name of a file about the application of a path: where it is filed, whom it is about, and the
 * receipt.
 */
async function nameOf(
  { c, services }: OperatorRequest,
  state: StateCode | null,
  parts: readonly string[],
  extension: string,
): Promise<FileName> {
  const applicationId = c.req.param('id') ?? '';
  const people = await readPeople(services.context, [applicationId]);
  const { firstName = '', lastName = '', receiptNumber = applicationId } = people.get(applicationId) ?? {};
  return fileNameOf([state ?? '', lastName, firstName, receiptNumber, ...parts], extension);
}

/** As an attachment, also for types that browsers can show, because the content comes from a user. */
function download(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, type: string, name: FileName): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': attachmentHeader(name),
      'cache-control': 'no-store',
    },
  });
}

/**
 * Streamed at the speed of the browser. A failure aborts the response, so that an incomplete
 * archive does not look complete.
 */
function streamOf(
  { c, services }: OperatorRequest,
  first: IteratorResult<Uint8Array, void>,
  pieces: AsyncGenerator<Uint8Array, void>,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array, void> | undefined = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = next ?? (await pieces.next());
        next = undefined;
        if (piece.done === true) controller.close();
        else controller.enqueue(piece.value);
      } catch (error) {
        // Only the code: the message of a storage's error may contain personal data.
        services.context.log.error(
          { code: adapterErrorCode(error), requestId: c.env.requestId },
          'The download of an archive was aborted.',
        );
        controller.error(new Error('The archive is incomplete.'));
      }
    },
    async cancel() {
      await pieces.return();
    },
  });
}
