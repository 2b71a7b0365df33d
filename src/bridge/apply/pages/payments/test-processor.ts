import type { TestProcessor } from '../../../adapters/test-processor.js';
import { html } from '../../../pages/html.js';
import { postedForm } from '../../form-guard.js';
import type { Page } from '../../layout.js';
import { type AnyPageContext, type ApplyApp, type ApplyServices, readDisplay } from '../../page-context.js';
import { showPage } from '../../respond.js';

const challengePath = '/test-processor/:paymentId/:token';

/**
 * The simulated page of 3-D Secure of the test processor; a real processor redirects to the user's
 * bank. It shows no data of the application.
 */
export function addTestProcessorRoutes(app: ApplyApp, { context }: ApplyServices, testProcessor: TestProcessor): void {
  app.use(challengePath, async (c, next) => {
    await context.limiter.take('pages', c.env.address);
    const { paymentId, token } = c.req.param();
    // The page leads on to the application, and payment ids are in logs, in the audit trail and at
    // processors. Only the processor's answer to the user contains the token.
    return context.links.isChallenge(paymentId, token) ? next() : c.notFound();
  });

  app.get(challengePath, async (c) => {
    const paymentId = c.req.param('paymentId');
    if (!(await testProcessor.isChallenged(paymentId))) return c.notFound();
    return showPage(c, challengePage(c.get('page'), c.req.path + readDisplay(c).query));
  });

  app.post(challengePath, async (c) => {
    const paymentId = c.req.param('paymentId');
    const form = await postedForm(c);
    await testProcessor.finishChallenge(paymentId, form.text('answer') === 'pass');
    return c.redirect(new URL(context.links.paymentReturnUrl('test', paymentId)).pathname + readDisplay(c).query, 303);
  });
}

/** The simulated page of the user's bank. */
function challengePage({ texts }: AnyPageContext, action: string): Page {
  const words = texts.payment.challenge;
  return {
    title: words.title,
    content: html`<p class="lead">${words.lead}</p>
      <form method="post" action="${action}" data-working="${texts.layout.working}">
        <div class="buttons">
          <button class="button" type="submit" name="answer" value="pass">${words.pass}</button>
          <button class="button quiet" type="submit" name="answer" value="fail">${words.fail}</button>
        </div>
      </form>`,
  };
}
