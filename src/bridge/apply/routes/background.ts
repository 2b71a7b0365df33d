import {
  answeredIds,
  earlierAnswersOffered,
  openQuestions,
  reuseEarlierAnswers,
  saveAnswers,
} from '../../domain/apply/background.js';
import { questionPagesFor } from '../../catalogue/questions.js';
import { findSession } from '../../domain/apply/session.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import { readAnswers } from '../forms/background-form.js';
import { goOn, goWhereItIsOpen, leave, showStep } from '../show.js';
import { backgroundPage, reuseAnswersPage, type QuestionPage } from '../view/background-page.js';

/** Step 3: the background questions, one small group a page. */
export function addBackgroundRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/background', enter(room, 'background'), async (c) => {
    const visit = c.get('visit');
    if (await earlierAnswersOffered(context, visit.session)) return c.redirect(visit.path('background/earlier'), 303);
    return c.redirect(visit.path(`background/${firstOpenGroup(c)}`), 303);
  });

  app.get('/s/:token/background/earlier', enter(room, 'background'), async (c) => {
    const answeredAt = await earlierAnswersOffered(context, c.get('visit').session);
    if (!answeredAt) return goWhereItIsOpen(c);
    return showStep(c, 'background', reuseAnswersPage(c.get('visit'), answeredAt));
  });

  app.post('/s/:token/background/earlier', enter(room, 'background'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    const answeredAt = await earlierAnswersOffered(context, visit.session);
    const choice = form.text('reuse');
    if (answeredAt && choice !== 'yes' && choice !== 'no') {
      const errors = [{ field: 'reuse', message: visit.texts.errors.reuse }];
      return showStep(c, 'background', reuseAnswersPage(visit, answeredAt, errors));
    }
    if (choice === 'no') return c.redirect(visit.path(`background/${firstOpenGroup(c)}`), 303);
    await reuseEarlierAnswers(context, visit.token);
    return goWhereItIsOpen(c);
  });

  app.get('/s/:token/background/:group', enter(room, 'background'), (c) => {
    const page = questionPage(c);
    return page ? showStep(c, 'background', backgroundPage(c.get('visit'), page)) : goWhereItIsOpen(c);
  });

  app.post('/s/:token/background/:group', enter(room, 'background'), async (c) => {
    const visit = c.get('visit');
    const page = questionPage(c);
    if (!page) return goWhereItIsOpen(c);
    const form = await postedForm(c);
    const { answers, errors } = readAnswers(form, page.questions, page.answered, visit.texts);
    const isSaved = await saveAnswers(context, visit.token, answers, visit.language);
    if (form.isLeaving) return leave(c);
    if (!isSaved) return goWhereItIsOpen(c);
    if (errors.length > 0) {
      const answered = new Set([...page.answered, ...Object.keys(answers)]);
      return showStep(c, 'background', backgroundPage(visit, { ...page, answered }, errors));
    }
    return goToNextGroup(c, page);
  });

  async function goToNextGroup(c: ApplyRequest, page: QuestionPage): Promise<Response> {
    const visit = c.get('visit');
    const next = questionPagesFor(visit.session.application)[page.part.index];
    if (next && !visit.isChange) return c.redirect(visit.path(`background/${next.group}`), 303);
    // The last page, though an earlier one may have been left open by its address: read again what is missing.
    const session = await findSession(context, visit.token);
    if (session?.phase === 'open' && openQuestions(session).length > 0) return goWhereItIsOpen(c);
    return goOn(c, 'background');
  }
}

/** The page that the path names, if this application has it and its turn has come: the pages before it are answered. */
function questionPage(c: ApplyRequest): QuestionPage | undefined {
  const visit = c.get('visit');
  const { session } = visit;
  const pages = questionPagesFor(session.application);
  const index = pages.findIndex(({ group }) => group === c.req.param('group'));
  const firstOpen = pages.findIndex(({ group }) => group === firstOpenGroup(c));
  const page = pages[index];
  if (!page || index > firstOpen) return undefined;
  const before = pages[index - 1];
  const back = visit.isChange ? 'review' : before ? `background/${before.group}` : 'identity';
  return {
    ...page,
    part: { index: index + 1, count: pages.length },
    back: visit.path(back),
    answered: answeredIds(session),
  };
}

/** Where the user goes on: the first group with an open question, or the last one when there is none. */
function firstOpenGroup(c: ApplyRequest): string {
  const { session } = c.get('visit');
  const pages = questionPagesFor(session.application);
  return openQuestions(session)[0]?.group ?? pages.at(-1)?.group ?? '';
}
