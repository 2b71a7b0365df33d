import { characters } from '../../../domain/limits/limits.js';
import type { BankAccount, Card } from '../../../ports/payment-processor.js';
import { collectErrors, type Parsed, type PostedForm } from '../../../pages/forms.js';
import type { Texts } from '../../texts/index.js';

/** Reads a card. `today` decides whether it has expired. */
export function parseCard(form: PostedForm, texts: Texts, today: Date): Parsed<Card> {
  const { errors, check } = collectErrors();
  const nameOnCard = form.text('nameOnCard');
  const number = form.text('cardNumber').replace(/[\s-]/g, '');
  const expiryMonth = Number(/^\d{1,2}$/.exec(form.text('expiryMonth'))?.[0]);
  const shortYear = /^(?:20)?(\d{2})$/.exec(form.text('expiryYear'))?.[1];
  const expiryYear = shortYear === undefined ? Number.NaN : 2000 + Number(shortYear);
  const securityCode = form.text('securityCode');

  check(nameOnCard !== '' && nameOnCard.length <= characters.formLine.max, 'nameOnCard', texts.errors.nameOnCard);
  check(/^\d{13,19}$/.test(number) && passesLuhn(number), 'cardNumber', texts.errors.cardNumber);
  check(expiryMonth >= 1 && expiryMonth <= 12 && expiryYear > 0, 'expiryMonth', texts.errors.cardExpiry);
  // A card is valid until the end of its month, plus one day for time zones west of UTC.
  const worksUntil = new Date(Date.UTC(expiryYear, expiryMonth, 2));
  check(Number.isNaN(worksUntil.getTime()) || worksUntil > today, 'expiryMonth', texts.errors.cardExpired);
  check(/^\d{3,4}$/.test(securityCode), 'securityCode', texts.errors.securityCode);
  if (errors.length > 0) return { errors };
  return { value: { nameOnCard, number, expiryMonth, expiryYear, securityCode } };
}

/** Reads a bank account. */
export function parseBankAccount(form: PostedForm, texts: Texts): Parsed<BankAccount> {
  const { errors, check } = collectErrors();
  const words = texts.errors;
  const digits = (name: string) => form.text(name).replace(/[\s-]/g, '');
  const nameOnAccount = form.text('nameOnAccount');
  const [routingNumber, accountNumber] = [digits('routingNumber'), digits('accountNumber')];
  check(nameOnAccount !== '' && nameOnAccount.length <= characters.formLine.max, 'nameOnAccount', words.nameOnAccount);
  check(isRoutingNumber(routingNumber), 'routingNumber', words.routingNumber);
  const isAccount = /^\d{4,17}$/.test(accountNumber);
  check(isAccount, 'accountNumber', words.accountNumber);
  check(!isAccount || digits('accountNumberAgain') === accountNumber, 'accountNumberAgain', words.accountNumberAgain);
  if (errors.length > 0) return { errors };
  return { value: { nameOnAccount, routingNumber, accountNumber } };
}

/**
 * The check digit of routing numbers (ABA): detects typing errors, which would debit an account at
 * another bank.
 */
function isRoutingNumber(number: string): boolean {
  if (!/^\d{9}$/.test(number) || number === '000000000') return false;
  const sum = Array.from(number, Number).reduce(
    (total, digit, place) => total + digit * ([3, 7, 1][place % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}

/**
 * The check digit of card numbers (ISO/IEC 7812-1): detects typing errors before the authorization.
 */
function passesLuhn(number: string): boolean {
  let sum = 0;
  Array.from(number, Number)
    .reverse()
    .forEach((digit, position) => {
      const value = digit * (position % 2 === 1 ? 2 : 1);
      sum += value > 9 ? value - 9 : value;
    });
  return sum % 10 === 0;
}
