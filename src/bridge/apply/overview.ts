import { stepNames, type ProgressStep } from '../../contract/index.js';
import { stateName } from '../catalogue/state-names.js';
import type { AnyPageContext, Overview } from './page-context.js';
import { html, type Html } from '../pages/html.js';
import { operatorHelp } from './masthead.js';
import { localTime } from './time.js';

/**
 * The number of states shown without a click: with all 56 jurisdictions the column would be longer
 * than the page.
 */
const mostStates = 8;

/** The column next to the page. `current`: the step of the page. */
export function overviewColumn(visit: AnyPageContext, overview: Overview, current: ProgressStep | undefined): Html {
  const { texts, language, linkEnds, operator } = visit;
  const { layout } = texts;
  const words = texts.layout.overview;
  const help = operatorHelp(texts, operator);
  return html`<aside class="overview" aria-labelledby="overview-title">
    <h2 id="overview-title">${words.title}</h2>
    <dl>
      ${fact(words.license, html`${overview.license}<span class="line muted">${overview.application}</span>`)}
      ${fact(words.states, states(visit, overview.states))}
      ${
        overview.fees !== undefined &&
        fact(
          words.fees,
          html`${overview.fees}${overview.feesNotes.map((note) => html`<span class="line muted">${note}</span>`)}`,
        )
      }
      ${linkEnds && fact(layout.linkEnds, localTime(linkEnds, language, true))}
    </dl>
    <h3>${words.steps}</h3>
    ${steps(visit, overview.steps, current)}
    ${
      help &&
      html`<h3>${words.help}</h3>
        ${help}`
    }
  </aside>`;
}

function fact(name: string, value: string | Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function states({ texts, language }: AnyPageContext, codes: readonly string[]): Html {
  const names = codes.map((code) => stateName(code, language));
  const line = (name: string) => html`<span class="line">${name}</span>`;
  if (names.length <= mostStates) return html`${names.map(line)}`;
  return html`<details>
    <summary>${texts.layout.overview.statesCount(names.length)}</summary>
    ${names.map(line)}
  </details>`;
}

function steps({ texts, language }: AnyPageContext, all: Overview['steps'], current: ProgressStep | undefined): Html {
  return html`<ol class="overview-steps">
    ${all.map(({ name, isDone, href }) => {
      const text = stepNames[language][name];
      if (name === current) return html`<li class="now" aria-current="step"><span>${text}</span></li>`;
      return html`<li class="${isDone && 'done'}">
        ${href === undefined ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`}
        ${isDone && html`<span class="visually-hidden">(${texts.layout.overview.done})</span>`}
      </li>`;
    })}
  </ol>`;
}
