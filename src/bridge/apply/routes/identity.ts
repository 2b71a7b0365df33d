import { hasEarlierSsn, reuseEarlierSsn, saveTypedSsn, ssnSource } from '../../domain/apply/identity.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import { parseIdentity, type IdentityChoice } from '../forms/identity-form.js';
import { goOn, goWhereItIsOpen, leave, showStep } from '../show.js';
import { identityPage } from '../view/identity-page.js';
import type { Visit } from '../visit.js';

/** Step 2: the SSN. */
export function addIdentityRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/identity', enter(room, 'identity'), async (c) => {
    const visit = c.get('visit');
    return showStep(c, 'identity', identityPage(visit, await alternativeTo(visit)));
  });

  app.post('/s/:token/identity', enter(room, 'identity'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    const alternative = await alternativeTo(visit);
    const { value, errors } = parseIdentity(form, visit.texts, visit.session.application.mode, alternative);
    // Who leaves with half a number starts over next time: half an SSN is worth nothing and not kept.
    if (!value) return form.isLeaving ? leave(c) : showStep(c, 'identity', identityPage(visit, alternative, errors));
    const isSaved = await save(visit.token, value);
    if (form.isLeaving) return leave(c);
    return isSaved ? goOn(c, 'identity') : goWhereItIsOpen(c);
  });

  async function alternativeTo({ session }: Visit): Promise<'keep' | 'earlier' | undefined> {
    if (ssnSource(session)) return 'keep';
    return (await hasEarlierSsn(context, session)) ? 'earlier' : undefined;
  }

  function save(token: string, choice: IdentityChoice): Promise<boolean | undefined> {
    if (choice.use === 'typed') return saveTypedSsn(context, token, choice.ssn);
    return choice.use === 'earlier' ? reuseEarlierSsn(context, token) : Promise.resolve(true);
  }
}
