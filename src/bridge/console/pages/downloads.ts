import { packageArchive, packagePdf } from '../../domain/filings/archive.js';
import { ChangedAfterSignatureError, readPackage } from '../../domain/filings/package.js';
import type { FilingPackage } from '../../ports/filing-gateway.js';
import { adapterErrorCode } from '../../ports/adapter-error.js';
import { listDocuments, readDocument, type ListedDocument } from '../../domain/documents/documents.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { html, type Html } from '../../pages/html.js';
import { showMissing, showProblem } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../environment.js';
import { csrfInput } from '../layout.js';
import { dataTable, fileSize, stateLabel, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { findFiling } from './filing.js';

const words = texts.downloads;

const extensions = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/**
 * The downloads of the console. Each download is a post with the CSRF token, so that a link that a
 * browser preloads, or that is opened from the history, neither shows an SSN nor writes an audit
 * entry.
 */
export const downloadRoutes: readonly ConsoleRoute[] = [
  {
    method: 'POST',
    path: '/filings/:id/:state/package.pdf',
    access: 'file',
    handle: (request) =>
      withPackage(request, async (filing) => {
        const pdf = await packagePdf(filing, request.room.context.clock());
        return download(new Uint8Array(pdf), 'application/pdf', 'package.pdf');
      }),
  },
  {
    method: 'POST',
    path: '/filings/:id/:state/package.zip',
    access: 'file',
    handle: (request) =>
      withPackage(request, async (filing) => {
        const pieces = packageArchive(filing, request.room.context.clock());
        // The first chunk before the headers, so that a failure can still be answered with a page.
        const first = await pieces.next();
        return download(streamOf(request, first, pieces), 'application/zip', 'package.zip');
      }),
  },
  {
    method: 'POST',
    path: '/applications/:id/documents/:document',
    access: 'file',
    async handle(request) {
      const { c, room, session } = request;
      const listed = await listDocuments(room.context, c.req.param('id') ?? '');
      const known = listed.find(({ id }) => id === c.req.param('document'));
      const actor = actorOf(session.operator);
      const read = known && (await readDocument(room.context, { documentId: known.id, actor }));
      if (read === undefined) return showMissing(request);
      return download(new Uint8Array(read.content), read.type, `document.${extensions[read.type]}`);
    },
  },
];

/**
 * The list of an application's documents. Their names reveal their subject, so they are not shown.
 */
export function documentTable(
  { session }: OperatorRequest,
  applicationId: string,
  documents: readonly ListedDocument[],
): Html {
  const mayOpen = session.operator.role === 'file';
  const rows = documents.map(({ id, type, size, createdAt, state }, index) => [
    `${String(index + 1)}. ${words.types[type]}`,
    fileSize(size),
    state === null ? words.background : words.request(stateLabel(state)),
    time(createdAt),
    mayOpen
      ? html`<form method="post" action="/applications/${applicationId}/documents/${id}">
          ${csrfInput(session)}
          <button class="button quiet small" type="submit">
            ${words.open}<span class="visually-hidden"> – ${String(index + 1)}</span>
          </button>
        </form>`
      : '',
  ]);
  const columns = [words.document, words.size, words.purpose, words.uploaded, ''];
  return html`<h2>${words.documents}</h2>
    ${dataTable({ caption: words.documents, columns, rows, empty: words.none })}`;
}

/** Responds with the package of a filing, unless its data is not what the user signed. */
async function withPackage(
  request: OperatorRequest,
  respond: (filing: FilingPackage) => Promise<Response>,
): Promise<Response> {
  const { c, room, session } = request;
  const found = await findFiling(request);
  if (found === undefined) return showMissing(request);
  const { applicationId, state } = found;
  try {
    const filing = await readPackage(room.context, { applicationId, state, actor: actorOf(session.operator) });
    return filing === undefined ? await showMissing(request) : await respond(filing);
  } catch (error) {
    if (!(error instanceof ChangedAfterSignatureError)) throw error;
    room.context.log.error(
      { applicationId, requestId: c.env.requestId },
      'The data of an application is not what was signed.',
    );
    return showProblem(c, room, 409, words.changed);
  }
}

/**
 * As an attachment, also for types that browsers can show, because the content comes from a user.
 * The file name is neutral, because it stays in the list of downloads.
 */
function download(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, type: string, name: string): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}

/**
 * Streamed at the speed of the browser. A failure aborts the response, so that an incomplete
 * archive does not look complete.
 */
function streamOf(
  { c, room }: OperatorRequest,
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
        room.context.log.error(
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
