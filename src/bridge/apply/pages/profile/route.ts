import {
  checkNpn,
  profilePages,
  saveProfilePage,
  type NpnCheck,
} from '../../../domain/applications/profile/profile.js';
import type { Values } from '../../../domain/applications/profile/topics.js';
import { requireStep } from '../../require-step.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { postedForm } from '../../form-guard.js';
import { redirectToOpenStep, leave, showStep } from '../../respond.js';
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
      const shown = await findShownPage(services, c.get('pageContext'), keyIn(c));
      return shown && !listOf(shown.page)
        ? showStep(c, 'profile', topicPage(c.get('pageContext'), shown))
        : redirectToOpenStep(c);
    });

    app.post(path, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const shown = await findShownPage(services, pageContext, keyIn(c));
      if (!shown || listOf(shown.page)) return redirectToOpenStep(c);
      const { page } = shown;
      const form = await postedForm(c);
      const typed = readTopicForm(form, page.topic);
      const doubt = page.topic === 'about' ? await findNpnDoubt(c, typed) : undefined;
      const isHeld = doubt !== undefined && form.text('keepNpn') === '';
      const checked = await saveProfilePage(context, pageContext, page.key, typed, isHeld);
      if (form.isLeaving) return leave(c);
      if (!checked) return redirectToOpenStep(c);
      if (!checked.problems && !isHeld) return goToNextPage(services, c, page);
      const errors = errorsOf(page.topic, checked.problems ?? [], shown.offered, pageContext.language);
      if (isHeld) errors.push({ field: 'npn', message: pageContext.texts.profile.npnDoubt[doubt] });
      return showStep(c, 'profile', topicPage(pageContext, { ...shown, values: typed, isNpnDoubted: isHeld }, errors));
    });
  }

  async function findNpnDoubt(c: ApplyRequest, about: Values): Promise<Exclude<NpnCheck, 'fine'> | undefined> {
    const check = await checkNpn(context, c.get('pageContext').session, about);
    return check === 'fine' ? undefined : check;
  }
}

function keyIn(c: ApplyRequest): string {
  return [c.req.param('topic'), c.req.param('state')].filter(Boolean).join('/');
}
