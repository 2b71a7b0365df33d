import { employmentGaps } from '../../../domain/applications/profile/employment.js';
import { confirmList, removeEntry, saveEntry } from '../../../domain/applications/profile/profile.js';
import type { ListId } from '../../../domain/applications/profile/topics.js';
import { requireStep } from '../../require-step.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { postedForm } from '../../form-guard.js';
import type { FieldError } from '../../../pages/forms.js';
import { redirectToOpenStep, leave, showStep } from '../../respond.js';
import { errorsOf, readTopicForm } from './form.js';
import { entryPage, gapInWords, listPage, type ShownEntry } from './list-view.js';
import { findShownPage, goToNextPage, pathOf } from './shown-page.js';

const lists: readonly ListId[] = ['employment', 'agencies'];

/** The pages of lists: the list, and one entry. */
export function addListRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  for (const list of lists) {
    const path = `/s/:token/profile/${list}` as const;

    app.get(path, requireStep(services, 'profile'), async (c) => {
      const shown = await findShownPage(services, c.get('pageContext'), list);
      return shown ? showStep(c, 'profile', listPage(c.get('pageContext'), shown, list)) : redirectToOpenStep(c);
    });

    app.post(path, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const shown = await findShownPage(services, pageContext, list);
      const form = await postedForm(c);
      if (form.isLeaving) return leave(c);
      const isComplete = shown && (await confirmList(context, pageContext, list));
      if (isComplete === undefined || !shown) return redirectToOpenStep(c);
      if (isComplete) return goToNextPage(services, c, shown);
      return showStep(c, 'profile', listPage(pageContext, shown, list, missingIn(c, list)));
    });

    app.get(`${path}/:entry`, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const shown = await findShownPage(services, pageContext, list);
      const entry = entryIn(c, list);
      return shown && entry
        ? showStep(c, 'profile', entryPage(pageContext, shown, list, entry))
        : redirectToOpenStep(c);
    });

    app.post(`${path}/:entry`, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const shown = await findShownPage(services, pageContext, list);
      const entry = entryIn(c, list);
      if (!shown || !entry) return redirectToOpenStep(c);
      const form = await postedForm(c);
      const typed = readTopicForm(form, list);
      const checked = await saveEntry(context, pageContext, list, entry.id, typed);
      if (form.isLeaving) return leave(c);
      if (!checked) return redirectToOpenStep(c);
      if (checked.values) return c.redirect(pathOf(pageContext, list), 303);
      const errors = errorsOf(list, checked.problems, shown.offered, pageContext.language);
      return showStep(c, 'profile', entryPage(pageContext, shown, list, { ...entry, values: typed }, errors));
    });

    app.post(`${path}/:entry/remove`, requireStep(services, 'profile'), async (c) => {
      const pageContext = c.get('pageContext');
      const isRemoved = await removeEntry(context, pageContext, list, c.req.param('entry'));
      return isRemoved ? c.redirect(pathOf(pageContext, list), 303) : redirectToOpenStep(c);
    });
  }

  /** The error of an incomplete list, with a link to the page that adds an entry. */
  function missingIn(c: ApplyRequest, list: ListId): FieldError[] {
    const { texts, language, session } = c.get('pageContext');
    const words = texts.profile.lists[list];
    const entries = session.profile.lists[list].map(({ values }) => values);
    if (list === 'agencies' || entries.length === 0) return [{ field: 'add', message: words.missing }];
    return employmentGaps(entries, context.clock()).map((gap) => ({
      field: 'add',
      message: texts.profile.gap(gapInWords(gap, language)),
    }));
  }
}

/** The entry of a path: a new one, or one of the list. */
function entryIn(c: ApplyRequest, list: ListId): ShownEntry | undefined {
  const id = c.req.param('entry');
  if (id === 'new') return { id: undefined, values: {} };
  return c.get('pageContext').session.profile.lists[list].find((entry) => entry.id === id);
}
