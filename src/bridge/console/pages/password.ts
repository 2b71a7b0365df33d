import { longestPassword, shortestPassword } from '../../domain/operators/password.js';
import { changePassword } from '../../domain/operators/sign-in.js';
import { collectErrors } from '../../pages/forms.js';
import { html } from '../../pages/html.js';
import { show, showMissing } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { passwordField } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.password;

/** The page for a change of the operator's password. */
export const passwordRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/password',
    access: 'view',
    handle: (request) => (hasPassword(request) ? show(request, passwordPage(request)) : showMissing(request)),
  },
  {
    method: 'POST',
    path: '/password',
    access: 'view',
    async handle(request) {
      const { c, services, session, form } = request;
      if (!hasPassword(request)) return showMissing(request);
      const [current = ''] = form.all('current');
      const [replacement = ''] = form.all('replacement');
      const [again = ''] = form.all('again');
      const { errors, check } = collectErrors();
      const isLong = replacement.length >= shortestPassword && replacement.length <= longestPassword;
      check(isLong, 'replacement', words.short);
      check(replacement === again, 'again', words.different);
      check(current.length <= longestPassword, 'current', words.wrong);
      if (errors.length === 0) {
        const change = await changePassword(services.context, session, { current, replacement }, c.env.address);
        // Every page of an ended session leads to the sign-in.
        if (change === 'ended') return c.redirect('/sign-in', 303);
        check(change !== 'wrong', 'current', words.wrong);
        check(change !== 'unchanged', 'replacement', words.unchanged);
      }
      if (errors.length > 0) return show(request, { ...passwordPage(request, errors), errors });
      return c.redirect('/?done=password', 303);
    },
  },
];

/** Operators of an identity provider have none here. */
function hasPassword({ session }: OperatorRequest): boolean {
  return session.operator.identity === 'local';
}

function passwordPage({ session }: OperatorRequest, errors: ConsolePage['errors'] = []): ConsolePage {
  const fields = { texts, errors };
  return {
    title: words.title,
    content: html`${session.mustChangePassword && html`<p class="lead">${words.temporary}</p>`}
      <form method="post" action="/password" novalidate>
        ${csrfInput(session)}
        <input
          class="visually-hidden"
          name="name"
          value="${session.operator.name}"
          autocomplete="username"
          tabindex="-1"
          aria-hidden="true"
          readonly
        />
        ${passwordField(fields, { name: 'current', label: words.current, autocomplete: 'current-password' })}
        ${passwordField(fields, { name: 'replacement', label: words.replacement, hint: words.hint, autocomplete: 'new-password' })}
        ${passwordField(fields, { name: 'again', label: words.again, autocomplete: 'new-password' })}
        <p class="buttons"><button class="button" type="submit">${words.submit}</button></p>
      </form>
      ${
        !session.mustChangePassword &&
        !session.operator.hasTotp &&
        html`<p><a href="/authenticator">${texts.authenticator.link}</a></p>`
      }`,
  };
}
