import { subjectsOffered } from '../../../catalogue/document-subjects.js';
import { missingDocuments } from '../../../domain/applications/background.js';
import type { MissingDocument } from '../../../domain/applications/required-documents.js';
import { listDocuments } from '../../../domain/documents/documents.js';
import { ofApplication } from '../../../domain/documents/target.js';
import type { FieldError } from '../../../pages/forms.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { leave, redirectToNextStep, redirectToOpenStep, showStep } from '../../respond.js';
import { answerScript, takeDocumentPost } from './upload.js';
import { documentsPage } from './view.js';

/** The last page of step 3: documents that explain an answer. */
export function addDocumentRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context, budgets } = services;

  app.get('/s/:token/background/documents', requireStep(services, 'background'), (c) => show(c));

  app.post('/s/:token/background/documents', requireStep(services, 'background'), async (c) => {
    const pageContext = c.get('pageContext');
    const post = await takeDocumentPost(context, budgets, c, {
      target: { of: 'application', token: pageContext.token },
      application: pageContext.session.application,
    });
    const answer = answerScript(c, post);
    if (answer) return answer;
    if (post.did === 'refused') return show(c, post.errors);
    if (post.did === 'closed') return redirectToOpenStep(c);
    if (post.did !== 'continue') return c.redirect(pageContext.path('background/documents'), 303);
    if (post.isLeaving) return leave(c);
    const missing = await missingDocuments(context, context.db, pageContext.session);
    if (missing.length > 0) return show(c, missingErrors(c, missing));
    // The earlier questions may be unanswered when the page was opened by its URL.
    const isComplete = pageContext.session.saved.background?.completedAt;
    return isComplete ? redirectToNextStep(c, 'background') : redirectToOpenStep(c);
  });

  async function show(c: ApplyRequest, errors: readonly FieldError[] = []): Promise<Response> {
    const pageContext = c.get('pageContext');
    const documents = await listDocuments(context, pageContext.session.application.id, ofApplication);
    return showStep(c, 'background', documentsPage(pageContext, documents, errors));
  }
}

/**
 * Shows the kinds only in the response to a post. A GET of the page, which the partner can open
 * too, only shows the number.
 */
function missingErrors(c: ApplyRequest, missing: readonly MissingDocument[]): FieldError[] {
  const { texts, session, language } = c.get('pageContext');
  const offered = subjectsOffered(session.pinned, session.application, language);
  return missing.map(({ followUp, count }) => ({
    field: 'file',
    message: texts.documents.missing(offered.find((each) => each.followUp === followUp)?.label ?? followUp, count),
  }));
}
