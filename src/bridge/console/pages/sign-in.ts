import { findSignedIn, refuseSignIn, signIn, signOut } from '../../domain/operators/sign-in.js';
import { collectErrors } from '../../pages/forms.js';
import { textField } from '../../pages/fields.js';
import { html } from '../../pages/html.js';
import type { ConsoleRoute, OpenRequest } from '../context.js';
import type { ConsolePage } from '../layout.js';
import { passwordField } from '../parts.js';
import { deleteSessionCookie, keepSession, pageAfter } from '../session.js';
import { show } from '../responses.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.signIn;

/** Sign-in and sign-out. */
export const signInRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/sign-in',
    access: 'anyone',
    handle: (request) => show({ ...request, session: undefined }, signInPage(request)),
  },
  {
    method: 'POST',
    path: '/sign-in',
    access: 'anyone',
    async handle(request) {
      const { c, services, session, form } = request;
      // The password as typed: `text` would remove its spaces.
      const given = { name: form.text('name'), password: form.all('password')[0] ?? '', code: form.text('code') };
      const token = await (isTypable(given)
        ? signIn(services.context, given, c.env.address)
        : refuseSignIn(services.context, c.env.address));
      if (token === undefined) {
        const { errors, check } = collectErrors();
        check(false, 'name', words.wrong);
        return show({ ...request, session: undefined }, { ...signInPage(request, errors), errors });
      }
      // Ends the previous session: a browser has one session, which is never older than the
      // sign-in.
      if (session !== undefined) await signOut(services.context, session);
      keepSession(c, services, token);
      const isNew = (await findSignedIn(services.context, token))?.mustChangePassword === true;
      return c.redirect(isNew ? '/password' : pageAfter(c.req.query('next')), 303);
    },
  },
  {
    method: 'POST',
    path: '/sign-out',
    access: 'view',
    async handle({ c, services, session }) {
      await signOut(services.context, session);
      deleteSessionCookie(c, services);
      return c.redirect('/sign-in?done=signedOut', 303);
    },
  },
];

/** Text that is longer than any field of the form is not hashed. */
function isTypable(given: { name: string; password: string; code: string }): boolean {
  return given.name.length <= 100 && given.password.length <= 200 && given.code.length <= 20;
}

function signInPage({ c, form }: OpenRequest, errors: ConsolePage['errors'] = []): ConsolePage {
  const next = pageAfter(c.req.query('next'));
  const action = next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
  return {
    title: words.title,
    content: html`<form method="post" action="${action}" novalidate>
        ${textField(
          { texts, errors },
          { name: 'name', label: words.name, width: 'medium', autocomplete: 'username', value: form.text('name') },
        )}
        ${passwordField({ texts, errors: [] }, { name: 'password', label: words.password, autocomplete: 'current-password' })}
        ${textField(
          { texts, errors: [] },
          {
            name: 'code',
            label: words.code,
            hint: words.codeHint,
            width: 'short',
            autocomplete: 'one-time-code',
            inputmode: 'numeric',
            maxlength: 10,
          },
        )}
        <p class="buttons"><button class="button" type="submit">${words.submit}</button></p>
      </form>
      <p class="hint after-buttons">${words.help}</p>`,
  };
}
