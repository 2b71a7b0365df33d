import type { Language } from '../../../../contract/index.js';
import { byTime, employmentGaps, type Gap } from '../../../domain/applications/profile/employment.js';
import type { Entry } from '../../../domain/applications/profile/pages.js';
import { maxEntries } from '../../../domain/applications/profile/profile.js';
import { describeEntry, monthInWords } from '../../../domain/applications/profile/rows.js';
import type { ListId, Values } from '../../../domain/applications/profile/topics.js';
import type { FieldError } from '../../../pages/forms.js';
import { stepForm } from '../../layout.js';
import { html, type Html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';
import type { PageContext } from '../../page-context.js';
import { pathOf, type ShownPage } from './shown-page.js';
import { topicFields } from './topic-fields.js';
import { prefilledNote, profileFrame } from './view.js';

/** An entry of a list; a new one has no id. */
export interface ShownEntry {
  id: string | undefined;
  values: Values;
}

/** The page of a list, with links to add, change and remove entries. */
export function listPage(
  pageContext: PageContext,
  shown: ShownPage,
  list: ListId,
  errors: readonly FieldError[] = [],
): Page {
  const words = pageContext.texts.profile;
  const kept = pageContext.session.profile.lists[list];
  const entries = list === 'employment' ? kept.toSorted((left, right) => byTime(left.values, right.values)) : kept;
  return {
    ...profileFrame(pageContext, shown, errors),
    content: html`${prefilledNote(pageContext, shown)}
    ${
      entries.length > 0 &&
      html`<ul class="entries">
        ${entries.map((entry) => entryItem(pageContext, shown, list, entry))}
      </ul>`
    }
    ${list === 'employment' && entries.length > 0 && gapList(pageContext, shown, entries)}
    ${
      entries.length < maxEntries &&
      html`<p>
        <a class="button quiet" id="add" href="${pathOf(pageContext, `${list}/new`)}">${words.lists[list].add}</a>
      </p>`
    }
    ${stepForm(pageContext, { action: shown.action, content: html`` })}`,
  };
}

/** One entry of a list. */
export function entryPage(
  pageContext: PageContext,
  shown: ShownPage,
  list: ListId,
  { id, values }: ShownEntry,
  errors: readonly FieldError[] = [],
): Page {
  const words = pageContext.texts.profile.lists[list];
  return {
    ...profileFrame(pageContext, shown, errors),
    title: id === undefined ? words.add : words.change,
    back: pathOf(pageContext, list),
    content: stepForm(pageContext, {
      action: pathOf(pageContext, `${list}/${id ?? 'new'}`),
      submit: words.save,
      content: topicFields({ pageContext, topic: list, values, errors, required: [], offered: shown.offered }),
    }),
  };
}

/** Months without an entry as text: "March 2022 to June 2022". */
export function gapInWords({ from, to }: Gap, language: Language): { from: string; to: string } {
  return { from: monthInWords(from, language), to: monthInWords(to, language) };
}

function entryItem(pageContext: PageContext, { applied }: ShownPage, list: ListId, { id, values }: Entry): Html {
  const { texts, language } = pageContext;
  const words = texts.profile;
  const rows = describeEntry(list, values, applied, language);
  const [name = '', ...rest] =
    list === 'employment' ? employmentLines(pageContext, values) : rows.map(({ value }) => value.join(', '));
  return html`<li class="entry">
    <p class="entry-name">${name}</p>
    ${rest.map((line) => html`<p class="hint">${line}</p>`)}
    <div class="entry-acts">
      <a href="${pathOf(pageContext, `${list}/${id}`)}"
        >${texts.layout.change}<span class="visually-hidden"> ${name}</span></a
      >
      <form method="post" action="${pathOf(pageContext, `${list}/${id}/remove`)}">
        <button class="link" type="submit" name="remove" value="1">
          ${words.remove}<span class="visually-hidden"> ${name}</span>
        </button>
      </form>
    </div>
  </li>`;
}

/** The lines of an employment entry: employer and position, place, and time. */
function employmentLines({ texts, language }: PageContext, values: Values): string[] {
  const text = (name: string) => String(values[name] ?? '');
  const together = (...names: string[]) => names.map(text).filter(Boolean).join(', ');
  const { employment } = texts.profile;
  const month = (name: string) => monthInWords(text(name), language);
  const until = text('until') === 'now' ? employment.now : month('to');
  const name = together('position', 'employer');
  const kinds = employment.kinds as Readonly<Record<string, string>>;
  return [name || (kinds[text('kind')] ?? ''), together('city', 'place'), `${month('from')} – ${until}`].filter(
    Boolean,
  );
}

function gapList({ texts, language }: PageContext, { now }: ShownPage, entries: readonly Entry[]): Html | undefined {
  const gaps = employmentGaps(
    entries.map(({ values }) => values),
    now,
  );
  if (gaps.length === 0) return html`<p class="kept">${texts.profile.noGaps}</p>`;
  return html`<div class="inset">
    <h2>${texts.profile.gapsTitle}</h2>
    <ul class="list">
      ${gaps.map((gap) => html`<li>${texts.profile.months(gapInWords(gap, language))}</li>`)}
    </ul>
  </div>`;
}
