import { enrolTotp, mustEnrol, offerTotp } from '../../domain/operators/enrolment.js';
import { textField } from '../../pages/fields.js';
import { collectErrors } from '../../pages/forms.js';
import { html } from '../../pages/html.js';
import { show } from '../responses.js';
import type { ConsoleRoute, OperatorRequest } from '../context.js';
import { csrfInput, type ConsolePage } from '../layout.js';
import { checkProof, proofField } from '../proof.js';
import { consoleTexts as texts } from '../texts.js';

const words = texts.authenticator;
const path = '/authenticator';

/** The page on which an operator without an authenticator app sets one up. */
export const authenticatorRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    access: 'view',
    handle: (request) => (mayEnrol(request) ? show(request, authenticatorPage(request)) : request.c.redirect('/', 303)),
  },
  {
    method: 'POST',
    path,
    access: 'view',
    async handle(request) {
      const { c, form, services, session } = request;
      if (!mayEnrol(request)) return c.redirect('/', 303);
      const { errors, check } = collectErrors();
      // A stolen session must not set up the thief's app.
      await checkProof(request, check);
      if (errors.length === 0) {
        const given = { offer: form.text('offer'), code: form.text('code') };
        const result = await enrolTotp(services.context, session, given);
        if (result === 'ended') return c.redirect('/sign-in', 303);
        check(result === 'done', 'code', words.wrong);
      }
      if (errors.length > 0) return show(request, authenticatorPage(request, errors));
      return c.redirect('/?done=authenticator', 303);
    },
  },
];

/** The second factor of an operator of an identity provider is there. */
function mayEnrol({ session: { operator } }: OperatorRequest): boolean {
  return operator.identity === 'local' && !operator.hasTotp;
}

function authenticatorPage(request: OperatorRequest, errors: NonNullable<ConsolePage['errors']> = []): ConsolePage {
  const { form, services, session } = request;
  const { secret, url, offer } = offerTotp(services.context, session.operator, form.text('offer'));
  return {
    title: words.title,
    errors,
    content: html`${mustEnrol(services.context, session) && html`<p class="lead">${words.required}</p>`}
      <p>${words.key}</p>
      <p><code class="reference">${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
      <p><a href="${url}">${words.open}</a></p>
      <form method="post" action="${path}" novalidate>
        ${csrfInput(session)}
        <input type="hidden" name="offer" value="${offer}" />
        ${textField(
          { texts, errors },
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
        ${proofField(request, errors)}
        <p class="buttons"><button class="button" type="submit">${words.submit}</button></p>
      </form>`,
  };
}
