import { questionPagesFor } from '../../../catalogue/questions.js';
import {
  answeredIds,
  areDocumentsAskedFor,
  earlierAnswersOffered,
  openQuestions,
  reuseEarlierAnswers,
  saveAnswers,
} from '../../../domain/applications/background.js';
import { countMissingDocuments } from '../../../domain/applications/required-documents.js';
import { findSession } from '../../../domain/applications/session.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToNextStep, redirectToOpenStep, leave, showStep } from '../../respond.js';
import { readAnswers } from './form.js';
import { backgroundPage, type QuestionPage, reuseAnswersPage } from './view.js';

/** Step 3: the background questions, one small group per page. */
export function addBackgroundRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/background', requireStep(services, 'background'), async (c) => {
    const pageContext = c.get('pageContext');
    if (await earlierAnswersOffered(context, pageContext.session))
      return c.redirect(pageContext.path('background/earlier'), 303);
    const areAllAnswered = openQuestions(pageContext.session).length === 0;
    if (areAllAnswered && countMissingDocuments(pageContext.session) > 0)
      return c.redirect(pageContext.path('background/documents'), 303);
    return c.redirect(pageContext.path(`background/${firstOpenGroup(c)}`), 303);
  });

  app.get('/s/:token/background/earlier', requireStep(services, 'background'), async (c) => {
    const answeredAt = await earlierAnswersOffered(context, c.get('pageContext').session);
    if (!answeredAt) return redirectToOpenStep(c);
    return showStep(c, 'background', reuseAnswersPage(c.get('pageContext'), answeredAt));
  });

  app.post('/s/:token/background/earlier', requireStep(services, 'background'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const answeredAt = await earlierAnswersOffered(context, pageContext.session);
    const choice = form.text('reuse');
    if (answeredAt && choice !== 'yes' && choice !== 'no') {
      const errors = [{ field: 'reuse', message: pageContext.texts.errors.reuse }];
      return showStep(c, 'background', reuseAnswersPage(pageContext, answeredAt, errors));
    }
    if (choice === 'no') return c.redirect(pageContext.path(`background/${firstOpenGroup(c)}`), 303);
    await reuseEarlierAnswers(context, pageContext.token);
    return redirectToOpenStep(c);
  });

  app.get('/s/:token/background/:group', requireStep(services, 'background'), (c) => {
    const page = questionPage(c);
    return page ? showStep(c, 'background', backgroundPage(c.get('pageContext'), page)) : redirectToOpenStep(c);
  });

  app.post('/s/:token/background/:group', requireStep(services, 'background'), async (c) => {
    const pageContext = c.get('pageContext');
    const page = questionPage(c);
    if (!page) return redirectToOpenStep(c);
    const form = await postedForm(c);
    const { answers, errors } = readAnswers(form, page.questions, page.answered, pageContext, context.clock());
    const isSaved = await saveAnswers(context, pageContext.token, answers, pageContext.language);
    if (form.isLeaving) return leave(c);
    if (!isSaved) return redirectToOpenStep(c);
    if (errors.length > 0) {
      const answered = new Set([...page.answered, ...Object.keys(answers)]);
      return showStep(c, 'background', backgroundPage(pageContext, { ...page, answered }, errors));
    }
    return goToNextGroup(c, page);
  });

  async function goToNextGroup(c: ApplyRequest, page: QuestionPage): Promise<Response> {
    const pageContext = c.get('pageContext');
    const next = questionPagesFor(pageContext.session.pinned, pageContext.session.application)[page.part.index];
    if (next && !pageContext.isChange) return c.redirect(pageContext.path(`background/${next.group}`), 303);
    // The last page. An earlier page may be incomplete when this one was opened by its URL, so the
    // state is read again.
    const session = await findSession(context, pageContext.token);
    if (session?.phase === 'open' && openQuestions(session).length > 0) return redirectToOpenStep(c);
    // From the review, only when an answer requires documents.
    const isAskedForDocuments =
      session?.phase === 'open' &&
      (countMissingDocuments(session) > 0 || (!pageContext.isChange && areDocumentsAskedFor(context, session)));
    if (isAskedForDocuments) return c.redirect(pageContext.path('background/documents'), 303);
    return redirectToNextStep(c, 'background');
  }
}

/** Finds the page of a path, if this application has it and the pages before it are answered. */
function questionPage(c: ApplyRequest): QuestionPage | undefined {
  const pageContext = c.get('pageContext');
  const { session } = pageContext;
  const pages = questionPagesFor(session.pinned, session.application);
  const index = pages.findIndex(({ group }) => group === c.req.param('group'));
  const firstOpen = pages.findIndex(({ group }) => group === firstOpenGroup(c));
  const page = pages[index];
  if (!page || index > firstOpen) return undefined;
  const before = pages[index - 1];
  const back = pageContext.isChange ? 'review' : before ? `background/${before.group}` : 'identity';
  return {
    ...page,
    part: { index: index + 1, count: pages.length },
    back: pageContext.path(back),
    answered: answeredIds(session),
  };
}

/**
 * Finds the page on which the user continues: the first group with an open question, or else the
 * last one.
 */
function firstOpenGroup(c: ApplyRequest): string {
  const { session } = c.get('pageContext');
  const pages = questionPagesFor(session.pinned, session.application);
  return openQuestions(session)[0]?.group ?? pages.at(-1)?.group ?? '';
}
