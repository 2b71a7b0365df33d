import { chooseStates, mayChooseStates } from '../../../domain/applications/chosen-states.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyServices } from '../../page-context.js';
import { requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { statesPage } from './view.js';

/** The choice among the states that the partner asked for, until the application is signed and sent. */
export function addStatesRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/states', requireStep(services, 'profile'), (c) => {
    const pageContext = c.get('pageContext');
    if (!mayChooseStates(pageContext.session.application)) return redirectToOpenStep(c);
    return showStep(c, 'profile', statesPage(pageContext));
  });

  app.post('/s/:token/states', requireStep(services, 'profile'), async (c) => {
    const pageContext = c.get('pageContext');
    const form = await postedForm(c);
    const isChosen = await chooseStates(context, pageContext.token, new Set(form.all('states')));
    if (form.isLeaving) return leave(c);
    if (isChosen === false) return showStep(c, 'profile', statesPage(pageContext, true));
    // The review itself leads to what an added state still asks for.
    return pageContext.isChange ? c.redirect(pageContext.path('review'), 303) : redirectToOpenStep(c);
  });
}
