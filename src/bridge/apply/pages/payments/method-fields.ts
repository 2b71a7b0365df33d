import { choice, fieldGroup, groupedField, maskedField, textField } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import type { PayingMethod, PaymentProcessor } from '../../../ports/payment-processor.js';
import type { AnyPageContext } from '../../page-context.js';

/** Input that may be shown again with an error. */
export interface TypedPayment {
  method: PayingMethod;
  nameOnCard: string;
  nameOnAccount: string;
}

/** The empty input. */
export const nothingTyped: TypedPayment = { method: 'card', nameOnCard: '', nameOnAccount: '' };

/** The methods of payment. */
export function methodsOf(processor: Pick<PaymentProcessor, 'methods'> | undefined): readonly PayingMethod[] {
  return processor?.methods ?? ['card'];
}

/**
 * Lets the user choose between a card and a bank account, where the processor accepts both.
 * `areTyped`: with the fields of both. The style sheet shows only those of the chosen one; where it
 * cannot, both are visible, and only the chosen one is read.
 */
export function methodFields(
  pageContext: Pick<AnyPageContext, 'texts'>,
  {
    methods,
    areTyped,
    typed,
    errors,
  }: { methods: readonly PayingMethod[]; areTyped: boolean; typed: TypedPayment; errors: readonly FieldError[] },
): Html {
  const words = pageContext.texts.payment;
  const fieldsOf = {
    card: () => cardFields(pageContext, typed.nameOnCard, errors),
    bankAccount: () => bankAccountFields(pageContext, typed.nameOnAccount, errors),
  };
  if (methods.length < 2) return html`${areTyped && fieldsOf[methods[0] ?? 'card']()}`;
  const labels = { card: words.card, bankAccount: words.bankAccount };
  return html`<div class="paying">
    <fieldset class="field">
      <legend>${words.method}</legend>
      <div class="yes-no">
        ${methods.map((method) =>
          choice({
            type: 'radio',
            id: `method-${method}`,
            name: 'method',
            value: method,
            label: labels[method],
            isChecked: method === typed.method,
          }),
        )}
      </div>
    </fieldset>
    ${
      areTyped &&
      methods.map(
        (method) =>
          html`<div class="paying-fields" data-method="${method}" role="group" aria-label="${labels[method]}">
            ${fieldsOf[method]()}
          </div>`,
      )
    }
  </div>`;
}

function cardFields({ texts }: Pick<AnyPageContext, 'texts'>, nameOnCard: string, errors: readonly FieldError[]): Html {
  const words = texts.payment;
  const fields = { texts, errors };
  const isExpiryWrong = errors.some(({ field }) => field === 'expiryMonth');
  return html`
    ${textField(fields, { name: 'nameOnCard', label: words.nameOnCard, value: nameOnCard, autocomplete: 'cc-name' })}
    ${textField(fields, { name: 'cardNumber', label: words.cardNumber, width: 'medium', inputmode: 'numeric', maxlength: 24 })}
    ${fieldGroup(fields, {
      legend: words.expiry,
      hint: words.expiryHint,
      errorField: 'expiryMonth',
      fields: [
        groupedField({ name: 'expiryMonth', label: words.month, maxlength: 2 }, isExpiryWrong),
        groupedField({ name: 'expiryYear', label: words.year }, isExpiryWrong),
      ],
    })}
    ${textField(fields, { name: 'securityCode', label: words.securityCode, hint: words.securityCodeHint, width: 'tiny', inputmode: 'numeric', maxlength: 4 })}
  `;
}

/** The numbers are masked, and must be typed again after an error: no page shows them. */
function bankAccountFields(
  { texts }: Pick<AnyPageContext, 'texts'>,
  nameOnAccount: string,
  errors: readonly FieldError[],
): Html {
  const words = texts.payment;
  const fields = { texts, errors };
  const masked = { show: texts.identity.show, groups: '17' };
  return html`<p class="hint">${words.bankAccountTakes}</p>
    ${textField(fields, { name: 'nameOnAccount', label: words.nameOnAccount, value: nameOnAccount })}
    ${textField(fields, {
      name: 'routingNumber',
      label: words.routingNumber,
      hint: words.routingNumberHint,
      width: 'medium',
      inputmode: 'numeric',
      maxlength: 11,
    })}
    ${maskedField(fields, {
      name: 'accountNumber',
      label: words.accountNumber,
      hint: words.accountNumberHint,
      ...masked,
    })}
    ${maskedField(fields, {
      name: 'accountNumberAgain',
      label: words.accountNumberAgain,
      hint: words.accountNumberAgainHint,
      ...masked,
    })}`;
}
