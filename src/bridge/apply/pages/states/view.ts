import { mayChooseStates, offeredStates } from '../../../domain/applications/chosen-states.js';
import { choice, describedBy, errorLine } from '../../../pages/fields.js';
import { html, type Html } from '../../../pages/html.js';
import { actionOf, type Page, stepForm } from '../../layout.js';
import { stateName } from '../../../catalogue/state-names.js';
import type { PageContext } from '../../page-context.js';

/** The choice among the states that the partner asked for. `isNoneChosen`: with the error that says so. */
export function statesPage(pageContext: PageContext, isNoneChosen = false): Page {
  const { texts, language, session, agencyName } = pageContext;
  const words = texts.states;
  const { states } = session.application;
  const offered = offeredStates(session.application);
  // The first box, which the summary of the error leads to.
  const anchor = `states-${offered[0] ?? ''}`;
  const error = isNoneChosen ? { field: anchor, message: words.none } : undefined;
  return {
    title: words.title,
    errors: error ? [error] : [],
    back: pageContext.path(pageContext.isChange ? 'review' : 'start'),
    reason: { why: words.why, who: words.who },
    lead: words.lead(agencyName),
    content: stepForm(pageContext, {
      action: actionOf(pageContext, 'states'),
      submit: words.save,
      content: html`<fieldset
        class="field ${error && 'has-error'}"
        ${describedBy(anchor, words.keptHint, error, false)}
      >
        <legend>${words.legend}</legend>
        <p class="hint" id="${anchor}-hint">${words.keptHint}</p>
        ${errorLine(texts, anchor, error)}
        <div class="choices">
          ${offered.map((state) =>
            choice({
              type: 'checkbox',
              id: `states-${state}`,
              name: 'states',
              value: state,
              label: stateName(state, language),
              isChecked: !isNoneChosen && states.includes(state),
            }),
          )}
        </div>
      </fieldset>`,
    }),
  };
}

/** The link to the choice; `undefined` where the partner asked for one state. */
export function statesLink({ texts, path, session }: PageContext): Html | undefined {
  return mayChooseStates(session.application)
    ? html`<p class="change-states"><a href="${path('states')}">${texts.states.change}</a></p>`
    : undefined;
}
