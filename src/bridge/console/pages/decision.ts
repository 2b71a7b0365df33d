import { isPartnerUrl, stateCodes, statusTransitions, type ApplicationStatus } from '../../../contract/index.js';
import { characters, furtherFeeCents } from '../../domain/limits/limits.js';
import { hasRole } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import { decideState, findDecidable } from '../../domain/filings/departments.js';
import { listTemplates, type ReasonTemplate } from '../../domain/filings/templates.js';
import { type DecidableState, decisionForm } from '../../domain/filings/committing-forms.js';
import { checkLicense, givenLicense } from '../../domain/filings/issued-license.js';
import type { IssuedLicense } from '../../store/tables/filing-tables.js';
import { commitShown, shownToken } from '../../domain/shown/shown.js';
import { choice, errorLine, shownInput, textField } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { dollars, facts, readCents, stateLabel, statusField, statusPill, textArea, time } from '../parts.js';
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
      const decidable = await findState(request);
      return decidable ? show(request, await decisionPage(request, decidable)) : showMissing(request);
    },
  },
  {
    method: 'POST',
    path,
    access: 'file',
    async handle(request) {
      const { c, services, session, form } = request;
      const decidable = await findState(request);
      if (decidable === undefined) return showMissing(request);
      const { state } = decidable;
      const { errors, check } = collectErrors();
      const status = statusTransitions[state.status].find((allowed) => allowed === form.text('status'));
      const [reason, actionUrl] = [form.text('reason'), form.text('actionUrl')];
      const override = form.text('override');
      const fee = form.text('fee');
      const feeCents = fee === '' ? undefined : (readCents(fee) ?? 0);
      const asks = status === 'requires_action';
      const isFinal = status === 'approved' || status === 'denied';
      check(status !== undefined, `status-${statusTransitions[state.status][0] ?? ''}`, words.statusMissing);
      check(reason !== '' || !(asks || status === 'denied'), 'reason', words.reasonMissing);
      check(reason.length <= characters.reason.max, 'reason', words.reasonLong);
      check(actionUrl === '' || asks, 'actionUrl', words.actionUrlUnused);
      // Users open this URL, so only https is allowed, and no scheme that runs scripts.
      const isPage = isPartnerUrl(actionUrl) && actionUrl.startsWith('https:');
      check(actionUrl === '' || isPage, 'actionUrl', words.actionUrlWrong);
      const isFee = feeCents === undefined || (feeCents >= 1 && feeCents <= furtherFeeCents.max);
      check(feeCents === undefined || decidable.isPaidByUser, 'fee', words.feeBilled);
      check(feeCents === undefined || asks, 'fee', words.feeUnused);
      check(isFee, 'fee', words.feeWrong(dollars(furtherFeeCents.max)));
      check(feeCents === undefined || actionUrl === '', 'fee', words.feeElsewhere);
      check(override !== '' || !isFinal || !decidable.isUnfiled, 'override', words.overrideMissing);
      check(override.length <= characters.reason.max, 'override', words.reasonLong);
      const given = typedLicense(request, decidable);
      if (status !== undefined) checkTypedLicense(request, decidable, { status, given, check });
      const { shown } = form;
      // Still the token of the page that the operator has read, until a message says what has
      // changed.
      if (errors.length > 0 || status === undefined)
        return show(request, await decisionPage(request, decidable, errors, shown));
      const { applicationId } = state;
      return commitShown(
        async () => {
          await decideState(services.context, {
            applicationId,
            state: state.state,
            status,
            reason,
            actionUrl: actionUrl === '' ? undefined : actionUrl,
            feeCents,
            override,
            ...given,
            actor: actorOf(session.operator),
            shown,
          });
          return c.redirect(`/applications/${applicationId}?done=decided`, 303);
        },
        async () => {
          const current = await findState(request);
          return current ? show(request, await decisionPage(request, current, texts.changed)) : showMissing(request);
        },
      );
    },
  },
];

/** Finds the state of a path, of a submitted application; `undefined` when there is none. */
export async function findState({ c, services }: OperatorRequest): Promise<DecidableState | undefined> {
  const state = stateCodes.find((code) => code === c.req.param('state'));
  return state && findDecidable(services.context, services.context.db, c.req.param('id') ?? '', state);
}

async function decisionPage(
  request: OperatorRequest,
  decidable: DecidableState,
  errors: NonNullable<ConsolePage['errors']> = [],
  shown = shownToken(request.services.context, decisionForm, decidable),
): Promise<ConsolePage> {
  const { c, services, session } = request;
  const templates = await listTemplates(services.context);
  const chosen = templates.find(({ id }) => id === c.req.query('template'));
  const { state, filing } = decidable;
  const allowed = statusTransitions[state.status];
  const now = facts([
    [words.now, html`${statusPill(state.status)} ${time(state.updatedAt)}`],
    [texts.detail.reason, state.reason ?? ''],
    [words.feeNow, state.actionFeeCents === null ? '' : dollars(state.actionFeeCents)],
    [texts.filing.reference, filing?.reference ?? ''],
  ]);
  return {
    title: words.title(stateLabel(state.state)),
    at: '/applications',
    errors,
    back: { href: `/applications/${state.applicationId}`, label: texts.detail.title },
    content:
      allowed.length === 0
        ? html`${now}
            <p>${words.none}</p>
            ${correctionLink(session, decidable)}`
        : html`${now} ${templateLinks(decidable, templates)}
            <form method="post" action="/applications/${state.applicationId}/states/${state.state}" novalidate>
              ${csrfInput(session)} ${shownInput(shown)} ${decisionFields(request, decidable, { errors, chosen })}
              ${allowed.includes('approved') && licenseFields(request, decidable, errors)}
              ${decidable.isUnfiled && overrideField(request, errors)}
              <p class="buttons"><button class="button" type="submit">${words.submit}</button></p>
            </form>`,
  };
}

function decisionFields(
  { form }: OperatorRequest,
  { state, isPaidByUser }: DecidableState,
  { errors, chosen }: { errors: NonNullable<ConsolePage['errors']>; chosen: ReasonTemplate | undefined },
): Html {
  const allowed = statusTransitions[state.status];
  const typed = { status: form.text('status') || chosen?.status, reason: form.text('reason') || chosen?.reason };
  return html`${statusField(
    { texts, errors },
    {
      label: words.status,
      statuses: allowed,
      chosen: typed.status,
      labelOf: (status) => words.choices[status],
    },
  )}
  ${textArea(
    { texts, errors },
    {
      name: 'reason',
      label: words.reason,
      hint: words.reasonHint,
      value: typed.reason ?? '',
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
  )}
  ${
    isPaidByUser &&
    allowed.includes('requires_action') &&
    textField(
      { texts, errors },
      {
        name: 'fee',
        label: words.fee,
        hint: words.feeHint,
        value: form.text('fee'),
        width: 'short',
        inputmode: 'decimal',
      },
    )
  }`;
}

/** Links that begin the form with a template: they work without script, and nothing is sent by them. */
function templateLinks({ state }: DecidableState, templates: readonly ReasonTemplate[]): Html {
  const usable = templates.filter(({ status }) => statusTransitions[state.status].includes(status));
  const href = `/applications/${state.applicationId}/states/${state.state}`;
  return html`<div class="templates">
    ${
      usable.length > 0 &&
      html`<p>${texts.templates.use}</p>
        <ul class="list">
          ${usable.map(({ id, name }) => html`<li><a href="${href}?template=${id}">${name}</a></li>`)}
        </ul>`
    }
    <p><a href="/templates">${texts.templates.manage}</a></p>
  </div>`;
}

function correctionLink({ operator }: OperatorRequest['session'], { mode, state }: DecidableState): Html | undefined {
  if (mode !== 'live' || !hasRole(operator, 'file')) return undefined;
  return html`<p class="buttons">
    <a class="button quiet" href="/applications/${state.applicationId}/states/${state.state}/correction"
      >${texts.correction.correct}</a
    >
  </p>`;
}

/** Why the operator decides what was not filed. */
export function overrideField({ form }: OperatorRequest, errors: NonNullable<ConsolePage['errors']>): Html {
  return textArea(
    { texts, errors },
    {
      name: 'override',
      label: words.override,
      hint: words.overrideHint,
      value: form.text('override'),
      maxlength: characters.reason.max,
    },
  );
}

/** The license of the form. */
export function typedLicense({ form }: OperatorRequest, { lines }: DecidableState): IssuedLicense {
  return givenLicense({
    licenseNumber: form.text('licenseNumber'),
    issuedOn: form.text('issuedOn'),
    expiresOn: form.text('expiresOn'),
    lines: lines.flatMap(({ id }) => (form.text(lineId(id)) === '' ? [] : [id])),
  });
}

/** Checks the license of the form for a status. */
export function checkTypedLicense(
  { services }: OperatorRequest,
  { lines }: DecidableState,
  {
    status,
    given,
    check,
  }: { status: ApplicationStatus; given: IssuedLicense; check: ReturnType<typeof collectErrors>['check'] },
): void {
  const about = { status, lines: lines.map(({ id }) => id), now: services.context.clock() };
  for (const { field, problem } of checkLicense(given, about))
    check(false, field === 'lines' ? lineId(lines[0]?.id ?? '') : field, words.licenseProblems[problem]);
}

/** The name and id of the check box of a line. */
function lineId(line: string): string {
  return `line-${line}`;
}

/** The fields of the license of an approval. */
export function licenseFields(
  { form }: OperatorRequest,
  { lines }: DecidableState,
  errors: NonNullable<ConsolePage['errors']>,
): Html {
  const field = (name: 'licenseNumber' | 'issuedOn' | 'expiresOn', hint?: string) =>
    textField(
      { texts, errors },
      {
        name,
        label: words[name],
        ...(hint !== undefined && { hint }),
        value: form.text(name),
        width: 'medium',
        maxlength: hint === undefined ? characters.licenseNumber.max : 10,
      },
    );
  const lineError = errors.find((error) => error.field.startsWith('line-'));
  return html`<h2>${words.licenseTitle}</h2>
    ${field('licenseNumber')} ${field('issuedOn', words.dayHint)} ${field('expiresOn', words.dayHint)}
    ${
      lines.length > 0 &&
      html`<fieldset class="field ${lineError && 'has-error'}">
        <legend>${words.lines}</legend>
        ${lineError && errorLine(texts, lineError.field, lineError)}
        ${lines.map(({ id, name }) =>
          choice({
            type: 'checkbox',
            id: lineId(id),
            name: lineId(id),
            value: 'yes',
            label: name,
            isChecked: form.text(lineId(id)) !== '',
          }),
        )}
      </fieldset>`
    }`;
}
