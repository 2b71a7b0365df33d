import { stateCodes } from '../../../../contract/index.js';
import type { DraftProfile } from '../../../domain/applications/profile.js';
import { describedBy, errorLine, fieldGroup, groupedField, textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { actionOf, type Page, stepForm } from '../../layout.js';
import { stateName, type PageContext } from '../../page-context.js';

/** Who applies: prefilled, checked and corrected. Nothing in it is a secret, so it is shown again with its errors. */
export function profilePage(pageContext: PageContext, profile: DraftProfile, errors: readonly FieldError[] = []): Page {
  const { texts } = pageContext;
  const words = texts.profile;
  const fields = { texts, errors };
  const address = profile.residentialAddress ?? {};
  const content = html`
    <h2>${words.nameGroup}</h2>
    <p class="hint">${words.nameHint}</p>
    ${textField(fields, { name: 'firstName', label: words.firstName, value: profile.firstName, autocomplete: 'given-name' })}
    ${textField(fields, { name: 'lastName', label: words.lastName, value: profile.lastName, autocomplete: 'family-name' })}
    ${dateOfBirth(pageContext, profile, errors)}
    ${textField(fields, { name: 'npn', label: `${words.npn} (${texts.layout.optional})`, hint: words.npnHint, value: profile.npn, width: 'short', inputmode: 'numeric', maxlength: 12 })}
    <h2>${words.contactGroup}</h2>
    ${textField(fields, { name: 'email', label: words.email, value: profile.email, type: 'email', autocomplete: 'email', maxlength: 254 })}
    ${textField(fields, { name: 'phone', label: words.phone, hint: words.phoneHint, value: profile.phone, type: 'tel', width: 'medium', autocomplete: 'tel', maxlength: 40 })}
    <h2>${words.addressGroup}</h2>
    ${textField(fields, { name: 'street', label: words.street, value: address.street, autocomplete: 'street-address' })}
    ${textField(fields, { name: 'city', label: words.city, value: address.city, autocomplete: 'address-level2' })}
    ${stateSelect(pageContext, address.state, errors)}
    ${textField(fields, { name: 'zip', label: words.zip, value: address.zip, width: 'short', inputmode: 'numeric', autocomplete: 'postal-code', maxlength: 10 })}
  `;
  return {
    title: words.title,
    errors,
    back: pageContext.isChange ? pageContext.path('review') : pageContext.path('start'),
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead}</p>
      ${stepForm(pageContext, { action: actionOf(pageContext, 'profile'), content })}`,
  };
}

function dateOfBirth({ texts }: PageContext, profile: DraftProfile, errors: readonly FieldError[]): Html {
  const words = texts.profile;
  const [year, month, day] = (profile.dateOfBirth ?? '').split('-');
  const isWrong = errors.some(({ field }) => field === 'dateOfBirthMonth');
  return fieldGroup(
    { texts, errors },
    {
      legend: words.dateOfBirth,
      hint: words.dateHint,
      errorField: 'dateOfBirthMonth',
      fields: [
        groupedField(
          { name: 'dateOfBirthMonth', label: words.month, value: month, autocomplete: 'bday-month', maxlength: 2 },
          isWrong,
        ),
        groupedField(
          { name: 'dateOfBirthDay', label: words.day, value: day, autocomplete: 'bday-day', maxlength: 2 },
          isWrong,
        ),
        groupedField({ name: 'dateOfBirthYear', label: words.year, value: year, autocomplete: 'bday-year' }, isWrong),
      ],
    },
  );
}

function stateSelect(
  { texts, language }: PageContext,
  chosen: string | undefined,
  errors: readonly FieldError[],
): Html {
  const error = errors.find(({ field }) => field === 'state');
  const nameOf = (code: string) => stateName(code, language);
  const codes = [...stateCodes].sort((left, right) => nameOf(left).localeCompare(nameOf(right), language));
  return html`<div class="field ${error && 'has-error'}">
    <label for="state">${texts.profile.state}</label>
    ${errorLine(texts, 'state', error)}
    <select
      class="width-medium"
      id="state"
      name="state"
      autocomplete="address-level1"
      ${describedBy('state', undefined, error)}
    >
      <option value="">${texts.profile.stateChoose}</option>
      ${codes.map((code) => html`<option value="${code}" ${code === chosen && html`selected`}>${nameOf(code)}</option>`)}
    </select>
  </div>`;
}
