import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/bridge/catalogue/load-catalogue.js';
import { bringsDocument } from '../../../src/bridge/apply/form-guard.js';
import { parseIdentity } from '../../../src/bridge/apply/pages/identity/form.js';
import { paidText } from '../../../src/bridge/apply/pages/receipt/view.js';
import { returnHref } from '../../../src/bridge/apply/respond.js';
import { typeName, typeNames } from '../../../src/bridge/catalogue/type-names.js';
import { textsIn } from '../../../src/bridge/apply/texts/index.js';
import type { SsnOffer } from '../../../src/bridge/domain/applications/identity.js';
import { callerAddress, isAborted } from '../../../src/bridge/http/connection.js';
import { readForm } from '../../../src/bridge/pages/forms.js';
import type { AuthorizedPaymentRow } from '../../../src/bridge/store/payments/payment-store.js';
import type { PaymentStatus } from '../../../src/bridge/store/tables/payment-tables.js';
import type { Mode } from '../../../src/contract/index.js';
import { shippedData } from '../catalogue/release-copy.js';

/* The rules of the pages that need neither a bridge nor a database. */

test('The status is added to the return URL, replacing an existing one, and the rest stays unchanged.', () => {
  const home = 'https://agency.example/done';
  equal(returnHref(home, 'submitted'), `${home}?status=submitted`);
  equal(returnHref(`${home}?`, 'submitted'), `${home}?status=submitted`);
  equal(returnHref(`${home}?page=a%20b&x#top`, 'cancelled'), `${home}?page=a%20b&x&status=cancelled#top`);
  equal(returnHref(`${home}?status=new&page=1`, 'submitted'), `${home}?page=1&status=submitted`);
  equal(returnHref(`${home}?page=1&%73tatus=new&status=b`, 'expired'), `${home}?page=1&status=expired`);
  equal(returnHref(`${home}#?status=own`, 'submitted'), `${home}?status=submitted#?status=own`);
});

/** The SSN or the choice of a form, or the fields with errors. */
function identity(fields: Record<string, string>, mode: Mode = 'test', offer?: SsnOffer) {
  const form = readForm(new URLSearchParams(fields).toString());
  const { value, errors } = parseIdentity(form, textsIn('en'), mode, offer);
  return value ?? errors.map(({ field }) => field);
}

test('Every type that the shipped catalogue offers has its name in both languages, and another one is shown as words.', async () => {
  const { offers } = (await loadCatalogue(shippedData)).release;
  for (const language of ['en', 'es'] as const)
    for (const slug of [...offers.licenseTypes, ...offers.applicationTypes])
      ok(Object.hasOwn(typeNames[language], slug), `${language} ${slug}`);
  const names = (slug: string) => (['en', 'es'] as const).map((language) => typeName(slug, language));
  deepEqual(names('life_health'), ['Life and health', 'Vida y salud']);
  deepEqual(names('pet-insurance_agent'), ['Pet insurance agent', 'Pet insurance agent']);
});

test('A receipt says what became of the money: reserved, charged, released, or not to be had.', () => {
  const texts = textsIn('en');
  const { released, reserved, notCharged } = texts.receipt;
  const paid = (status: PaymentStatus, problem: string | null = null) =>
    paidText({ texts, language: 'en' }, {
      ...{ amountCents: 15_120, method: 'card', cardLast4: '4242', status, problem },
    } as AuthorizedPaymentRow);
  const text = texts.review.paid('$151.20', '4242');
  equal(paid('authorized'), `${text}. ${reserved}`);
  equal(paid('capturing'), `${text}. ${reserved}`);
  equal(paid('capturing', 'declined'), `${text}. ${notCharged}`);
  equal(paid('captured'), text);
  equal(paid('voided'), `${text}. ${released}`);
});

test('An SSN is accepted with any separators.', () => {
  for (const ssn of ['219461234', '219 46 1234', '219.46.1234', '219\u201046\u20151234', ' 219-46-1234 '])
    deepEqual(identity({ ssn }, 'live'), { use: 'typed', ssn: '219461234' }, ssn);
  for (const ssn of ['', '21946123', '2194612345', '21946123a', '219_46_1234'])
    deepEqual(identity({ ssn }, 'live'), ['ssn'], ssn);
});

test('Test mode accepts only numbers that are never issued, and live mode none that were never issued or are void.', () => {
  for (const ssn of ['900-46-1234', '999461234']) equal(Array.isArray(identity({ ssn })), false, ssn);
  for (const ssn of ['899461234', '219461234', '000461234', '078051120']) deepEqual(identity({ ssn }), ['ssn'], ssn);
  const refused = ['000461234', '666461234', '219001234', '219460000', '900461234', '999461234'];
  for (const ssn of [...refused, '078-05-1120', '219-09-9999']) deepEqual(identity({ ssn }, 'live'), ['ssn'], ssn);
  for (const ssn of ['899461234', '200100000'.replace('0000', '0001'), '100066600'.replace('600', '601')])
    deepEqual(identity({ ssn }, 'live'), { use: 'typed', ssn }, ssn);
});

test('A form loses invisible characters, and keeps line breaks, accents and joined signs.', () => {
  const read = (typed: string) => readForm(new URLSearchParams({ name: typed }).toString()).text('name');
  for (const hidden of ['\u061c', '\u200b', '\u200f', '\u202e', '\u2066', '\ufeff'])
    equal(read(`Gar${hidden}cía`), 'García', JSON.stringify(hidden));
  for (const control of ['\x01', '\x08', '\x1b', '\x7f', '\x85', '\u2028'])
    equal(read(`Ana${control}María`), 'Ana María', JSON.stringify(control));
  for (const kept of ['García\nLópez', 'a\tb', 'क्‍ष', '李']) equal(read(kept), kept);
});

test('A stored SSN needs its last four digits where they are required, and a choice between both.', () => {
  for (const use of ['keep', 'earlier'] as const) {
    const offer = { use, needsDigits: true };
    deepEqual(identity({ use, ssnLastFour: '0004' }, 'test', offer), { use: 'stored', lastFour: '0004' });
    for (const ssnLastFour of ['', '004', '00004', 'abcd', '0 04'])
      deepEqual(identity({ use, ssnLastFour }, 'test', offer), ['ssnLastFour'], ssnLastFour);
    deepEqual(identity({ use }, 'test', { use, needsDigits: false }), { use: 'stored', lastFour: '' });
    deepEqual(identity({ use: 'typed', ssn: '900461234' }, 'test', offer), { use: 'typed', ssn: '900461234' });
    // The first form, posted again: it had no choice.
    deepEqual(identity({ ssn: '900461234' }, 'test', offer), { use: 'typed', ssn: '900461234' });
    deepEqual(identity({}, 'test', offer), [use]);
    const other = use === 'keep' ? 'earlier' : 'keep';
    deepEqual(identity({ use: other, ssn: '900461234' }, 'test', offer), [use]);
  }
  deepEqual(identity({ use: 'keep', ssnLastFour: '0004' }), ['ssn']);
});

test('A request brings a document when it posts a form with a file to a page of documents.', () => {
  const [type, path] = ['multipart/form-data; boundary=x', `/s/${'x'.repeat(43)}/background/documents`];
  const brings = (method: string, url: string, contentType?: string) =>
    bringsDocument({ method, url, headers: { 'content-type': contentType } } as never);
  for (const url of [path, `${path}?lang=es`, '/a/token/documents'])
    for (const contentType of [type, 'Multipart/Form-Data']) ok(brings('POST', url, contentType), url);
  ok(!brings('PUT', path, type) && !brings('POST', path) && !brings('POST', path, 'text/multipart/form-data'));
  for (const url of [
    '/s/token/documents',
    '/s/token/background',
    `${path}/x`,
    `/x${path}`,
    '/a/documents',
    '/a/b/c/documents',
    '/s/a/b/background/documents',
  ])
    ok(!brings('POST', url, type), url);
});

test('The address of a caller is the one that the outermost trusted proxy added.', () => {
  const address = (forwardedFor: string | undefined, proxies: number, remoteAddress: string | undefined = '10.0.0.1') =>
    callerAddress({ headers: { 'x-forwarded-for': forwardedFor }, socket: { remoteAddress } } as never, proxies);
  for (const [forwardedFor, proxies, expected] of [
    [undefined, 1, '10.0.0.1'],
    ['203.0.113.5', 0, '10.0.0.1'],
    ['203.0.113.5', 1, '203.0.113.5'],
    ['203.0.113.9, 203.0.113.5', 1, '203.0.113.5'],
    ['203.0.113.9 ,203.0.113.5', 2, '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9, 203.0.113.5', 2, '203.0.113.9'],
    ['203.0.113.5', 2, '203.0.113.5'],
    ['2001:db8::1', 1, '2001:db8::1'],
    ['203.0.113.5:51234', 1, '203.0.113.5'],
    ['198.51.100.1, 203.0.113.9:51234, 203.0.113.5', 2, '203.0.113.9'],
    ['[2001:db8::1]:51234', 1, '2001:db8::1'],
    ['[2001:db8::1]', 1, '2001:db8::1'],
    ['203.0.113.5:', 1, '10.0.0.1'],
    ['203.0.113.05', 1, '10.0.0.1'],
    ['unknown', 1, '10.0.0.1'],
    ['', 1, '10.0.0.1'],
  ] as const)
    equal(address(forwardedFor, proxies), expected, `${String(forwardedFor)} behind ${proxies}`);
  equal(callerAddress({ headers: {}, socket: {} } as never, 0), 'unknown');
});

test('A request was aborted when its connection is gone before its body is complete.', () => {
  const of = (incoming: object | undefined) => isAborted({ requestId: '', address: '', logged: {}, incoming } as never);
  deepEqual(
    [
      of(undefined),
      of({ destroyed: true, complete: false }),
      of({ destroyed: true, complete: true }),
      of({ destroyed: false }),
    ],
    [false, true, false, false],
  );
});
