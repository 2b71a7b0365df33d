import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contactRules, type ContactRule } from '../../../../src/bridge/catalogue/content.js';
import {
  checkPage,
  emptyRecord,
  openPages,
  requiredOn,
  type AppliedFor,
  type ProfileRecord,
} from '../../../../src/bridge/domain/applications/profile/pages.js';
import { topicTexts } from '../../../../src/bridge/domain/applications/profile/texts/index.js';
import type { TopicId, Values } from '../../../../src/bridge/domain/applications/profile/topics.js';

const today = new Date('2026-11-30T12:00:00Z');

/** An application in Texas, which has rules for residents, and Florida, which has some for all others. */
function applied(resident: readonly ContactRule[], nonResident: readonly ContactRule[] = resident): AppliedFor {
  return {
    applicationType: 'new',
    states: ['TX', 'FL'],
    requirements: {
      linesOf: () => [],
      topicsOf: () => [],
      lineRulesOf: () => [],
      contactRulesOf: (state, residency) => {
        if (residency === 'resident') return state === 'TX' ? resident : [];
        return state === 'FL' ? nonResident : [];
      },
      lineName: (id) => id,
    },
  };
}

const texan = { street: '1 Elm', city: 'Austin', abroad: 'us', state: 'TX', zip: '78701' };
const abroad = { street: 'Calle 1', city: 'Monterrey', abroad: 'abroad', country: 'MX' };
const office = { ...texan, which: 'other' };
const reachable = { email: 'a@example.com', phone: '512 555 0100' };

function recordOf(pages: Record<string, Values>): ProfileRecord {
  return { ...emptyRecord(), pages, confirmed: Object.keys(pages) };
}

function problemsOf(topic: TopicId, typed: Values, rules: AppliedFor, pages: Record<string, Values> = { home: texan }) {
  const { problems = [] } = checkPage(recordOf(pages), { topic }, typed, rules, today);
  return problems.map(({ field, problem, states = [] }) => `${field}:${problem}:${states.join()}`);
}

describe('rules of departments for the ways to reach an applicant', () => {
  for (const [rule, topic, broken, kept, field] of [
    ['businessEmail', 'contact', reachable, { ...reachable, businessEmail: 'b@example.com' }, 'businessEmail:required'],
    ['businessPhone', 'contact', reachable, { ...reachable, businessPhone: '5125550100' }, 'businessPhone:required'],
    ['businessAddress', 'business', { which: 'none' }, { which: 'home' }, 'which:required'],
    ['noBusinessBox', 'business', { ...office, street: 'P.O. Box 12' }, office, 'street:refused'],
    ['noBusinessBox', 'business', { ...office, street: 'Apartado 12' }, { which: 'none' }, 'street:refused'],
    ['noBusinessBox', 'business', { ...office, line2: 'PO Box 12' }, { ...office, line2: 'Suite 12' }, 'line2:refused'],
    ['usPhone', 'contact', { ...reachable, phone: '+52 81 5555 01000' }, reachable, 'phone:refused'],
    [
      'usPhone',
      'contact',
      { ...reachable, businessPhone: '+44 20 7946 0123' },
      { ...reachable, businessPhone: '+1 (512) 555-0100 ext. 1234' },
      'businessPhone:refused',
    ],
    ['usAddress', 'home', abroad, texan, 'abroad:refused'],
    ['usAddress', 'business', { ...abroad, which: 'other' }, office, 'abroad:refused'],
    ['usAddress', 'mailing', { ...abroad, which: 'other' }, { which: 'home' }, 'abroad:refused'],
  ] as [ContactRule, TopicId, Values, Values, string][]) {
    it(`${rule}: ${field.replace(':', ' is ')} by the states that have the rule.`, () => {
      const pages = { residency: { homeState: 'TX', homeLicense: 'active' } };
      deepEqual(problemsOf(topic, broken, applied([rule]), pages), [`${field}:TX,FL`]);
      deepEqual(problemsOf(topic, broken, applied([rule], []), pages), [`${field}:TX`]);
      deepEqual(problemsOf(topic, broken, applied([]), pages), []);
      deepEqual(problemsOf(topic, kept, applied([rule]), pages), []);
    });
  }

  it('The residency is that of the home address, until the user has said it.', () => {
    const rules = applied(['businessAddress'], []);
    const none = { which: 'none' };
    deepEqual(problemsOf('business', none, rules, {}), []);
    deepEqual(problemsOf('business', none, rules, { home: { ...texan, state: 'OK' } }), []);
    deepEqual(problemsOf('business', none, rules, { home: texan }), ['which:required:TX']);
    const elsewhere = { home: texan, residency: { homeState: 'OK', homeLicense: 'active' } };
    deepEqual(problemsOf('business', none, rules, elsewhere), []);
  });

  it('A confirmed page is incomplete again when a later answer brings a rule that it breaks.', () => {
    const isOpen = (pages: Record<string, Values>) =>
      openPages(recordOf(pages), applied(['businessEmail'], []), today).some(({ key }) => key === 'contact');
    deepEqual(isOpen({ contact: reachable }), false);
    deepEqual(isOpen({ contact: reachable, home: texan }), true);
  });

  it('A field that a state requires is not marked as optional.', () => {
    const required = (rules: AppliedFor, topic: TopicId = 'contact') =>
      requiredOn(recordOf({ home: texan }), { key: topic, topic }, rules);
    deepEqual(required(applied(['businessEmail', 'businessPhone'], [])), ['businessEmail', 'businessPhone']);
    deepEqual(required(applied(contactRules), 'business'), []);
    deepEqual(required(applied([])), []);
  });

  it('Each problem has a text with the names of the states, in both languages.', () => {
    for (const language of ['en', 'es'] as const) {
      for (const [topic, field, problem] of [
        ['contact', 'businessEmail', 'required'],
        ['contact', 'businessPhone', 'required'],
        ['contact', 'businessPhone', 'refused'],
        ['contact', 'phone', 'refused'],
        ['business', 'which', 'required'],
        ['business', 'street', 'refused'],
        ['home', 'abroad', 'refused'],
        ['business', 'abroad', 'refused'],
        ['mailing', 'abroad', 'refused'],
      ] as const) {
        const text = topicTexts(topic, language).fields[field]?.problems?.[problem] ?? '';
        deepEqual(text.split('{states}').length, 2, `${language} ${topic} ${field}`);
      }
    }
  });
});
