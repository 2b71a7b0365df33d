import { stateNames, statusNames, type ApplicationStatus } from '../../contract/index.js';
import { describeSendFailure } from '../domain/webhooks/send-failures.js';
import { choice, describedBy, errorLine, type FieldContext } from '../pages/fields.js';
import { html, type Html } from '../pages/html.js';
import { listedName, type ListedPerson } from '../domain/applications/people.js';
import { consoleTexts as texts } from './texts.js';

/**
 * A table that shows rows as blocks on a narrow screen. It has explicit roles, because `display`
 * would remove them there.
 */
export function dataTable(table: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly (Html | string | undefined)[])[];
  empty: string;
}): Html {
  const { caption, columns, rows, empty } = table;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<table class="data" role="table">
    <caption class="visually-hidden">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) =>
          // A column of buttons has no header.
          column === '' ? html`<td role="cell"></td>` : html`<th scope="col" role="columnheader">${column}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (cells) =>
          html`<tr role="row">
            ${cells.map(
              (cell, index) =>
                html`<td role="cell">
                  <span class="column" aria-hidden="true">${columns[index]}</span>
                  <div>${cell}</div>
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A list of labels and values. */
export function facts(rows: readonly (readonly [label: string, value: Html | string | undefined])[]): Html {
  return html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== undefined && value !== '')
      .map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

/** A status as text, with a shape and a colour. */
export function statusPill(status: ApplicationStatus): Html {
  return html`<span class="pill ${status}">${statusNames.en[status]}</span>`;
}

/** A mode; live is highlighted. */
export function modePill(mode: string): Html {
  return html`<span class="mode ${mode}">${mode}</span>`;
}

/** A time in UTC. */
export function time(at: Date | null): Html {
  if (at === null) return html`–`;
  const text = at.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
}

/** How long ago something was, such as `3 days`, above its time. */
export function age(at: Date, now: Date): Html {
  return html`${texts.age(now.getTime() - at.getTime())} <span class="line muted">${time(at)}</span>`;
}

/**
 * The applicant in a list: the name for operators who may read it, above the number for phone calls.
 *
 * @param people `undefined` for an operator who sees no names.
 */
export function applicantCell(
  of: { id: string; mode: string; receiptNumber: string | null; erasedAt: Date | null },
  people: ReadonlyMap<string, ListedPerson> | undefined,
  href: string,
): Html {
  const { id, mode, receiptNumber, erasedAt } = of;
  const person = people?.get(id);
  const known = person === undefined ? '' : listedName(person);
  const name = known !== '' ? known : erasedAt === null ? texts.list.unnamed : texts.detail.erased;
  const number = html`<code>${receiptNumber ?? id}</code>`;
  return html`<a href="${href}">${people === undefined ? number : name}</a> ${mode === 'test' && modePill(mode)}
    ${people !== undefined && html`<span class="line muted">${number}</span>`}`;
}

const kilobytes = new Intl.NumberFormat('en-US', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });

/** A size of at least one kilobyte, such as `1,250 kB`. */
export function fileSize(bytes: number): string {
  return kilobytes.format(Math.max(1, bytes / 1_000));
}

/** The full name of a state and its code. */
export function stateLabel(code: string): string {
  const names: Readonly<Record<string, string>> = stateNames;
  return `${names[code] ?? code} (${code})`;
}

/** A select field; "" means any. */
export function selectField(field: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
  any?: string;
}): Html {
  const { name, label, value, options, any } = field;
  return html`<div class="filter">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${any !== undefined && html`<option value="">${any}</option>`}
      ${options.map(
        ([option, text]) => html`<option value="${option}" ${option === value && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;
}

/** A short text field of a filter. */
export function filterField(field: {
  name: string;
  label: string;
  value: string | undefined;
  type?: 'text' | 'date' | 'search';
  hint?: string;
}): Html {
  const { name, label, value, type = 'text', hint } = field;
  return html`<div class="filter">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value ?? ''}"
      maxlength="100"
      autocomplete="off"
      spellcheck="false"
      ${hint && html`aria-describedby="${name}-hint"`}
    />
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

/** A field with several lines. */
export function textArea(
  { texts: words, errors }: FieldContext,
  field: { name: string; label: string; hint?: string; value?: string; maxlength: number },
): Html {
  const { name, label, hint, value = '', maxlength } = field;
  const error = errors.find((candidate) => candidate.field === name);
  return html`<div class="field ${error && 'has-error'}">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${errorLine(words, name, error)}
    <textarea
      id="${name}"
      name="${name}"
      rows="3"
      maxlength="${maxlength}"
      autocomplete="off"
      ${describedBy(name, hint, error)}
    >
${value}</textarea>
  </div>`;
}

/** The choice of a status, with a text for each. */
export function statusField<Status extends string>(
  { texts: words, errors }: FieldContext,
  field: { label: string; statuses: readonly Status[]; chosen: string | undefined; labelOf(status: Status): string },
): Html {
  const { label, statuses, chosen, labelOf } = field;
  const error = errors.find((candidate) => candidate.field.startsWith('status-'));
  return html`<fieldset class="field ${error && 'has-error'}">
    <legend>${label}</legend>
    ${error && errorLine(words, error.field, error)}
    ${statuses.map((status) =>
      choice({
        type: 'radio',
        id: `status-${status}`,
        name: 'status',
        value: status,
        label: labelOf(status),
        isChecked: chosen === status,
      }),
    )}
  </fieldset>`;
}

/** A password field. */
export function passwordField(
  { texts: words, errors }: FieldContext,
  field: { name: string; label: string; hint?: string; autocomplete: 'current-password' | 'new-password' },
): Html {
  const { name, label, hint, autocomplete } = field;
  const error = errors.find((candidate) => candidate.field === name);
  return html`<div class="field ${error && 'has-error'}">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${errorLine(words, name, error)}
    <input
      id="${name}"
      name="${name}"
      type="password"
      class="width-medium"
      autocomplete="${autocomplete}"
      maxlength="200"
      ${describedBy(name, hint, error)}
    />
  </div>`;
}

/** The link to the next page of a list; empty on the last one. */
export function pager(href: string | undefined): Html | undefined {
  if (href === undefined) return undefined;
  return html`<p class="buttons"><a class="button quiet" rel="next" href="${href}">${texts.layout.next}</a></p>`;
}

/**
 * Returns the cursor of a link to the next page, which starts after the entry with this time and
 * these ids.
 */
export function cursorOf(createdAt: Date, ...ids: readonly string[]): string {
  return [createdAt.toISOString(), ...ids].join('~');
}

/** Reads a cursor of {@link cursorOf}. Returns `undefined` for any other text. */
export function readCursor(cursor: string | undefined): { createdAt: Date; ids: string[] } | undefined {
  const [text = '', ...ids] = cursor?.split('~') ?? [];
  const createdAt = new Date(text);
  return Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, ids };
}

/** The query of a link, without empty values. */
export function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== '') query.set(name, value);
  return query.size > 0 ? `?${query.toString()}` : '';
}

/** An amount of money. */
export function dollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** Converts typed US dollars, such as `12.50`, to cents; `undefined` for anything else. */
export function readCents(text: string): number | undefined {
  const [, whole, cents = ''] = /^\$?(\d{1,7})(?:\.(\d{2}))?$/.exec(text.replaceAll(',', '')) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents === '' ? '0' : cents);
}

/** The result of the last failed try to deliver a webhook; `undefined` without a try. */
export function lastFailure(last: { lastStatus: number | null; lastError: string | null }): string | undefined {
  if (last.lastStatus !== null) return String(last.lastStatus);
  return last.lastError === null ? undefined : describeSendFailure(last.lastError).replace(/\.$/, '');
}
