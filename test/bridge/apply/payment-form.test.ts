import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBankAccount, parseCard } from '../../../src/bridge/apply/pages/payments/form.js';
import { parseSignature } from '../../../src/bridge/apply/pages/review/form.js';
import { textsIn } from '../../../src/bridge/apply/texts/index.js';
import { readForm } from '../../../src/bridge/pages/forms.js';
import { shipped, typed } from './support/visitor.js';

const texts = textsIn('en');
const bankAccount = {
  nameOnAccount: 'Ana Rivera',
  routingNumber: '1100 00000',
  accountNumber: '0001-2345 6789',
  accountNumberAgain: '000123456789',
};
/** The last moment of a card of April 2039, a day later because of time zones. */
const lastMoment = Date.UTC(2039, 4, 1, 23, 59, 59, 999);

const formOf = (fields: Record<string, string>) => readForm(new URLSearchParams(fields).toString());
const card = (fields: Record<string, string>, at = lastMoment) =>
  parseCard(formOf({ ...typed.payment, ...fields }), texts, new Date(at));
const account = (fields: Record<string, string>) => parseBankAccount(formOf({ ...bankAccount, ...fields }), texts);

describe('the forms of a payment and a signature', () => {
  it('A card is read without its spaces and hyphens, and a year with two or four digits.', () => {
    const fields = { nameOnCard: 'Ana Rivera', number: '4242424242424242', expiryMonth: 4, securityCode: '123' };
    for (const expiryYear of ['39', '2039']) {
      const { value } = card({ cardNumber: '4242-4242 4242 4242', expiryYear });
      deepEqual(value, { ...fields, expiryYear: 2039 });
    }
    for (const fine of [
      // Numbers of 13 and 19 digits with a right check digit.
      { cardNumber: '4222222222222' },
      { cardNumber: '4000000000000000006' },
      { expiryMonth: '12' },
      { expiryMonth: '04' },
      { securityCode: '1234' },
      { nameOnCard: 'n'.repeat(200) },
    ]) {
      ok(card(fine).value, JSON.stringify(fine));
    }
  });

  it('A mistake in a card is found at its field, up to the last day of its month in any time zone.', () => {
    for (const [field, values, message] of [
      ['cardNumber', ['4242424242424241', '424242424242', '40000000000000000004', 'x', ''], texts.errors.cardNumber],
      ['cardNumber', ['000000000000', '00000000000000000000'], texts.errors.cardNumber],
      ['expiryMonth', ['0', '13', '-1', '4x', '', '104'], texts.errors.cardExpiry],
      ['expiryYear', ['1939', '239', '3', 'x', ''], texts.errors.cardExpiry],
      ['expiryYear', ['38'], texts.errors.cardExpired],
      ['securityCode', ['12', '12345', '12a', ''], texts.errors.securityCode],
      ['nameOnCard', ['', 'n'.repeat(201)], texts.errors.nameOnCard],
    ] as const) {
      for (const value of values) {
        const expected = [{ field: field === 'expiryYear' ? 'expiryMonth' : field, message }];
        deepEqual(card({ [field]: value }).errors, expected, `${field} ${value}`);
      }
    }
    deepEqual(card({}, lastMoment + 1).errors, [{ field: 'expiryMonth', message: texts.errors.cardExpired }]);
  });

  it('A bank account is read without its spaces and hyphens, and its mistakes are found at their fields.', () => {
    const { nameOnAccount } = bankAccount;
    deepEqual(account({}).value, { nameOnAccount, routingNumber: '110000000', accountNumber: '000123456789' });
    for (const number of ['1234', '12345678901234567']) {
      ok(account({ accountNumber: number, accountNumberAgain: number }).value, number);
    }
    ok(account({ nameOnAccount: 'n'.repeat(200), routingNumber: '021000021' }).value);
    for (const [field, values] of [
      ['routingNumber', ['110000001', '000000000', '11000000', '1100000000', '', 'x']],
      ['accountNumber', ['123', '123456789012345678', '', '1234x']],
      ['accountNumberAgain', ['000123456780', '']],
      ['nameOnAccount', ['', 'n'.repeat(201)]],
    ] as const) {
      for (const value of values) {
        deepEqual(account({ [field]: value }).errors, [{ field, message: texts.errors[field] }], `${field} ${value}`);
      }
    }
  });

  it('A signature is the name with any apostrophe, hyphen, accent, case and spaces, and all its statements.', () => {
    const application = { states: ['TX'], licenseType: 'life_health', applicationType: 'new' };
    const session = { pinned: shipped, application } as unknown as Parameters<typeof parseSignature>[1]['session'];
    const name = "Ana-Lía O'Hara";
    const signed = (signedName: string, attest: readonly string[] = typed.review.attest) => {
      const fields = [['signedName', signedName], ...attest.map((id) => ['attest', id])];
      return parseSignature(readForm(new URLSearchParams(fields).toString()), { texts, session }, name);
    };
    deepEqual(signed(name).value, { signedName: name, attested: typed.review.attest });
    const spellings = Array.from('’‘ʼ`´').map((mark) => `ana-lia o${mark}hara`);
    spellings.push(...Array.from('\u2010\u2011\u2012\u2013\u2014').map((dash) => `ANA${dash}LÍA  O'HARA`));
    spellings.push(
      `ana-li\u0301a o'hara`,
      `${' '.repeat(9)}ana-lia \n o'hara`,
      `ana-lia o'hara${'\u0301'.repeat(486)}`,
    );
    for (const spelling of spellings) ok(signed(spelling).value, JSON.stringify(spelling));
    const message = texts.errors.signedName(name);
    // The last one has 501 characters, which are not normalized.
    for (const other of ['', 'Ana Lia OHara', 'Ana-Lía OHara', 'Ana-Lía', `ana-lia o'hara${'\u0301'.repeat(487)}`]) {
      deepEqual(signed(other).errors, [{ field: 'signedName', message }], other);
    }
    const [first = '', ...others] = typed.review.attest;
    for (const attest of [[], others, [first], ['odd', ...others]]) {
      const missing = typed.review.attest.find((id) => !attest.includes(id)) ?? '';
      deepEqual(signed(name, attest).errors, [{ field: `attest-${missing}`, message: texts.errors.attest }]);
    }
  });
});
