import { longestSearch } from '../domain/applications/search.js';
import { mustEnrol } from '../domain/operators/enrolment.js';
import { hasRole } from '../domain/operators/operators.js';
import { csrfTokenOf } from '../domain/operators/sign-in.js';
import { errorSummary } from '../pages/fields.js';
import type { FieldError } from '../pages/forms.js';
import { html, type Html } from '../pages/html.js';
import type { OpenRequest } from './context.js';
import { isDone, consoleTexts as texts } from './texts.js';

/** One page of the console. */
export interface ConsolePage {
  title: string;
  /** The URL that the page leads to at once, without a click. */
  href?: string;
  /** The path of the active page in the navigation. */
  at?: string;
  /** The errors of the form, which the title and the summary mention. */
  errors?: readonly FieldError[];
  /** The path of the back link. */
  back?: { href: string; label: string };
  content: Html;
  /** The text that the operator searched for, on a page with the results. */
  search?: string | undefined;
}

/** The pages of the navigation, by path. */
const navigation = [
  ['/', texts.layout.home],
  ['/applications', texts.layout.applications],
  ['/filings', texts.layout.filings],
  ['/payments', texts.layout.payments],
  ['/webhooks', texts.layout.webhooks],
  ['/audit', texts.layout.audit],
] as const;

/** Renders the whole document of a page. */
export function renderPage(
  { c, services, session }: Pick<OpenRequest, 'c' | 'services' | 'session'>,
  page: ConsolePage,
): Html {
  const errors = page.errors ?? [];
  const { layout } = texts;
  const title = `${errors.length > 0 ? `${layout.errorTitle}: ` : ''}${page.title} – ${layout.console}`;
  const done = c.req.query('done');
  const isWorking = session !== undefined && !session.mustChangePassword && !mustEnrol(services.context, session);
  return html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${page.href && html`<meta http-equiv="refresh" content="${`0; url=${page.href}`}" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="${services.assets.href('console.css')}" />
        <script type="module" src="${services.assets.href('console.js')}"></script>
      </head>
      <body>
        <a class="skip" href="#main">${layout.skip}</a>
        <header class="masthead">
          <div class="masthead-row">
            <p class="brand">${layout.console}</p>
            ${session && isWorking && searchForm(session, page.search)} ${session && signedIn(session)}
          </div>
          ${isWorking && navigationBar(page.at)}
        </header>
        <main class="page" id="main" tabindex="-1">
          ${page.back && html`<p class="back-row"><a class="back" href="${page.back.href}">${page.back.label}</a></p>`}
          ${
            isDone(done) &&
            errors.length === 0 &&
            c.req.method === 'GET' &&
            html`<p class="inset" role="status">${texts.done[done]}</p>`
          }
          ${errorSummary({ texts, errors })}
          <h1>${page.title}</h1>
          ${page.content}
        </main>
      </body>
    </html>`;
}

function signedIn(session: NonNullable<OpenRequest['session']>): Html {
  const { operator, agencyNames, mustChangePassword } = session;
  return html`<p class="operator">
      <span>${operator.name}</span>
      <span class="role">${texts.roles[operator.role]}</span>
      ${operator.scope !== 'all' && html`<span class="role">${texts.layout.agencies(agencyNames)}</span>`}
      ${!mustChangePassword && operator.identity === 'local' && html`<a href="/password">${texts.layout.password}</a>`}
    </p>
    <form method="post" action="/sign-out">
      ${csrfInput(session)}
      <button class="button quiet small" type="submit">${texts.layout.signOut}</button>
    </form>`;
}

/** A post, because the names and addresses of people must not be in URLs. */
function searchForm(session: NonNullable<OpenRequest['session']>, typed = ''): Html {
  const { search } = texts;
  return html`<form method="post" action="/search" class="search" role="search">
    ${csrfInput(session)}
    <label class="visually-hidden" for="search">${search.label}</label>
    <input
      id="search"
      name="search"
      type="search"
      value="${typed}"
      placeholder="${hasRole(session.operator, 'file') ? search.hint : search.impersonalHint}"
      maxlength="${longestSearch}"
      autocomplete="off"
      spellcheck="false"
    />
    <button class="button quiet small" type="submit">${search.submit}</button>
  </form>`;
}

function navigationBar(at: string | undefined): Html {
  return html`<nav class="navigation" aria-label="${texts.layout.navigation}">
    <ul>
      ${navigation.map(
        ([href, label]) => html`<li><a href="${href}" ${href === at && html`aria-current="page"`}>${label}</a></li>`,
      )}
    </ul>
  </nav>`;
}

/** The hidden field with the CSRF token, which every form of an operator needs. */
export function csrfInput(session: NonNullable<OpenRequest['session']>): Html {
  return html`<input type="hidden" name="csrf" value="${csrfTokenOf(session)}" />`;
}
