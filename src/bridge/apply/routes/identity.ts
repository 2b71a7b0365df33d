import { findSsnOffer, reuseSsn, saveTypedSsn, type CheckResult } from '../../domain/apply/identity.js';
import { findSession } from '../../domain/apply/session.js';
import { enter } from '../enter.js';
import type { ApplyApp, ApplyRequest, ApplyRoom } from '../environment.js';
import { postedForm } from '../form-guard.js';
import type { FieldError } from '../forms/form.js';
import { parseIdentity } from '../forms/identity-form.js';
import { goOn, goWhereItIsOpen, leave, showStep } from '../show.js';
import { identityPage } from '../view/identity-page.js';

/** Step 2: the SSN, or the last four digits of the one that is stored. */
export function addIdentityRoutes(app: ApplyApp, room: ApplyRoom): void {
  const { context } = room;

  app.get('/s/:token/identity', enter(room, 'identity'), async (c) => {
    const visit = c.get('visit');
    return showStep(c, 'identity', identityPage(visit, await findSsnOffer(context, visit.session)));
  });

  app.post('/s/:token/identity', enter(room, 'identity'), async (c) => {
    const visit = c.get('visit');
    const form = await postedForm(c);
    const offer = await findSsnOffer(context, visit.session);
    const { value, errors } = parseIdentity(form, visit.texts, visit.session.application.mode, offer);
    // Who leaves with half a number starts over next time: half an SSN is worth nothing and not kept.
    if (!value) return form.isLeaving ? leave(c) : showStep(c, 'identity', identityPage(visit, offer, errors));
    if (value.use === 'typed') {
      const isSaved = await saveTypedSsn(context, visit.token, value.ssn);
      if (form.isLeaving) return leave(c);
      return isSaved ? goOn(c, 'identity') : goWhereItIsOpen(c);
    }
    const result = await reuseSsn(context, visit.token, value.lastFour);
    if (result === 'wrong' || result === 'ended') return showWrongDigits(c, result);
    if (form.isLeaving) return leave(c);
    // With a new link the user goes on where they were, which may be far behind this step.
    return offer?.needsDigits && !visit.isChange ? goWhereItIsOpen(c) : goOn(c, 'identity');
  });

  async function showWrongDigits(c: ApplyRequest, result: Exclude<CheckResult, 'passed'>) {
    const visit = c.get('visit');
    const { errors: words } = visit.texts;
    const error: FieldError =
      result === 'wrong'
        ? { field: 'ssnLastFour', message: words.ssnLastFourWrong }
        : { field: 'ssn', message: words.ssnReuseEnded };
    const session = (await findSession(context, visit.token)) ?? visit.session;
    return showStep(c, 'identity', identityPage({ ...visit, session }, await findSsnOffer(context, session), [error]));
  }
}
