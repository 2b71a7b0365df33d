import { pageTitle } from '../../../domain/applications/profile/rows.js';
import { topicTexts } from '../../../domain/applications/profile/texts/index.js';
import type { FieldError } from '../../../pages/forms.js';
import { choice } from '../../../pages/fields.js';
import { stepForm } from '../../layout.js';
import { html, type Html } from '../../../pages/html.js';
import type { Page } from '../../layout.js';
import type { PageContext } from '../../page-context.js';
import type { DoubtedValue } from './doubts.js';
import type { ShownPage } from './shown-page.js';
import { licensesBox } from './licenses-box.js';
import { statesLink } from '../states/view.js';
import { stateNeedBox } from './state-need.js';
import { topicFields } from './topic-fields.js';

/** The page of one topic. */
export function topicPage(pageContext: PageContext, shown: ShownPage, errors: readonly FieldError[] = []): Page {
  const { page, values, required, offered } = shown;
  return {
    ...profileFrame(pageContext, shown, errors),
    content: html`${prefilledNote(pageContext, shown)}
    ${stepForm(pageContext, {
      action: shown.action,
      content: html`${topicFields({ pageContext, topic: page.topic, values, errors, required, offered })}
      ${shown.doubted && keepDoubted(pageContext, shown.doubted)} ${licensesBox(pageContext, shown.licenses)}
      ${stateNeedBox(pageContext, page)} ${page.state && statesLink(pageContext)}`,
    })}`,
  };
}

/** The common parts of the pages of the step. */
export function profileFrame(
  pageContext: PageContext,
  shown: ShownPage,
  errors: readonly FieldError[],
): Omit<Page, 'content'> {
  const words = pageContext.texts.profile;
  const { lead } = topicTexts(shown.page.topic, pageContext.language);
  return {
    title: pageTitle(shown.page, pageContext.language),
    ...(lead !== undefined && { lead }),
    errors,
    back: shown.back,
    part: shown.part,
    reason: { why: words.why, who: words.who },
  };
}

/** The notice about the source of prefilled values. */
export function prefilledNote({ texts, agencyName }: PageContext, { knownFrom }: ShownPage): Html {
  const words = texts.profile.prefilled;
  const note = { earlier: words.earlier, others: words.others(agencyName) };
  return html`${knownFrom && html`<p class="hint prefilled">${note[knownFrom]}</p>`}`;
}

/** Lets the user keep a value that is doubted, such as an NPN after a change of name. */
function keepDoubted({ texts }: PageContext, doubted: DoubtedValue): Html {
  return html`<div class="field">
    ${choice({ type: 'checkbox', id: 'keep', name: 'keep', value: doubted, ...texts.profile.keep[doubted] })}
  </div>`;
}
