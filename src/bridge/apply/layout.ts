import { type ProgressStep, stepNames } from '../../contract/index.js';
import { errorSummary } from '../pages/fields.js';
import type { MissingWords } from './texts/missing-words.js';
import type { FieldError } from '../pages/forms.js';
import { html, type Html } from '../pages/html.js';
import { footer, masthead } from './masthead.js';
import { overviewColumn } from './overview.js';
import type { AnyPageContext, PageContext } from './page-context.js';
import type { Texts } from './texts/index.js';

/** A page, as described by its view. */
export interface Page {
  title: string;
  /** The errors, which the title and the summary mention. */
  errors?: readonly FieldError[];
  /** The path of Back; absent on the first page. */
  back?: string | undefined;
  /** The step of the page, when it has one. */
  step?: { name: ProgressStep; index: number; count: number } | undefined;
  /** The part of the step, when the step has several pages. */
  part?: { index: number; count: number } | undefined;
  /** The subject of the page, in a sentence or two. */
  lead?: string | Html;
  /**
   * The texts "Why we ask" and "Who sees it", on every page with input. `isOpen`: shown without a
   * click, where users first enter what they would tell few people.
   */
  reason?: { why: string; who: string; isOpen?: boolean };
  /**
   * The message that the script sends to the element when the page opens: a receipt reports the
   * submission.
   */
  tells?: 'submitted';
  /** The interval in seconds in which the page polls. */
  refreshSeconds?: number;
  /** The URL to which the page redirects at once. */
  href?: string;
  content: Html;
}

/** Renders the whole document of a page. */
export function renderPage(pageContext: AnyPageContext, page: Page): Html {
  const { texts, language, theme, isFramed } = pageContext;
  const { layout } = texts;
  const errors = page.errors ?? [];
  const title = `${errors.length > 0 ? `${layout.errorTitle}: ` : ''}${page.title} – ${layout.application}`;
  const classes = [isFramed && 'is-framed', pageContext.overview && 'has-overview'].filter(Boolean).join(' ');
  return html`<!doctype html>
    <html lang="${language}" dir="ltr" data-theme="${theme}" class="${classes}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${
          page.refreshSeconds &&
          html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}" /></noscript>`
        }
        ${page.href && html`<meta http-equiv="refresh" content="${`0; url=${page.href}`}" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="${pageContext.assets.href('apply.css')}" />
        ${pageContext.operator.styleHref && html`<link rel="stylesheet" href="${pageContext.operator.styleHref}" />`}
        <script type="module" src="${pageContext.assets.href('apply.js')}"></script>
      </head>
      <body
        data-language="${language}"
        data-offline="${layout.offline}"
        data-unreachable="${layout.unreachable}"
        ${page.refreshSeconds && html`data-refresh-seconds="${page.refreshSeconds}"`}
        ${
          pageContext.channel &&
          html`data-origins="${JSON.stringify(pageContext.channel.origins)}"
          data-snapshot="${JSON.stringify(pageContext.channel.snapshot)}"
          data-expiry="${pageContext.channel.expiry && JSON.stringify(pageContext.channel.expiry)}"
          data-expires-soon="${layout.expiresSoon}" data-expired="${layout.expired}" data-tells="${page.tells}"`
        }
      >
        <a class="skip" href="#main">${layout.skip}</a>
        ${masthead(pageContext)}
        <div class="page">
          <div class="sheet">
            ${page.step && progress(pageContext, page.step, page.part)}
            ${page.back && html`<nav class="back-row"><a class="back" href="${page.back}">${layout.back}</a></nav>`}
            <main id="main" tabindex="-1" aria-labelledby="title">
              <p class="notice" id="notice" role="status" hidden></p>
              ${page.step && leaving(pageContext)} ${errorSummary({ texts, errors })}
              <h1 id="title">${page.title}</h1>
              ${page.lead && html`<p class="lead">${page.lead}</p>`}
              ${page.reason && reasonBox(pageContext, page.reason)} ${page.content}
            </main>
          </div>
          ${pageContext.overview && overviewColumn(pageContext, pageContext.overview, page.step?.name)}
        </div>
        ${footer(pageContext)}
      </body>
    </html>`;
}

/** The question that the script shows before a link discards unsent input. */
function leaving({ texts: { layout } }: AnyPageContext): Html {
  return html`<section
    class="notice leaving"
    id="leaving"
    role="alertdialog"
    aria-labelledby="leaving-title"
    aria-describedby="leaving-text"
    hidden
  >
    <h2 id="leaving-title">${layout.leavingTitle}</h2>
    <p id="leaving-text">${layout.leavingText}</p>
    <p class="buttons">
      <button type="button" class="button">${layout.leavingStay}</button>
      <button type="button" class="button quiet">${layout.leavingGo}</button>
    </p>
  </section>`;
}

function progress(
  { texts, language, minutesLeft }: AnyPageContext,
  step: NonNullable<Page['step']>,
  part: Page['part'],
): Html {
  const segments = Array.from({ length: step.count }, (_, index) => index + 1);
  const state = (index: number) => (index < step.index ? 'done' : index === step.index ? 'now' : 'ahead');
  return html`<section class="progress" aria-label="${texts.layout.progress}">
    <p>
      <span>${texts.layout.stepOf(step.index, step.count)}</span>
      <strong>${stepNames[language][step.name]}</strong>
      ${part && part.count > 1 && html`<span class="part">${texts.layout.pageOf(part.index, part.count)}</span>`}
      ${minutesLeft !== undefined && html`<span class="time-left">${texts.layout.minutesLeft(minutesLeft)}</span>`}
    </p>
    <div class="segments" aria-hidden="true">
      ${segments.map((index) => html`<span class="segment ${state(index)}"></span>`)}
    </div>
  </section>`;
}

/** One line, so that the first field is on the first screen. */
function reasonBox({ texts: { layout } }: AnyPageContext, { why, who, isOpen }: NonNullable<Page['reason']>): Html {
  return html`<details class="reason" ${isOpen && html`open`}>
    <summary>${layout.whyAndWho}</summary>
    <dl>
      <div>
        <dt>${layout.whyWeAsk}</dt>
        <dd>${why}</dd>
      </div>
      <div>
        <dt>${layout.whoSees}</dt>
        <dd>${who}</dd>
      </div>
    </dl>
  </details>`;
}

/**
 * A form that posts to its own page. Continue comes first, so that Enter activates it. `isSecret`:
 * its input must not return with the Back button, which the next user of the same computer may
 * press. Chromium restores fields, even of uncached pages, unless the form turns `autocomplete`
 * off.
 */
export function stepForm(
  pageContext: PageContext,
  form: {
    action: string;
    submit?: string;
    working?: string;
    isSecret?: boolean;
    /** Whether the script asks for missing details before it sends the form. */
    asksForDetails?: boolean;
    content: Html | Html[];
  },
): Html {
  const { layout, errors } = pageContext.texts;
  const { errorSummary: title, errorPrefix: prefix } = layout;
  const missing: MissingWords = { title, prefix, messages: errors.missing };
  return html`<form
    method="post"
    action="${form.action}"
    novalidate
    autocomplete="${form.isSecret ? 'off' : 'on'}"
    data-working="${form.working ?? layout.working}"
    ${form.asksForDetails && html`data-missing="${JSON.stringify(missing)}"`}
  >
    ${form.content}
    <div class="buttons">
      <button class="button" type="submit">${form.submit ?? layout.continue}</button>
      <button class="button quiet" type="submit" name="leave" value="1">${layout.leave}</button>
    </div>
    <p class="hint after-buttons">${layout.leaveHint}</p>
  </form>`;
}

/** The link that changes an answer, with its subject in the accessible name. */
export function changeLink(texts: Texts, href: string, what: string): Html {
  return html`<a href="${href}">${texts.layout.change}<span class="visually-hidden"> ${what}</span></a>`;
}

/** The form action: the page itself, with the query that returns to the review. */
export function actionOf(pageContext: PageContext, to: string): string {
  return pageContext.isChange ? pageContext.changePath(to) : pageContext.path(to);
}
