import { acknowledgedKeys, openDisclosures, saveAcknowledgements } from '../../domain/apply/disclosures.js';
import { questionPagesFor } from '../../catalogue/questions.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import type { FieldError } from '../forms/form.js';
import { goOn, goWhereItIsOpen, leave, showStep } from '../show.js';
import { disclosuresPage } from '../view/disclosures-page.js';
import { stateName, type Visit } from '../visit.js';

/** Step 4: what each state must tell the user. */
export function addDisclosureRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/disclosures', enter(room, 'disclosures'), (c) => {
    const visit = c.get('visit');
    return showStep(c, 'disclosures', disclosuresPage(visit, back(visit), acknowledgedKeys(visit.session)));
  });

  app.post('/s/:token/disclosures', enter(room, 'disclosures'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    const acknowledged = new Set(form.all('acknowledge'));
    const isSaved = await saveAcknowledgements(context, visit.token, [...acknowledged], visit.language);
    if (form.isLeaving) return leave(c);
    if (!isSaved) return goWhereItIsOpen(c);
    const errors = missing(visit, openDisclosures(visit.session, acknowledged));
    if (errors.length > 0) return showStep(c, 'disclosures', disclosuresPage(visit, back(visit), acknowledged, errors));
    return goOn(c, 'disclosures');
  });
}

/** One error a state, at its first statement that is not ticked. */
function missing({ texts, language, session }: Visit, open: readonly string[]): FieldError[] {
  return session.application.states.flatMap((state) => {
    const field = open.find((key) => key.startsWith(`${state}:`));
    return field ? [{ field, message: texts.errors.acknowledge(stateName(state, language)) }] : [];
  });
}

function back(visit: Visit): string {
  if (visit.isChange) return visit.path('review');
  return visit.path(`background/${questionPagesFor(visit.session.application).at(-1)?.group ?? ''}`);
}
