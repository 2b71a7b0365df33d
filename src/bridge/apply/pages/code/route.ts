import { resendCode, useCode } from '../../../domain/applications/identity.js';
import { findAwaitedCode } from '../../../domain/applications/proof-code.js';
import type { FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import type { ApplyApp, ApplyRequest, ApplyServices } from '../../page-context.js';
import { refreshPage, requireStep } from '../../require-step.js';
import { leave, redirectToOpenStep, showStep } from '../../respond.js';
import { codePage } from './view.js';

/** The code by mail, after the last four digits of a stored SSN. */
export function addCodeRoutes(app: ApplyApp, services: ApplyServices): void {
  const { context } = services;

  app.get('/s/:token/identity/code', requireStep(services, 'identity'), (c) => show(c));

  app.post('/s/:token/identity/code', requireStep(services, 'identity'), async (c) => {
    const pageContext = c.get('pageContext');
    const words = pageContext.texts.code.errors;
    const form = await postedForm(c);
    if (form.isLeaving) return leave(c);
    // At the URL of the page, which the links to the other language repeat.
    if (form.text('another') !== '') return sendAnother(c);
    const typed = form.text('code');
    if (!/^[\s-]*(\d[\s-]*){6}$/.test(typed)) return show(c, { errors: [{ field: 'code', message: words.format }] });
    const result = await useCode(context, pageContext.token, typed);
    if (result === 'passed' || result === undefined) return redirectToOpenStep(c);
    // The page of the SSN says what follows.
    if (result === 'ended') return c.redirect(pageContext.path('identity'), 303);
    return show(c, { errors: [{ field: 'code', message: words[result] }] });
  });

  async function sendAnother(c: ApplyRequest) {
    const pageContext = c.get('pageContext');
    const words = pageContext.texts.code.errors;
    await context.limiter.take('codeRequests', c.env.address);
    const result = await resendCode(context, pageContext.token, pageContext.language);
    if (result === undefined) return redirectToOpenStep(c);
    const awaited = await findAwaitedCode(context, pageContext.session);
    if (result === 'wait') {
      return show(c, { errors: [{ field: 'another', message: words.wait(awaited?.waitSeconds ?? 0) }] });
    }
    return show(c, result === 'none' ? { errors: [{ field: 'another', message: words.none }] } : { isResent: true });
  }

  async function show(c: ApplyRequest, shown: { errors?: readonly FieldError[]; isResent?: boolean } = {}) {
    // Read again, because a post has changed it.
    const pageContext = (await refreshPage(services, c)) ?? c.get('pageContext');
    const awaited = await findAwaitedCode(context, pageContext.session);
    if (!awaited) return c.redirect(pageContext.path('identity'), 303);
    return showStep(c, 'identity', codePage(pageContext, awaited, shown));
  }
}
