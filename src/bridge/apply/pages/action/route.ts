import { findAction, type RequestedAction, sendActionAnswer } from '../../../domain/applications/action.js';
import { listDocuments } from '../../../domain/documents/documents.js';
import { characters } from '../../../domain/limits/limits.js';
import { progressAt } from '../../../domain/applications/steps.js';
import { actionForm } from '../../../domain/applications/committing-forms.js';
import { commitShown, shownToken } from '../../../domain/shown/shown.js';
import { collectErrors, type FieldError } from '../../../pages/forms.js';
import { postedForm } from '../../form-guard.js';
import { renderPage } from '../../layout.js';
import { type ApplyApp, type ApplyRequest, type ApplyServices, readDisplay } from '../../page-context.js';
import { returnHref, showPage, showStopped } from '../../respond.js';
import { missingPage } from '../plain/view.js';
import { answerScript, takeDocumentPost } from '../documents/upload.js';
import { type AskedFee, postFee, showFee } from './fee.js';
import { type ActionForm, actionPage, answeredActionPage } from './view.js';

/** The page for a request of a state after the submission. */
export function addActionRoutes(app: ApplyApp, { context, budgets }: ApplyServices): void {
  app.get('/a/:token', async (c) => {
    const action = await arrive(c);
    if (!action) return showMissing(c);
    if (action.phase === 'stopped') return showStopped(c, action.agencyName, action.application.returnUrl);
    const fee = feeOf(c, action);
    if (fee) return showFee(context, c, fee);
    if (action.phase === 'open') return showPage(c, actionPage(c.get('page'), action, await formOf(c, action)));
    return showPage(
      c,
      answeredActionPage(c.get('page'), action, returnHref(action.application.returnUrl, 'submitted')),
    );
  });

  app.post('/a/:token', async (c) => {
    const action = await arrive(c);
    if (!action) return showMissing(c);
    if (action.phase === 'stopped') return showStopped(c, action.agencyName, action.application.returnUrl);
    const form = await postedForm(c);
    const asked = feeOf(c, action);
    if (asked) {
      const findAsked = async () => {
        const current = await arrive(c);
        return current && feeOf(c, current);
      };
      return postFee(context, c, { asked, form, findAsked });
    }
    const answer = form.text('answer');
    const errors = checkAnswer(c, answer, form.text('confirm') === 'yes');
    if (action.phase !== 'open') return c.redirect(pathOf(c), 303);
    if (errors.length > 0) {
      // Still the token of the page that the user has read, until a message says what has changed.
      const shown = { ...(await formOf(c, action)), shown: form.shown };
      return showPage(c, actionPage(c.get('page'), action, shown, answer, errors));
    }
    return commitShown(
      async () => {
        await sendActionAnswer(context, c.req.param('token'), { answer, shown: form.shown });
        return c.redirect(pathOf(c), 303);
      },
      async () => {
        const current = await arrive(c);
        if (current?.phase !== 'open') return c.redirect(pathOf(c), 303);
        const changed = [{ field: 'main', message: c.get('page').texts.errors.changedAction }];
        return showPage(c, actionPage(c.get('page'), current, await formOf(c, current), answer, changed));
      },
    );
  });

  // A reload of the page that refused a document.
  app.get('/a/:token/documents', async (c) => ((await arrive(c)) ? c.redirect(pathOf(c), 303) : showMissing(c)));

  app.post('/a/:token/documents', async (c) => {
    const action = await arrive(c);
    if (!action) return showMissing(c);
    if (action.phase === 'stopped') return showStopped(c, action.agencyName, action.application.returnUrl);
    const back = pathOf(c);
    if (action.phase !== 'open' || feeOf(c, action)) return answerScript(c, { did: 'closed' }) ?? c.redirect(back, 303);
    const post = await takeDocumentPost(context, budgets, c, {
      target: { of: 'action', token: c.req.param('token') },
      application: action.application,
    });
    const script = answerScript(c, post);
    if (script) return script;
    if (post.did !== 'refused') return c.redirect(back, 303);
    return showPage(c, actionPage(c.get('page'), action, await formOf(c, action), '', post.errors));
  });

  /** The further fee that an open request asks for; `undefined` when it asks for words. */
  function feeOf(c: ApplyRequest, action: RequestedAction): AskedFee | undefined {
    if (action.phase !== 'open' || action.state.actionFeeCents === null) return undefined;
    return { action, token: c.req.param('token') ?? '', path: pathOf(c) };
  }

  async function formOf(c: ApplyRequest, { application, state }: RequestedAction): Promise<ActionForm> {
    const purpose = { state: state.state, serial: state.actionSerial };
    const documents = await listDocuments(context, application.id, purpose);
    return {
      shown: shownToken(context, actionForm, { state, documents }),
      action: pathOf(c),
      documentsAction: pathOf(c, '/documents'),
      documents,
    };
  }

  async function arrive(c: ApplyRequest): Promise<RequestedAction | undefined> {
    const action = await findAction(context, c.req.param('token') ?? '');
    if (!action) return undefined;
    const { application, states } = action;
    c.set('returnUrl', application.returnUrl);
    c.set('page', {
      ...c.get('page'),
      agencyName: action.agencyName,
      isTest: application.mode === 'test',
      channel: {
        origins: [new URL(application.returnUrl).origin],
        snapshot: {
          ...progressAt('submitted', application.paymentMethod),
          dirty: false,
          states: states.map(({ state, status }) => ({ state, status })),
        },
      },
    });
    return action;
  }
}

function checkAnswer(c: ApplyRequest, answer: string, isConfirmed: boolean): FieldError[] {
  const { errors, check } = collectErrors();
  const words = c.get('page').texts.errors;
  check(answer !== '' && answer.length <= characters.followUp.max, 'answer', words.actionAnswer);
  check(isConfirmed, 'confirm', words.actionConfirm);
  return errors;
}

function pathOf(c: ApplyRequest, below = ''): string {
  return `/a/${c.req.param('token') ?? ''}${below}${readDisplay(c).query}`;
}

function showMissing(c: ApplyRequest) {
  return c.html(renderPage(c.get('page'), missingPage(c.get('page'))), 404);
}
