import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCatalogue } from '../../../src/bridge/catalogue/catalogue.js';
import {
  parseSubject,
  subjectName,
  subjectsOffered,
  writeSubject,
} from '../../../src/bridge/catalogue/document-subjects.js';
import { loadShippedCatalogue } from '../../../src/bridge/catalogue/shipped.js';

const catalogue = createCatalogue(await loadShippedCatalogue());
const application = { states: ['TX'] as const, applicationType: 'new', licenseType: 'life_health' };
const offeredIn = (language: 'en' | 'es') => subjectsOffered(catalogue, application, language);

describe('the subjects of documents', () => {
  it('A subject is read as it was written, and no other text is one.', () => {
    for (const subject of [
      { question: 'felony', followUp: 'courtDocument', incident: 1 },
      { question: 'child_support_warrant', followUp: 'paymentProof', incident: 99 },
    ]) {
      deepEqual(parseSubject(writeSubject(subject)), subject);
    }
    const others = ['', 'other/1', 'felony/courtDocument', 'felony/courtDocument/0', 'felony/courtDocument/100'];
    const malformed = ['a b/c/1', 'felony/court_document/1', 'felony/courtDocument/1\n', ' felony/courtDocument/1'];
    for (const text of [...others, ...malformed, `${'a'.repeat(61)}/b/1`, `a/${'b'.repeat(41)}/1`]) {
      equal(parseSubject(text), undefined, text);
    }
  });

  it('Every follow-up that takes a document is offered, with the number of its question or its first words.', () => {
    const names = offeredIn('en').map(({ name }) => name);
    ok(names.includes('1b: Court papers'));
    ok(names.includes('7c: Proof of your payments, or the repayment plan'));
    ok(names.includes('Was that consent granted?: A copy of the document'));
    ok(names.some((name) => /^If it was a felony of dishonesty.{1,40}…: A copy of the document$/.test(name)));
    equal(new Set(names).size, names.length);
    equal(names.at(-1), 'Permission to work in the United States');
  });

  it('The name of a subject has the incident where the question takes several, in both languages.', () => {
    const felony = { question: 'felony', followUp: 'courtDocument', incident: 2 };
    equal(subjectName(offeredIn('en'), felony, 'en'), '1b: Court papers, Incident 2');
    ok(subjectName(offeredIn('es'), felony, 'es').endsWith(', Incidente 2'));
    const warrant = { question: 'child_support_warrant', followUp: 'paymentProof', incident: 1 };
    equal(subjectName(offeredIn('en'), warrant, 'en'), '7c: Proof of your payments, or the repayment plan');
    equal(subjectName(offeredIn('en'), { ...felony, followUp: 'other' }, 'en'), '');
    equal(subjectName(offeredIn('en'), { ...felony, question: 'misdemeanor2' }, 'en'), '');
  });
});
