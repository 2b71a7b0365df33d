import { parseSubject } from '../../../catalogue/document-subjects.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import type { BridgeContext } from '../../../domain/context.js';
import type { ApplicationRow } from '../../../store/tables/tables.js';
import { saveDocument, removeDocument, type UploadProblem } from '../../../domain/documents/documents.js';
import type { DocumentTarget } from '../../../domain/documents/target.js';
import { isLinkToken } from '../../../domain/keys/keys.js';
import type { FieldError } from '../../../pages/forms.js';
import { readMultipart } from '../../../pages/multipart.js';
import { postedForm } from '../../form-guard.js';
import { type ApplyBudgets, documentCopies } from '../../body-budgets.js';
import type { ApplyRequest } from '../../page-context.js';

/** The result of a post to a page of documents. */
export type DocumentPost =
  | { did: 'saved' | 'removed' | 'closed' }
  | { did: 'refused'; errors: FieldError[] }
  /** The user continues or leaves. */
  | { did: 'continue'; isLeaving: boolean };

/**
 * Handles a post to a page of documents: a file, a removal, or Continue. The link was checked
 * before, because only then a body as large as a document is read into memory.
 *
 * @throws ApiError `body_too_large`, or `too_many_requests` while there are too many large bodies.
 */
export async function takeDocumentPost(
  context: BridgeContext,
  budgets: ApplyBudgets,
  c: ApplyRequest,
  { target, application }: { target: DocumentTarget; application: Pick<ApplicationRow, 'id' | 'agencyId' | 'mode'> },
): Promise<DocumentPost> {
  const contentType = c.req.header('content-type') ?? '';
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    const form = await postedForm(c);
    const id = form.text('remove');
    if (id === '') return { did: 'continue', isLeaving: form.isLeaving };
    await removeDocument(context, target, id);
    return { did: 'removed' };
  }
  const sender = { agency: application.agencyId, application: application.id, address: c.env.address };
  const store = async (body: AsyncIterable<Uint8Array>): Promise<DocumentPost> => {
    const file = await readMultipart(body, contentType, 'file');
    if (file === undefined) throw new ApiError('body_too_large', 'form: expected multipart/form-data with one file');
    const uploadId = file.fields.get('upload') ?? '';
    const replaces = file.fields.get('replaces');
    const subject = file.fields.get('subject');
    if (subject === '') return { did: 'refused', errors: [{ field: 'subject', message: words(c).problems.subject }] };
    const result = await saveDocument(context, target, {
      // A forged id can only match another upload of the same application.
      uploadId: isLinkToken(uploadId) ? uploadId : crypto.randomUUID(),
      name: file.name,
      content: file.content,
      replaces: replaces === '' ? undefined : replaces,
      // Any other text means that the document belongs to no answer.
      subject: parseSubject(`${subject ?? ''}/${file.fields.get('incident') ?? '1'}`),
    });
    if (result.status === 'refused') return { did: 'refused', errors: errorsOf(c, result.problem) };
    return { did: result.status };
  };
  return budgets.documents[application.mode].read(sender, c.req.raw.body, store, documentCopies);
}

/** The response to the script, which shows it on the same page; `undefined` without the script. */
export function answerScript(c: ApplyRequest, post: DocumentPost): Response | undefined {
  if (c.req.header('accept') !== 'application/json') return undefined;
  if (post.did === 'refused') {
    const [error] = post.errors;
    return c.json({ problem: error?.message ?? '', field: error?.field }, 422);
  }
  return post.did === 'closed' ? c.json({ problem: '' }, 410) : c.json({});
}

function errorsOf(c: ApplyRequest, problem: UploadProblem): FieldError[] {
  return [{ field: 'file', message: words(c).problems[problem] }];
}

function words(c: ApplyRequest) {
  return c.get('page').texts.documents;
}
