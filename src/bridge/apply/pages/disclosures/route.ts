import { questionPagesFor } from '../../../catalogue/questions.js';
import { acknowledgedKeys, openDisclosures, saveAcknowledgements } from '../../../domain/applications/disclosures.js';
import type { FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import { type ApplyApp, type ApplyRoom, stateName, type PageContext } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToNextStep, redirectToOpenStep, leave, showStep } from '../../respond.js';
import { disclosuresPage } from './view.js';

/** Step 4: what each state must tell the user. */
export function addDisclosureRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/disclosures', requireStep(room, 'disclosures'), (c) => {
    const pageContext = c.get('pageContext');
    return showStep(
      c,
      'disclosures',
      disclosuresPage(pageContext, back(pageContext), acknowledgedKeys(pageContext.session)),
    );
  });

  app.post('/s/:token/disclosures', requireStep(room, 'disclosures'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    const acknowledged = new Set(form.all('acknowledge'));
    const isSaved = await saveAcknowledgements(context, pageContext.token, [...acknowledged], pageContext.language);
    if (form.isLeaving) return leave(c);
    if (!isSaved) return redirectToOpenStep(c);
    const errors = missing(pageContext, openDisclosures(pageContext.session, acknowledged));
    if (errors.length > 0)
      return showStep(c, 'disclosures', disclosuresPage(pageContext, back(pageContext), acknowledged, errors));
    return redirectToNextStep(c, 'disclosures');
  });
}

/** One error a state, at its first statement that is not ticked. */
function missing({ texts, language, session }: PageContext, open: readonly string[]): FieldError[] {
  return session.application.states.flatMap((state) => {
    const field = open.find((key) => key.startsWith(`${state}:`));
    return field ? [{ field, message: texts.errors.acknowledge(stateName(state, language)) }] : [];
  });
}

function back(pageContext: PageContext): string {
  if (pageContext.isChange) return pageContext.path('review');
  return pageContext.path(`background/${questionPagesFor(pageContext.session.application).at(-1)?.group ?? ''}`);
}
