import { questionPagesFor } from '../../../catalogue/questions.js';
import { disclosureWording } from '../../../catalogue/wording.js';
import {
  acknowledgedIds,
  disclosuresOf,
  openDisclosures,
  saveAcknowledgements,
} from '../../../domain/applications/disclosures.js';
import type { FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyServices, PageContext } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { redirectToNextStep, redirectToOpenStep, leave, showStep } from '../../respond.js';
import { disclosuresPage, sharedBox } from './view.js';

/** Step 4: the disclosures of each state. */
export function addDisclosureRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/disclosures', requireStep(services, 'disclosures'), (c) => {
    const pageContext = c.get('pageContext');
    return showStep(
      c,
      'disclosures',
      disclosuresPage(pageContext, back(pageContext), acknowledgedIds(pageContext.session)),
    );
  });

  app.post('/s/:token/disclosures', requireStep(services, 'disclosures'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    const acknowledged = acknowledgedBy(pageContext, form.all('acknowledge'));
    const isSaved = await saveAcknowledgements(context, pageContext.token, acknowledged, pageContext.language);
    if (form.isLeaving) return leave(c);
    if (!isSaved) return redirectToOpenStep(c);
    const errors = missing(pageContext, openDisclosures(pageContext.session, acknowledged));
    if (errors.length > 0)
      return showStep(c, 'disclosures', disclosuresPage(pageContext, back(pageContext), acknowledged, errors));
    return redirectToNextStep(c, 'disclosures');
  });
}

/** The ids of the ticked boxes: one box acknowledges all shared disclosures. */
function acknowledgedBy({ session }: PageContext, boxes: readonly string[]): Set<string> {
  const shared = disclosuresOf(session).filter(({ kind }) => kind === 'shared');
  return new Set([...boxes, ...(boxes.includes(sharedBox) ? shared.map(({ id }) => id) : [])]);
}

/** One error for each box that is not ticked. */
function missing({ texts, language, session }: PageContext, open: readonly string[]): FieldError[] {
  const asked = disclosuresOf(session).filter(({ id }) => open.includes(id));
  const isSharedOpen = asked.some(({ kind }) => kind === 'shared');
  const message = texts.errors.acknowledge;
  const ofStates = asked
    .filter(({ kind }) => kind === 'state')
    .map((disclosure) => {
      const { short = '' } = disclosureWording(session.pinned, disclosure, language).text;
      return { field: disclosure.id, message, summary: `${message}: ${short}` };
    });
  return [...(isSharedOpen ? [{ field: sharedBox, message: texts.errors.acknowledgeShared }] : []), ...ofStates];
}

function back(pageContext: PageContext): string {
  if (pageContext.isChange) return pageContext.path('review');
  return pageContext.path(
    `background/${questionPagesFor(pageContext.session.pinned, pageContext.session.application).at(-1)?.group ?? ''}`,
  );
}
