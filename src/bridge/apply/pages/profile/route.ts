import { readDraftProfile, saveDraftProfile, saveProfile } from '../../../domain/applications/profile.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRoom } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToNextStep, redirectToOpenStep, leave, showStep } from '../../respond.js';
import { parseProfile, readDraftProfileForm } from './form.js';
import { profilePage } from './view.js';

/** Step 1: check and correct what is known. */
export function addProfileRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/profile', requireStep(room, 'profile'), async (c) => {
    const pageContext = c.get('pageContext');
    return showStep(c, 'profile', profilePage(pageContext, await readDraftProfile(context, pageContext.session)));
  });

  app.post('/s/:token/profile', requireStep(room, 'profile'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    const draft = readDraftProfileForm(form);
    const { value, errors } = parseProfile(draft, pageContext.texts, context.clock());
    if (!value) {
      await saveDraftProfile(context, pageContext.token, draft);
      return form.isLeaving ? leave(c) : showStep(c, 'profile', profilePage(pageContext, draft, errors));
    }
    const isSaved = await saveProfile(context, pageContext.token, value);
    if (form.isLeaving) return leave(c);
    return isSaved ? redirectToNextStep(c, 'profile') : redirectToOpenStep(c);
  });
}
