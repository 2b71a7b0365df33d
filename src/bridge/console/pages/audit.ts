import { auditActions, readAudit, type AuditEntry } from '../../domain/audit/audit.js';
import { doScopesMeet, listOperators, type Operator } from '../../domain/operators/operators.js';
import type { Scope } from '../../store/scope.js';
import { html, type Html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleRoute } from '../context.js';
import { filterRow } from '../filters.js';
import { dataTable, dollars, filterField, modePill, pager, queryOf, selectField, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { agencyChoices, type AgencyChoice } from './applications.js';

const words = texts.audit;
const pageSize = 100;
const dayMs = 24 * 3_600_000;

/** The audit trail. */
export const auditRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/audit',
    access: 'view',
    async handle(request) {
      const { c, services, session } = request;
      const { scope } = session.operator;
      const [agencies, operators] = await Promise.all([
        agencyChoices(services, scope),
        listOperators(services.context),
      ]);
      const text = (name: string) => c.req.query(name)?.trim().slice(0, 200) || undefined;
      const names = ['action', 'actor', 'subject', 'agency', 'since', 'until', 'before'] as const;
      const query = Object.fromEntries(names.map((name) => [name, text(name)])) as AuditQuery;
      const before = Number(query.before);
      const until = dayOf(query.until);
      const entries = await readAudit(services.context, {
        scope,
        agencyId: agencies.find(({ key }) => key === query.agency)?.agencyId,
        action: query.action,
        actor: query.actor,
        subject: query.subject,
        since: dayOf(query.since),
        // Includes the whole day.
        until: until && new Date(until.getTime() + dayMs),
        beforeId: Number.isSafeInteger(before) && before > 0 ? before : undefined,
        limit: pageSize + 1,
      });
      const shown = entries.slice(0, pageSize);
      const next = entries.length > pageSize ? String(shown.at(-1)?.id) : undefined;
      return show(request, {
        title: words.title,
        at: '/audit',
        content: html`${filters(query, agencies, colleaguesOf(scope, operators))}
        ${dataTable({
          caption: words.title,
          columns: [words.at, words.action, words.actor, words.subject, words.agency, words.result, words.note],
          rows: shown.map((entry) => rowOf(entry, agencies, operators)),
          empty: words.empty,
        })}
        ${pager(next && `/audit${queryOf({ ...query, before: next })}`)}`,
      });
    },
  },
];

type AuditQuery = Record<'action' | 'actor' | 'subject' | 'agency' | 'since' | 'until' | 'before', string | undefined>;

/** The actor of an entry: an operator by name, the command line with its account. */
export function actorName(actor: string, operators: readonly Operator[]): string {
  const names: Readonly<Record<string, string>> = words.actors;
  const operator = operators.find(({ operatorId }) => actor === `operator:${operatorId}`);
  if (actor.startsWith('cli:')) return `${words.actors['cli:']}: ${actor.slice('cli:'.length)}`;
  return operator?.name ?? names[actor] ?? actor;
}

/** A day as a field of type `date` sends it, in UTC. */
function dayOf(text: string | undefined): Date | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? new Date(`${text ?? ''}T00:00:00Z`) : undefined;
  return day === undefined || Number.isNaN(day.getTime()) ? undefined : day;
}

/** The operators who work with an agency of a scope. */
function colleaguesOf(scope: Scope, operators: readonly Operator[]): Operator[] {
  return operators.filter((operator) => doScopesMeet(scope, operator.scope));
}

function filters(query: AuditQuery, agencies: readonly AgencyChoice[], operators: readonly Operator[]): Html {
  const any = words.any;
  const actors = [
    ...operators.map(({ operatorId, name }) => [`operator:${operatorId}`, name] as const),
    ...Object.entries(words.actors),
  ];
  const actions = Object.keys(auditActions).map((action) => [action, action] as const);
  const agencyOptions = agencies.map(({ key, name }) => [key, name] as const);
  const { action, actor, subject, agency, since, until } = query;
  return filterRow({
    action: '/audit',
    used: [action, actor, subject, agency, since, until],
    fields: [
      selectField({ name: 'action', label: words.action, value: action, options: actions, any }),
      selectField({ name: 'actor', label: words.actor, value: actor, options: actors, any }),
      filterField({ name: 'subject', label: words.subject, value: subject }),
      selectField({ name: 'agency', label: words.agency, value: agency, options: agencyOptions, any }),
      filterField({ name: 'since', label: words.since, value: since, type: 'date' }),
      filterField({ name: 'until', label: words.until, value: until, type: 'date' }),
    ],
  });
}

function rowOf(
  { id, at, action, actor, subject, agencyId, mode, result, note }: AuditEntry,
  agencies: readonly AgencyChoice[],
  operators: readonly Operator[],
): (Html | string)[] {
  return [
    html`${time(new Date(at))} <span class="line">${words.entry(id)}</span>`,
    html`<code>${action}</code>`,
    actorName(actor, operators),
    subjectOf(subject, agencies, operators),
    html`${agencies.find((agency) => agency.agencyId === agencyId)?.name} ${mode !== '' && modePill(mode)}`,
    resultOf({ action, result }, agencies, operators),
    note,
  ];
}

/** The result of an entry; agencies by name, because an agencyId may be a secret. */
function resultOf(
  { action, result }: Pick<AuditEntry, 'action' | 'result'>,
  agencies: readonly AgencyChoice[],
  operators: readonly Operator[],
): string {
  if (isRefund(action)) return dollars(Number(result));
  if (action === 'filing.assigned') return actorName(result, operators);
  if (action !== 'operator.agencies_changed' || result === 'all') return result;
  const agencyIds = result.split(',');
  return agencies.flatMap(({ agencyId, name }) => (agencyIds.includes(agencyId) ? [name] : [])).join(', ');
}

/** Whether the result of an action is an amount in cents. */
function isRefund(action: string): boolean {
  return action === 'payment.refund_requested' || action.startsWith('refund.');
}

/**
 * Applications are links; agencies and operators are shown by name, because an agencyId may be a
 * secret.
 */
function subjectOf(subject: string, agencies: readonly AgencyChoice[], operators: readonly Operator[]): Html | string {
  const agency = agencies.find(({ agencyId }) => agencyId === subject);
  if (agency !== undefined) return agency.name;
  const operator = operators.find(({ operatorId }) => subject === `operator:${operatorId}`);
  if (operator !== undefined) return operator.name;
  const [id = '', part] = subject.split('/');
  if (!id.startsWith('app_')) return html`<code>${subject}</code>`;
  return html`<a href="/applications/${id}"><code>${id}</code></a> ${part}`;
}
