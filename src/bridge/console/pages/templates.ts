import { characters } from '../../domain/limits/limits.js';
import { hasRole } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import {
  addTemplate,
  listTemplates,
  type ReasonTemplate,
  removeTemplate,
  templateStatuses,
} from '../../domain/filings/templates.js';
import { textField } from '../../pages/fields.js';
import { collectErrors, type FieldError } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput } from '../layout.js';
import { dataTable, statusField, textArea } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.templates;

/** The page of the templates for the reasons of decisions. */
export const templateRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/templates', access: 'file', handle: (request) => showTemplates(request) },
  {
    method: 'POST',
    path: '/templates',
    access: 'supervise',
    async handle(request) {
      const { c, form, services, session } = request;
      if (!mayChange(request)) return showMissing(request);
      const { errors, check } = collectErrors();
      const status = templateStatuses.find((known) => known === form.text('status'));
      const [name, reason] = [form.text('name'), form.text('reason')];
      check(name !== '' && name.length <= characters.formLine.max, 'name', words.nameMissing);
      check(status !== undefined, `status-${templateStatuses[0]}`, texts.decision.statusMissing);
      check(reason !== '', 'reason', texts.decision.reasonMissing);
      check(reason.length <= characters.reason.max, 'reason', texts.decision.reasonLong);
      if (errors.length > 0 || status === undefined) return showTemplates(request, errors);
      const actor = actorOf(session.operator);
      const result = await addTemplate(services.context, { name, status, reason, actor });
      if (result !== 'added') return showTemplates(request, [{ field: 'name', message: words[result] }]);
      return c.redirect('/templates?done=templateAdded', 303);
    },
  },
  {
    method: 'POST',
    path: '/templates/:id/remove',
    access: 'supervise',
    async handle(request) {
      const { c, services, session } = request;
      if (!mayChange(request)) return showMissing(request);
      const id = c.req.param('id') ?? '';
      await removeTemplate(services.context, { id, actor: actorOf(session.operator) });
      return c.redirect('/templates?done=templateRemoved', 303);
    },
  },
];

/** Templates are for all agencies, so an operator of some cannot change them. */
function mayChange({ session }: OperatorRequest): boolean {
  return hasRole(session.operator, 'supervise') && session.operator.scope === 'all';
}

async function showTemplates(request: OperatorRequest, errors: readonly FieldError[] = []): Promise<Response> {
  const { services } = request;
  const isEditor = mayChange(request);
  const rows = (await listTemplates(services.context)).map(({ id, name, status, reason }) => [
    name,
    texts.decision.choices[status],
    html`<span class="typed">${reason}</span>`,
    ...(isEditor ? [removal(request, { id, name })] : []),
  ]);
  const columns = [words.name, texts.detail.decision, texts.decision.reason, ...(isEditor ? [''] : [])];
  return show(request, {
    title: words.title,
    at: '/filings',
    errors,
    back: { href: '/filings', label: texts.filings.title },
    content: html`<p class="lead">${words.lead}</p>
      ${dataTable({ caption: words.title, columns, rows, empty: words.empty })}
      ${isEditor ? templateForm(request, errors) : html`<p class="hint">${words.whoChanges}</p>`}`,
  });
}

function removal({ session }: OperatorRequest, { id, name }: Pick<ReasonTemplate, 'id' | 'name'>): Html {
  return html`<form method="post" action="/templates/${id}/remove">
    ${csrfInput(session)}
    <button class="button quiet" type="submit">${words.remove}<span class="visually-hidden"> – ${name}</span></button>
  </form>`;
}

function templateForm({ form, session }: OperatorRequest, errors: readonly FieldError[]): Html {
  return html`<form method="post" action="/templates" novalidate>
    <h2>${words.add}</h2>
    ${csrfInput(session)}
    ${textField({ texts, errors }, { name: 'name', label: words.name, hint: words.nameHint, value: form.text('name') })}
    ${statusField(
      { texts, errors },
      {
        label: texts.decision.status,
        statuses: templateStatuses,
        chosen: form.text('status'),
        labelOf: (status) => texts.decision.choices[status],
      },
    )}
    ${textArea(
      { texts, errors },
      {
        name: 'reason',
        label: texts.decision.reason,
        hint: words.reasonHint,
        value: form.text('reason'),
        maxlength: characters.reason.max,
      },
    )}
    <p class="buttons"><button class="button quiet" type="submit">${words.submit}</button></p>
  </form>`;
}
