import { disclosuresFor, type Disclosure } from '../../catalogue/disclosures.js';
import type { FieldError } from '../forms/form.js';
import { stateName, type Visit } from '../visit.js';
import { choice, describedBy, errorLine } from './fields.js';
import { actionOf, stepForm } from './form.js';
import { html, type Html } from './html.js';
import type { Page } from './layout.js';

/** What each state must tell, to be ticked statement by statement. */
export function disclosuresPage(
  visit: Visit,
  back: string,
  acknowledged: ReadonlySet<string>,
  errors: readonly FieldError[] = [],
): Page {
  const words = visit.texts.disclosures;
  const all = disclosuresFor(visit.session.application);
  return {
    title: words.title,
    errors,
    back,
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead}</p>
      ${stepForm(visit, {
        action: actionOf(visit, 'disclosures'),
        content: visit.session.application.states.map((state) =>
          stateFields(
            visit,
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
  { texts, language }: Visit,
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
