import { offeredStates } from '../../../domain/applications/chosen-states.js';
import { choice, describedBy, errorLine } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { actionOf, type Page, stepForm } from '../../layout.js';
import { type PageContext, stateName } from '../../page-context.js';

/** The choice among the states that the partner asked for. */
export function statesPage(pageContext: PageContext, errors: readonly FieldError[] = []): Page {
  const { texts, language, session, agencyName } = pageContext;
  const words = texts.states;
  const { states } = session.application;
  const offered = offeredStates(session.application);
  const anchor = statesAnchor(session.application);
  const error = errors.find(({ field }) => field === anchor);
  return {
    title: words.title,
    errors,
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
              id: idOf(state),
              name: 'states',
              value: state,
              label: stateName(state, language),
              isChecked: error === undefined && states.includes(state),
            }),
          )}
        </div>
      </fieldset>`,
    }),
  };
}

/** The link to the choice; `undefined` where the partner asked for one state. */
export function statesLink({ texts, path, session }: PageContext): Html | undefined {
  return mayChoose(session.application)
    ? html`<p class="change-states"><a href="${path('states')}">${texts.states.change}</a></p>`
    : undefined;
}

/** The field of an error: the first box, which the summary leads to. */
export function statesAnchor(application: Parameters<typeof offeredStates>[0]): string {
  return idOf(offeredStates(application)[0]);
}

function idOf(state: string | undefined): string {
  return `states-${String(state)}`;
}

/** Whether there is a choice among several states. */
export function mayChoose(application: Parameters<typeof offeredStates>[0]): boolean {
  return offeredStates(application).length > 1;
}
