import { stepNames, type ProgressStep } from '../../../contract/index.js';
import type { FieldError } from '../forms/form.js';
import type { PageVisit } from '../visit.js';
import { errorSummary } from './fields.js';
import { html, type Html } from './html.js';

/** One page, as its view describes it. */
export interface Page {
  title: string;
  /** What is wrong, named in the title and in the summary. */
  errors?: readonly FieldError[];
  /** Where Back leads; absent where there is nothing before. */
  back?: string | undefined;
  /** Which step is shown, when it is one. */
  step?: { name: ProgressStep; index: number; count: number } | undefined;
  /** Which part of the step, when it has several pages. */
  part?: { index: number; count: number } | undefined;
  /** Why we ask and who sees it. Every page that asks for something says so. */
  reason?: { why: string; who: string };
  /** What the script tells the element when the page is shown: a receipt says that the application was submitted. */
  tells?: 'submitted';
  /** After how many seconds the page looks again by itself. */
  refreshSeconds?: number;
  /** Where the page leads by itself, at once. */
  leadsTo?: string;
  content: Html;
}

/** The whole document around a page. */
export function renderPage(visit: PageVisit, page: Page): Html {
  const { texts, language, theme, isFramed } = visit;
  const { layout } = texts;
  const errors = page.errors ?? [];
  const title = `${errors.length > 0 ? `${layout.errorTitle}: ` : ''}${page.title} – ${layout.application}`;
  return html`<!doctype html>
    <html lang="${language}" dir="ltr" data-theme="${theme}" class="${isFramed && 'is-framed'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${
          page.refreshSeconds &&
          html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}" /></noscript>`
        }
        ${page.leadsTo && html`<meta http-equiv="refresh" content="${`0; url=${page.leadsTo}`}" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="${visit.assets.href('apply.css')}" />
        <script type="module" src="${visit.assets.href('apply.js')}"></script>
      </head>
      <body
        data-offline="${layout.offline}"
        ${page.refreshSeconds && html`data-refresh-seconds="${page.refreshSeconds}"`}
        ${
          visit.channel &&
          html`data-origins="${JSON.stringify(visit.channel.origins)}"
          data-snapshot="${JSON.stringify(visit.channel.snapshot)}"
          data-ending="${visit.channel.ending && JSON.stringify(visit.channel.ending)}"
          data-expires-soon="${layout.expiresSoon}" data-expired="${layout.expired}" data-tells="${page.tells}"`
        }
      >
        <a class="skip" href="#main">${layout.skip}</a>
        ${masthead(visit)}
        <div class="sheet">
          ${page.step && progress(visit, page.step, page.part)}
          ${page.back && html`<nav class="back-row"><a class="back" href="${page.back}">${layout.back}</a></nav>`}
          <main id="main" tabindex="-1" aria-labelledby="title">
            <p class="notice" id="notice" role="status" hidden></p>
            ${page.step && leaving(visit)} ${errorSummary({ texts, errors })}
            <h1 id="title">${page.title}</h1>
            ${page.content} ${page.reason && reasonBox(visit, page.reason)}
          </main>
        </div>
        ${footer(visit)}
      </body>
    </html>`;
}

/** What the script asks before a link drops what was typed. */
function leaving({ texts: { layout } }: PageVisit): Html {
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

function masthead({ texts, host, isTest, otherLanguageHref, language }: PageVisit): Html {
  const other = language === 'en' ? 'es' : 'en';
  // Landmarks have names because in a frame they stand beside those of the partner's page.
  return html`<header class="masthead" aria-label="${texts.layout.application}">
    <div class="masthead-row">
      <p class="brand">${seal()}<span>${texts.layout.application}</span></p>
      <p class="host"><span aria-hidden="true">${lock()}</span> <span>${host}</span></p>
      ${
        otherLanguageHref &&
        html`<p class="language">
          <a href="${otherLanguageHref}" lang="${other}" hreflang="${other}">${texts.layout.otherLanguage}</a>
        </p>`
      }
    </div>
    ${isTest && html`<p class="test-mode">${texts.layout.testMode}</p>`}
  </header>`;
}

function progress({ texts, language }: PageVisit, step: NonNullable<Page['step']>, part: Page['part']): Html {
  const segments = Array.from({ length: step.count }, (_, index) => index + 1);
  const state = (index: number) => (index < step.index ? 'done' : index === step.index ? 'now' : 'ahead');
  return html`<section class="progress" aria-label="${texts.layout.progress}">
    <p>
      <span>${texts.layout.stepOf(step.index, step.count)}</span>
      <strong>${stepNames[language][step.name]}</strong>
      ${part && part.count > 1 && html`<span class="part">${texts.layout.pageOf(part.index, part.count)}</span>`}
    </p>
    <div class="segments" aria-hidden="true">
      ${segments.map((index) => html`<span class="segment ${state(index)}"></span>`)}
    </div>
  </section>`;
}

function reasonBox({ texts }: PageVisit, { why, who }: NonNullable<Page['reason']>): Html {
  return html`<dl class="reason">
    <div>
      <dt>${texts.layout.whyWeAsk}</dt>
      <dd>${why}</dd>
    </div>
    <div>
      <dt>${texts.layout.whoSees}</dt>
      <dd>${who}</dd>
    </div>
  </dl>`;
}

function footer({ texts, host, agencyName }: PageVisit): Html {
  return html`<footer class="foot" aria-label="${host}">
    <p>${texts.layout.secureOn(host)}. ${agencyName && texts.layout.onBehalf(agencyName)}</p>
  </footer>`;
}

function seal(): Html {
  return html`<svg class="seal" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
    <path class="seal-field" d="M16 2 28 6.5v9c0 7.2-5 12.2-12 14.5C9 27.7 4 22.7 4 15.500v-9z" />
    <path class="seal-mark" d="m10.5 16.2 3.9 3.9 7.6-8.2" fill="none" />
  </svg>`;
}

function lock(): Html {
  return html`<svg viewBox="0 0 16 16" width="14" height="14" focusable="false">
    <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.6" />
    <rect x="3" y="7" width="10" height="7.5" rx="1.5" fill="currentColor" />
  </svg>`;
}
