import { type Disclosure, disclosuresFor } from '../../../catalogue/disclosures.js';
import { choice, describedBy, errorLine } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { actionOf, type Page, stepForm } from '../../layout.js';
import { stateName, type PageContext } from '../../page-context.js';

/** What each state must tell, to be ticked statement by statement. */
export function disclosuresPage(
  pageContext: PageContext,
  back: string,
  acknowledged: ReadonlySet<string>,
  errors: readonly FieldError[] = [],
): Page {
  const words = pageContext.texts.disclosures;
  const all = disclosuresFor(pageContext.session.application);
  return {
    title: words.title,
    errors,
    back,
    reason: { why: words.why, who: words.who },
    lead: words.lead,
    content: html`${stepForm(pageContext, {
      action: actionOf(pageContext, 'disclosures'),
      content: pageContext.session.application.states.map((state) =>
        stateFields(
          pageContext,
          state,
          all.filter((one) => one.state === state),
          acknowledged,
          errors,
        ),
      ),
    })}`,
  };
}

function stateFields(
  { texts, language }: PageContext,
  state: string,
  disclosures: readonly Disclosure[],
  acknowledged: ReadonlySet<string>,
  errors: readonly FieldError[],
): Html {
  const name = stateName(state, language);
  const error = errors.find(({ field }) => disclosures.some(({ key }) => key === field));
  const field = error?.field ?? state;
  return html`<fieldset
    class="field state-disclosures ${error && 'has-error'}"
    ${describedBy(field, undefined, error, false)}
  >
    <legend><h2>${texts.disclosures.allOf(name)}</h2></legend>
    ${errorLine(texts, field, error)}
    ${disclosures.map(({ key, id }) =>
      choice({
        type: 'checkbox',
        id: key,
        name: 'acknowledge',
        value: key,
        label: texts.disclosureBank[id].short(name),
        hint: texts.disclosureBank[id].full(name),
        isChecked: acknowledged.has(key),
      }),
    )}
  </fieldset>`;
}
