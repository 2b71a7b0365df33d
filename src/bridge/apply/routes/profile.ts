import { readDraftProfile, saveDraftProfile, saveProfile } from '../../domain/apply/profile.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import { parseProfile, readDraftProfileForm } from '../forms/profile-form.js';
import { goOn, goWhereItIsOpen, leave, showStep } from '../show.js';
import { profilePage } from '../view/profile-page.js';

/** Step 1: check and correct what is known. */
export function addProfileRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/profile', enter(room, 'profile'), async (c) => {
    const visit = c.get('visit');
    return showStep(c, 'profile', profilePage(visit, await readDraftProfile(context, visit.session)));
  });

  app.post('/s/:token/profile', enter(room, 'profile'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    const draft = readDraftProfileForm(form);
    const { value, errors } = parseProfile(draft, visit.texts, context.clock());
    if (!value) {
      await saveDraftProfile(context, visit.token, draft);
      return form.isLeaving ? leave(c) : showStep(c, 'profile', profilePage(visit, draft, errors));
    }
    const isSaved = await saveProfile(context, visit.token, value);
    if (form.isLeaving) return leave(c);
    return isSaved ? goOn(c, 'profile') : goWhereItIsOpen(c);
  });
}
