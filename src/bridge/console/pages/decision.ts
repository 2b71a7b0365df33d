import { isPartnerUrl, statusTransitions, type ApplicationStatus, type StateCode } from '../../../contract/index.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { characters } from '../../domain/limits/limits.js';
import { readDetail, type DetailedState } from '../../domain/applications/application-detail.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { decideState } from '../../domain/filings/departments.js';
import { choice, errorLine, textField } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing, showProblem } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../environment.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { facts, stateLabel, statusPill, textArea, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.decision;
const path = '/applications/:id/states/:state';

/** The page for the decision of a department. */
export const decisionRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    access: 'file',
    async handle(request) {
      const state = await findState(request);
      return state === undefined ? showMissing(request) : show(request, decisionPage(request, state));
    },
  },
  {
    method: 'POST',
    path,
    access: 'file',
    async handle(request) {
      const { c, room, session, form } = request;
      const state = await findState(request);
      if (state === undefined) return showMissing(request);
      const { errors, check } = collectErrors();
      const status = statusTransitions[state.status].find((allowed) => allowed === form.text('status'));
      const [reason, actionUrl] = [form.text('reason'), form.text('actionUrl')];
      const asks = status === 'requires_action';
      check(status !== undefined, `status-${statusTransitions[state.status][0] ?? ''}`, words.statusMissing);
      check(reason !== '' || !(asks || status === 'denied'), 'reason', words.reasonMissing);
      check(reason.length <= characters.reason.max, 'reason', words.reasonLong);
      check(actionUrl === '' || asks, 'actionUrl', words.actionUrlUnused);
      // Users open this URL, so only https is allowed, and no scheme that runs scripts.
      const isPage = isPartnerUrl(actionUrl) && actionUrl.startsWith('https:');
      check(actionUrl === '' || isPage, 'actionUrl', words.actionUrlWrong);
      if (errors.length > 0 || status === undefined) {
        return show(request, { ...decisionPage(request, state, errors), errors });
      }
      const applicationId = c.req.param('id') ?? '';
      try {
        await decideState(room.context, {
          applicationId,
          state: state.state,
          status,
          reason,
          actionUrl: actionUrl === '' ? undefined : actionUrl,
          actor: actorOf(session.operator),
          // The status that was shown, so that a decision entered meanwhile is not overwritten.
          from: state.status,
        });
      } catch (error) {
        if (!(error instanceof ApiError) || error.failure !== 'invalid_transition') throw error;
        return showProblem(c, room, 409, { title: words.title(stateLabel(state.state)), lead: words.moved });
      }
      return c.redirect(`/applications/${applicationId}?done=decided`, 303);
    },
  },
];

type SubmittedState = DetailedState & { state: StateCode; status: ApplicationStatus };

/** Finds a state of a submitted application; `undefined` when there is none. */
async function findState({ c, room }: OperatorRequest): Promise<SubmittedState | undefined> {
  const detail = await readDetail(room.context, c.req.param('id') ?? '');
  const found = detail?.states.find(({ state }) => state === c.req.param('state'));
  return found === undefined || found.status === null ? undefined : { ...found, status: found.status };
}

function decisionPage(
  request: OperatorRequest,
  state: SubmittedState,
  errors: ConsolePage['errors'] = [],
): ConsolePage {
  const { c, session } = request;
  const id = c.req.param('id') ?? '';
  const allowed = statusTransitions[state.status];
  const now = facts([
    [words.now, html`${statusPill(state.status)} ${time(state.updatedAt)}`],
    [texts.detail.reason, state.reason],
  ]);
  return {
    title: words.title(stateLabel(state.state)),
    at: '/applications',
    back: { href: `/applications/${id}`, label: texts.detail.title },
    content:
      allowed.length === 0
        ? html`${now}
            <p>${words.none}</p>`
        : html`${now}
            <form method="post" action="/applications/${id}/states/${state.state}" novalidate>
              ${csrfInput(session)} ${decisionFields(request, allowed, errors)}
              <p class="buttons"><button class="button" type="submit">${words.submit}</button></p>
            </form>`,
  };
}

function decisionFields(
  { form }: OperatorRequest,
  allowed: readonly ApplicationStatus[],
  errors: NonNullable<ConsolePage['errors']>,
): Html {
  const statusError = errors.find(({ field }) => field.startsWith('status-'));
  return html`<fieldset class="field ${statusError && 'has-error'}">
      <legend>${words.status}</legend>
      ${statusError && errorLine(texts, statusError.field, statusError)}
      ${allowed.map((status) =>
        choice({
          type: 'radio',
          id: `status-${status}`,
          name: 'status',
          value: status,
          label: words.choices[status],
          isChecked: form.text('status') === status,
        }),
      )}
    </fieldset>
    ${textArea(
      { texts, errors },
      {
        name: 'reason',
        label: words.reason,
        hint: words.reasonHint,
        value: form.text('reason'),
        maxlength: characters.reason.max,
      },
    )}
    ${textField(
      { texts, errors },
      {
        name: 'actionUrl',
        label: words.actionUrl,
        hint: words.actionUrlHint,
        value: form.text('actionUrl'),
        maxlength: characters.url.max,
      },
    )}`;
}
