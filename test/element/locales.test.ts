import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stateCodes, statusNames, stepNames, waitingNames } from '../../src/contract/index.js';
import { errorCodes, LicensingApplyError } from '../../src/element/errors.js';
import { en } from '../../src/element/locales/en.js';
import { es } from '../../src/element/locales/es.js';
import { formatAmount, formatDate, formatList, formatTime } from '../../src/element/locales/formats.js';
import { languageFor, loadLanguage, registerLocale } from '../../src/element/locales/language.js';
import { errorText, stateName, statusAnnouncement, statusName, stepLine } from '../../src/element/locales/phrases.js';
import type { Texts } from '../../src/element/locales/texts.js';

const values = {
  ...{ host: '<host>', index: 31, count: 67, name: '<name>', time: '<time>', state: '<state>' },
  ...{ date: '<date>', status: '<status>', minutes: 45, number: '<number>' },
};

/**
 * Every text by its path, such as `errors.offline`; the texts with values in the form that `values`
 * gives.
 */
function allTexts(texts: object, path = ''): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]: [string, string | object]) => {
    if (typeof text === 'function') return [[path + key, (text as (given: typeof values) => string)(values)]];
    return typeof text === 'string' ? [[path + key, text]] : allTexts(text, `${path}${key}.`);
  });
}

for (const [name, texts] of Object.entries({ en, es })) {
  it(`the built-in languages have every text of ${name}, and each is written with all of its values`, () => {
    assert.deepEqual(
      allTexts(texts).map(([path]) => path),
      allTexts(en).map(([path]) => path),
    );
    const english = Object.fromEntries(allTexts(en));
    for (const [path, text] of allTexts(texts)) {
      assert.match(text, /\S/, path);
      assert.doesNotMatch(text, /undefined|\[object/, path);
      for (const value of Object.values(values).map(String))
        assert.equal(text.includes(value), english[path]?.includes(value), `${path}: ${value}`);
    }
  });

  it(`the built-in languages have the same names of steps and statuses in ${name} as the hosted application`, () => {
    assert.deepEqual(texts.steps, stepNames[name as 'en' | 'es']);
    assert.deepEqual(texts.statuses, statusNames[name as 'en' | 'es']);
    assert.deepEqual(texts.waiting, waitingNames[name as 'en' | 'es']);
  });

  it(`the built-in languages describe every error in ${name}`, () => {
    for (const code of errorCodes)
      assert.notEqual(errorText(texts, new LicensingApplyError(code)), texts.errorTitle, code);
  });
}

it('the built-in languages count minutes in the singular and the plural', () => {
  assert.match(en.expiring({ minutes: 1 }), /^1 minute left\./);
  assert.match(en.expiring({ minutes: 5 }), /^5 minutes left\./);
  assert.match(es.expiring({ minutes: 1 }), /^Queda 1 minuto\./);
  assert.match(es.expiring({ minutes: 5 }), /^Quedan 5 minutos\./);
});

it('the built-in languages name all states, in Spanish as Spanish does', () => {
  assert.equal(stateCodes.length, 56);
  for (const code of stateCodes) assert.notEqual(stateName(es, code), code);
  assert.deepEqual(
    ['NY', 'NC', 'PA', 'DC', 'VI', 'TX'].map((code) => stateName(es, code)),
    [
      ...['Nueva York', 'Carolina del Norte', 'Pensilvania', 'Distrito de Columbia'],
      ...['Islas Vírgenes de los Estados Unidos', 'Texas'],
    ],
  );
  assert.equal(stateName(en, 'NY'), 'New York');
});

it('the built-in languages show codes that are newer than this build as they are', () => {
  assert.equal(stateName(es, 'ZZ'), 'ZZ');
  assert.equal(statusName(es, { status: 'on_hold' }), 'on hold');
  assert.equal(statusName(es, { status: 'constructor' }), 'constructor');
});

it('the built-in languages say "Not filed yet" only of a pending state with which the application is not filed', () => {
  const reason = 'not_filed';
  assert.equal(statusName(en, { status: 'pending_review', reason }), 'Not filed yet');
  assert.equal(statusName(es, { status: 'pending_review', reason }), 'Todavía no presentada');
  assert.equal(statusName(en, { status: 'pending_review', reason: 'waits_for_somebody' }), 'In review');
  assert.equal(statusName(en, { status: 'denied', reason }), 'Denied');
  const states = [{ state: 'NY', status: 'pending_review', reason }] as const;
  assert.equal(statusAnnouncement({ texts: en, locale: 'en' }, states), 'New York: Not filed yet');
});

it('the built-in languages announce statuses as a list', () => {
  const states = [
    { state: 'NY', status: 'approved' },
    { state: 'TX', status: 'denied' },
  ] as const;
  assert.equal(statusAnnouncement({ texts: en, locale: 'en' }, states), 'New York: Approved and Texas: Denied');
  assert.equal(statusAnnouncement({ texts: es, locale: 'es' }, states), 'Nueva York: Aprobada y Texas: Denegada');
});

it('the built-in languages write dates, times, amounts and lists as usual in the language', () => {
  const spaces = (text: string) => text.replace(/\s/g, ' ');
  assert.equal(formatDate('2026-11-20T14:02:00', 'en'), 'Nov 20, 2026');
  assert.equal(formatDate('2026-11-20T14:02:00', 'es'), '20 nov 2026');
  assert.equal(spaces(formatTime('2026-11-20T14:02:00', 'en')), '2:02 PM');
  assert.equal(formatTime('yesterday', 'en'), '');
  assert.equal(formatAmount(1235.5, 'es'), '$1,235.50');
  assert.equal(spaces(formatAmount(1235.5, 'de')), '1.235,50 $');
  assert.equal(formatList(['Texas', 'Ohio', 'Utah'], 'en'), 'Texas, Ohio, and Utah');
  assert.equal(formatList(['Texas', 'Ohio', 'Utah'], 'es'), 'Texas, Ohio y Utah');
});

it('a registered language falls back to English for each text that is missing, and its regions fall back to it', () => {
  registerLocale('fr', {
    start: 'Commencer',
    close: 'Fermer',
    steps: { payment: 'Paiement' },
    connecting: ({ host }) => `Connexion à ${host}…`,
  });
  registerLocale('fr-CA', { close: 'Quitter', stateNames: { NY: 'New York (É.-U.)' } });
  const { texts, locale } = languageFor('fr-CA-u-nu-latn');
  assert.equal(locale, 'fr-CA-u-nu-latn');
  assert.deepEqual([texts.start, texts.close, texts.title], ['Commencer', 'Quitter', en.title]);
  assert.deepEqual([texts.steps.payment, texts.steps.review], ['Paiement', en.steps.review]);
  assert.deepEqual([stateName(texts, 'NY'), stateName(texts, 'TX')], ['New York (É.-U.)', 'Texas']);
  assert.equal(texts.connecting({ host: 'a.example' }), 'Connexion à a.example…');
  assert.equal(languageFor('fr').texts.close, 'Fermer');
  assert.equal(languageFor('de').locale, 'en');
  assert.equal(languageFor('de').texts.close, en.close);
});

it('a registered language overrides the built-in Spanish, also when it was registered first', async () => {
  registerLocale('es', { start: 'Comenzar' });
  await loadLanguage('es-MX');
  assert.equal(loadLanguage('es-MX'), undefined);
  assert.equal(loadLanguage('en-US'), undefined);
  const { texts, locale } = languageFor('es-MX');
  assert.deepEqual([texts.start, texts.close, locale], ['Comenzar', es.close, 'es-MX']);
});

it('a registered language ignores texts of the wrong type', () => {
  const wrong = { connecting: 'Verbinden', steps: null, title: undefined, close: 'Sluiten', unknown: 'x' };
  registerLocale('nl', wrong as unknown as Partial<Texts>);
  const { texts } = languageFor('nl');
  assert.equal(texts.connecting({ host: 'a.example' }), 'Connecting to a.example…');
  assert.deepEqual(texts.steps, en.steps);
  assert.deepEqual([texts.title, texts.close], [en.title, 'Sluiten']);
});

it('a registered language is a type error when it is declared as complete and is not', () => {
  // @ts-expect-error -- all other texts are missing
  registerLocale('it', { title: 'Domanda di licenza' } satisfies Texts);
  assert.equal(languageFor('it').texts.title, 'Domanda di licenza');
  assert.throws(() => {
    registerLocale('it_IT', {});
  }, RangeError);
});

it('a registered language is written in the direction of its script, and English texts in it are marked as left to right', () => {
  for (const tag of ['he', 'ur', 'pa-Arab', 'az-IR']) registerLocale(tag, { close: 'x' });
  for (const tag of ['he-IL', 'ur-PK', 'pa-Arab', 'az-IR']) assert.equal(languageFor(tag).direction, 'rtl', tag);
  for (const tag of ['en', 'es-MX', 'pa', 'az', 'ar']) assert.equal(languageFor(tag).direction, 'ltr', tag);
  const { texts } = languageFor('he');
  assert.equal(texts.close, 'x');
  assert.equal(texts.errors.popup_blocked, '\u2066Your browser blocked the popup.\u2069');
  assert.equal(
    stepLine(texts, { step: 'review', index: 5, count: 6 }),
    '\u2066Step 5 of 6 · \u2066Review and sign\u2069\u2069',
  );
});
