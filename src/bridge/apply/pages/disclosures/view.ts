import type { AskedDisclosure } from '../../../catalogue/disclosures.js';
import { disclosureWording } from '../../../catalogue/wording.js';
import { disclosuresOf } from '../../../domain/applications/disclosures.js';
import type { FieldError } from '../../../pages/forms.js';
import type { PageContext } from '../../page-context.js';
import { choice, describedBy, errorLine } from '../../../pages/fields.js';
import { actionOf, stepForm } from '../../layout.js';
import { html, type Html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';

/** The value of the box for all shared disclosures. */
export const sharedBox = 'shared';

/**
 * The disclosures of the states: the shared ones with one box, and those of some states with one
 * box each.
 */
export function disclosuresPage(
  pageContext: PageContext,
  back: string,
  acknowledged: ReadonlySet<string>,
  errors: readonly FieldError[] = [],
): Page {
  const words = pageContext.texts.disclosures;
  const all = disclosuresOf(pageContext.session);
  const shared = all.filter(({ kind }) => kind === 'shared');
  const ofStates = all.filter(({ kind }) => kind === 'state');
  return {
    title: words.title,
    errors,
    back,
    reason: { why: words.why, who: words.who },
    lead: words.lead,
    content: stepForm(pageContext, {
      action: actionOf(pageContext, 'disclosures'),
      content: html`${shared.length > 0 && sharedFields(pageContext, shared, acknowledged, errors)}
      ${ofStates.length > 0 && html`<h2>${words.byState}</h2>`}
      ${ofStates.map((disclosure) => stateField(pageContext, disclosure, acknowledged, errors))}`,
    }),
  };
}

function sharedFields(
  { texts, language, session }: PageContext,
  shared: readonly AskedDisclosure[],
  acknowledged: ReadonlySet<string>,
  errors: readonly FieldError[],
): Html {
  const words = texts.disclosures;
  const error = errors.find(({ field }) => field === sharedBox);
  return html`<fieldset
    class="field state-disclosures ${error && 'has-error'}"
    ${describedBy(sharedBox, undefined, error, false)}
  >
    <legend><h2>${words.shared}</h2></legend>
    ${shared.map((disclosure) => {
      const { text } = disclosureWording(session.pinned, disclosure, language);
      return html`<details class="statement">
        <summary>${text['short']}</summary>
        <p>${text['full']}</p>
      </details>`;
    })}
    ${errorLine(texts, sharedBox, error)}
    ${choice({
      type: 'checkbox',
      id: sharedBox,
      name: 'acknowledge',
      value: sharedBox,
      label: words.agreeToShared,
      isChecked: shared.every(({ id }) => acknowledged.has(id)),
    })}
  </fieldset>`;
}

function stateField(
  { texts, language, session }: PageContext,
  disclosure: AskedDisclosure,
  acknowledged: ReadonlySet<string>,
  errors: readonly FieldError[],
): Html {
  const { id } = disclosure;
  const { text } = disclosureWording(session.pinned, disclosure, language);
  const error = errors.find(({ field }) => field === id);
  return html`<div class="field ${error && 'has-error'}">
    ${errorLine(texts, id, error)}
    ${choice({
      type: 'checkbox',
      id,
      name: 'acknowledge',
      value: id,
      label: text['short'] ?? '',
      hint: text['full'] ?? '',
      isChecked: acknowledged.has(id),
    })}
  </div>`;
}
