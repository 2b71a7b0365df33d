import { findSignedIn, refuseSignIn, signIn, signOut } from '../../domain/operators/sign-in.js';
import { collectErrors } from '../../pages/forms.js';
import { textField } from '../../pages/fields.js';
import { html, type Html } from '../../pages/html.js';
import type { ConsoleRoute, OpenRequest } from '../context.js';
import type { ConsolePage } from '../layout.js';
import { passwordField } from '../parts.js';
import { deleteSessionCookie, keepSession, pageAfter } from '../session.js';
import { leadTo, show } from '../responses.js';
import { consoleTexts as texts } from '../texts.js';
import { oidcSignInPath } from './oidc.js';

const words = texts.signIn;

/** The sign-out, and where the identity provider leads back to after its own one. */
export const signOutPath = '/sign-out';

const signedOutPage = '/sign-in?done=signedOut';

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
    path: signOutPath,
    access: 'view',
    async handle(request) {
      const { c, services, session } = request;
      const idToken = await signOut(services.context, session);
      deleteSessionCookie(c, services);
      const href = idToken === undefined ? undefined : await services.identityProvider?.signOutUrl(idToken);
      return href === undefined
        ? c.redirect(signedOutPage, 303)
        : leadTo(request, { title: texts.oidc.signedOut, href });
    },
  },
  {
    // The provider leads back to it, after its own sign-out.
    method: 'GET',
    path: signOutPath,
    access: 'anyone',
    handle: ({ c }) => c.redirect(signedOutPage, 303),
  },
];

/** Text that is longer than any field of the form is not hashed. */
function isTypable(given: { name: string; password: string; code: string }): boolean {
  return given.name.length <= 100 && given.password.length <= 200 && given.code.length <= 20;
}

function signInPage(request: OpenRequest, errors: NonNullable<ConsolePage['errors']> = []): ConsolePage {
  const { c, services } = request;
  const provider = services.identityProvider?.name;
  return {
    title: words.title,
    content:
      provider === undefined
        ? html`${passwordForm(request, errors)}
            <p class="hint after-buttons">${words.help}</p>`
        : html`<form method="post" action="${withNext(oidcSignInPath, c)}">
              <p class="buttons"><button class="button" type="submit">${words.oidc(provider)}</button></p>
            </form>
            <p class="hint after-buttons">${words.oidcHelp(provider)}</p>
            <details class="emergency" ${errors.length > 0 && html`open`}>
              <summary>${words.emergency}</summary>
              <p class="hint">${words.emergencyHint(provider)}</p>
              ${passwordForm(request, errors)}
            </details>`,
  };
}

/** The path of a form, with the page that follows the sign-in. */
function withNext(path: string, c: OpenRequest['c']): string {
  const next = pageAfter(c.req.query('next'));
  return next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`;
}

function passwordForm({ c, form }: OpenRequest, errors: NonNullable<ConsolePage['errors']>): Html {
  return html`<form method="post" action="${withNext('/sign-in', c)}" novalidate>
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
  </form>`;
}
