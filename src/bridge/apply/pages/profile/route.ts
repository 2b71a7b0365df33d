import { profilePages, saveProfilePage } from '../../../domain/applications/profile/profile.js';
import { requireStep } from '../../require-step.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { postedForm } from '../../form-guard.js';
import { redirectToOpenStep, leave, showStep } from '../../respond.js';
import { findDoubt } from './doubts.js';
import { errorsOf, readTopicForm } from './form.js';
import { addListRoutes } from './list-route.js';
import { findShownPage, goToNextPage, listOf } from './shown-page.js';
import { topicPage } from './view.js';

/** Step 1: the applicant's profile, one topic per page. */
export function addProfileRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/profile', requireStep(services, 'profile'), (c) => {
    const pageContext = c.get('pageContext');
    const { pages, open } = profilePages(context, pageContext.session);
    return c.redirect(pageContext.path(`profile/${(open[0] ?? pages[0])?.key ?? ''}`), 303);
  });

  // Before the others, whose pattern would match an entry of a list as a state.
  addListRoutes(app, services);

  for (const path of ['/s/:token/profile/:topic', '/s/:token/profile/:topic/:state'] as const) {
    app.get(path, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const shown = await findShownPage(services, pageContext, keyIn(c));
      if (!shown || listOf(shown.page)) return redirectToOpenStep(c);
      const errors = errorsOf(shown.page.topic, shown.problems, shown.offered, pageContext.language);
      // What was doubted before the user left the page, or is since states were added.
      const stored = pageContext.session.profile.pages[shown.page.key];
      const doubt = stored && (await findDoubt(context, pageContext, shown, stored));
      if (doubt) errors.push(doubt);
      return showStep(c, 'profile', topicPage(pageContext, { ...shown, doubted: doubt?.value }, errors));
    });

    app.post(path, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const shown = await findShownPage(services, pageContext, keyIn(c));
      if (!shown || listOf(shown.page)) return redirectToOpenStep(c);
      const { page } = shown;
      const form = await postedForm(c);
      const typed = readTopicForm(form, page.topic);
      const doubt = await findDoubt(context, pageContext, shown, typed);
      const isHeld = doubt !== undefined && form.text('keep') !== doubt.value;
      const checked = await saveProfilePage(context, pageContext, page.key, typed, isHeld);
      if (form.isLeaving) return leave(c);
      if (!checked) return redirectToOpenStep(c);
      if (!checked.problems && !isHeld) return goToNextPage(services, c, shown);
      const errors = errorsOf(page.topic, checked.problems ?? [], shown.offered, pageContext.language);
      if (isHeld) errors.push(doubt);
      const doubted = isHeld ? doubt.value : undefined;
      return showStep(c, 'profile', topicPage(pageContext, { ...shown, values: typed, doubted }, errors));
    });
  }
}

function keyIn(c: ApplyRequest): string {
  return [c.req.param('topic'), c.req.param('state')].filter(Boolean).join('/');
}
