import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { statusNames, stepNames } from '../../src/contract/index.js';
import { errorCodes, LicensingApplyError } from '../../src/element/events/errors.js';
import { templates as english } from '../../src/element/locales/en.js';
import { languageFor } from '../../src/element/locales/language.js';
import { languages, registerLocale } from '../../src/element/locales/languages.js';
import type { Translation } from '../../src/element/locales/translation.js';
import { failureText } from '../../src/element/locales/texts.js';
import { freshLocales } from '../support/locales.js';

const spanish = languages().translations.get('es') as Translation;
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the languages of the element', () => {
  it('are up to date with the catalogue, and no text is without its translation', async () => {
    const { files, missing } = await freshLocales();
    assert.deepEqual(missing, []);
    assert.equal(Object.keys(files).length, 4);
    for (const [path, text] of Object.entries(files)) {
      assert.equal(await readFile(root + path, 'utf8'), text, `${path}: run "npm run locales".`);
    }
  });

  it('have the same texts, with the same holes', () => {
    assert.deepEqual(Object.keys(spanish).sort(), Object.keys(english).sort());
    for (const [id, text] of Object.entries<Translation[keyof Translation]>(english)) {
      const translated: Translation[keyof Translation] = spanish[id as keyof Translation];
      const holes = (given: typeof text) => (typeof given === 'object' ? [...given.values].sort() : []);
      assert.deepEqual(holes(translated), holes(text), id);
    }
  });

  it('call steps and statuses what the hosted application calls them', () => {
    for (const [language, texts] of Object.entries({ en: english, es: spanish })) {
      const named = (start: string) =>
        Object.fromEntries(
          Object.entries(texts).flatMap(([id, text]) => (id.startsWith(start) ? [[id.slice(start.length), text]] : [])),
        );
      assert.deepEqual(named('step_'), stepNames[language as 'en' | 'es']);
      assert.deepEqual(named('status_'), statusNames[language as 'en' | 'es']);
    }
  });

  it('have a sentence for every failure', () => {
    for (const language of ['en', 'es']) {
      const { texts } = languageFor(language);
      for (const code of errorCodes) {
        assert.notEqual(failureText(texts, new LicensingApplyError(code)), texts.errorTitle, `${language} ${code}`);
      }
    }
  });
});

describe('a language', () => {
  it('writes numbers with its own digits', () => {
    registerLocale('fa', { status_approved: 'تایید شد' });
    // English among what is written from right to left, and marked as such.
    assert.equal(languageFor('fa').texts.step(3, 6, 'x'), '\u2066Step ۳ of ۶ · x\u2069');
    assert.equal(languageFor('fa').texts.status_approved, 'تایید شد');
    assert.equal(languageFor('en').texts.step(3, 6, 'x'), 'Step 3 of 6 · x');
  });

  it('knows which way it is written, by its script and not its name', () => {
    for (const tag of ['he', 'ur', 'pa-Arab', 'dv', 'az-IR']) registerLocale(tag, { close: 'x' });
    for (const tag of ['he', 'he-IL', 'ur-PK', 'pa-Arab', 'dv', 'az-IR', 'fa'])
      assert.equal(languageFor(tag).direction, 'rtl', tag);
    for (const tag of ['en', 'es-MX', 'pa', 'az', 'ar']) assert.equal(languageFor(tag).direction, 'ltr', tag);
  });

  it('gives functions the values as they are', () => {
    const given: unknown[] = [];
    registerLocale('pl', {
      expiring(minutes) {
        given.push(minutes);
        return new Intl.PluralRules('pl').select(minutes);
      },
    });
    assert.deepEqual([1, 2, 5].map(languageFor('pl').texts.expiring), ['one', 'few', 'many']);
    assert.deepEqual(given, [1, 2, 5]);
  });

  it('is the same for all writings of its tag', () => {
    registerLocale('SR-latn', { close: 'Zatvori' });
    assert.equal(languageFor('sr-Latn-RS-u-nu-latn').texts.close, 'Zatvori');
    assert.equal(languageFor('sr').texts.close, 'Close');
  });
});
