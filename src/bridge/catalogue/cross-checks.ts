import { stateCodes } from '../../contract/index.js';
import {
  catalogueLanguages as languages,
  type CatalogueContent,
  homeStateFee,
  type CatalogueTexts,
  type Fee,
  type FollowUp,
  type Jurisdiction,
  type Provenance,
  type Question,
} from './content.js';

/** Reports a problem in a file: `en/questions`, and the path of the field. */
export type Report = (file: string, path: readonly PropertyKey[], message: string) => void;

/** Checks references between the files of a release. Each file has passed its schema. */
export function crossCheck(content: CatalogueContent, report: Report): void {
  checkQuestions(content, report);
  checkDisclosures(content, report);
  checkAttestations(content, report);
  checkJurisdictions(content, report);
  checkEffective(content, report);
  for (const file of textFileNames) checkTextsOf(content, file, report);
}

function checkQuestions({ questions }: CatalogueContent, report: Report): void {
  const earlier = new Map<string, Question>();
  const all = new Set(questions.map(({ id }) => id));
  for (const [index, question] of questions.entries()) {
    const { id, group, after, followUps, maxIncidents } = question;
    const wrong = (path: readonly PropertyKey[], message: string) => {
      report('questions', [index, ...path], message);
    };
    if (earlier.has(id)) wrong(['id'], `expected each question once, "${id}" is there twice`);
    if (after !== undefined) {
      const parent = earlier.get(after.question);
      const path = ['after', 'question'];
      if (!all.has(after.question)) wrong(path, `expected a question of the catalogue, not "${after.question}"`);
      // This also prevents circular conditions.
      else if (parent === undefined) wrong(path, `expected a question before this one: "${after.question}" is not`);
      else if (parent.group !== group) wrong(path, `expected a question of the group "${group}"`);
    }
    if (maxIncidents !== undefined && followUps.every(({ type }) => type === 'document'))
      wrong(['maxIncidents'], 'expected only with a follow-up that is no document');
    checkFollowUps(followUps, (path, message) => {
      wrong(['followUps', ...path], message);
    });
    earlier.set(id, question);
  }
}

/** The follow-up types of an attribute. */
const attributesOf: Partial<Record<keyof FollowUp, readonly string[]>> = {
  maxLength: ['text', 'longText', 'place'],
  min: ['number'],
  max: ['number'],
  when: ['date', 'month'],
  choices: ['choice'],
};

function checkFollowUps(followUps: readonly FollowUp[], wrong: (path: PropertyKey[], message: string) => void): void {
  const seen = new Set<string>();
  for (const [index, followUp] of followUps.entries()) {
    const { id, type, min = 0, max = 999_999, choices } = followUp;
    if (seen.has(id)) wrong([index, 'id'], `expected each follow-up once, "${id}" is there twice`);
    seen.add(id);
    for (const [name, types] of Object.entries(attributesOf)) {
      const isThere = followUp[name as keyof FollowUp] !== undefined;
      if (isThere && !types.includes(type)) wrong([index, name], `expected only with the type ${types.join(', ')}`);
    }
    if (type === 'choice' && choices === undefined) wrong([index], 'expected choices');
    if (new Set(choices).size !== (choices ?? []).length) wrong([index, 'choices'], 'expected each choice once');
    if (min > max) wrong([index, 'min'], 'expected a least value below the greatest');
  }
}

function checkDisclosures({ disclosures, texts }: CatalogueContent, report: Report): void {
  checkOnce('disclosures', disclosures, report);
  for (const [index, { id, kind, appliesTo }] of disclosures.entries()) {
    if (kind === 'state' && appliesTo.states === undefined) {
      report('disclosures', [index, 'appliesTo'], 'expected the states of a disclosure of the kind "state"');
    }
    for (const language of languages) {
      const words = texts[language].disclosures[id];
      const isNamed = words?.short.includes('{state}') ?? kind === 'state';
      if (isNamed === (kind === 'state')) continue;
      const message = kind === 'state' ? 'expected {state} in it' : 'expected no {state}: it is shared by all states';
      report(`${language}/disclosures`, [id, 'short'], message);
    }
  }
}

function checkAttestations({ attestations }: CatalogueContent, report: Report): void {
  checkOnce('attestations', attestations, report);
  if (!attestations.some(({ appliesTo }) => Object.keys(appliesTo).length === 0)) {
    report('attestations', [], 'expected at least one that applies everywhere');
  }
}

function checkJurisdictions({ jurisdictions }: CatalogueContent, report: Report): void {
  const seen = new Set<string>();
  for (const [index, jurisdiction] of jurisdictions.entries()) {
    const { code, linesOfAuthority } = jurisdiction;
    if (seen.has(code)) report('jurisdictions', [index, 'code'], `expected each once, ${code} is there twice`);
    seen.add(code);
    checkOnce('jurisdictions', linesOfAuthority, report, [index, 'linesOfAuthority']);
    const wrong = (path: PropertyKey[], message: string) => {
      report('jurisdictions', [index, ...path], message);
    };
    checkProvenance(jurisdiction, [], wrong);
    checkFees(jurisdiction, wrong);
    checkNeeds(jurisdiction, wrong);
  }
  const missing = stateCodes.filter((code) => !seen.has(code));
  if (missing.length > 0) report('jurisdictions', [], `expected all 56, missing: ${missing.join(', ')}`);
}

/** Finds fees that contradict each other, or that cannot apply. */
function checkFees(
  { code, fees, processingFee, linesOfAuthority }: Jurisdiction,
  wrong: (path: PropertyKey[], message: string) => void,
): void {
  const offered = new Set(linesOfAuthority.map(({ id }) => id));
  const seen = new Set<string>();
  checkProvenance(processingFee, ['processingFee'], wrong);
  for (const [at, fee] of fees.entries()) {
    const { residency, applicationType, lines, unless = [], addition, licenseClass } = fee;
    const { stateFeeCents, byHomeState, dependsOn, retaliatoryFrom } = fee;
    const path = ['fees', at];
    for (const line of [...lines, ...unless]) {
      if (!offered.has(line)) wrong(path, `expected lines of authority of ${code}, not "${line}"`);
    }
    checkProvenance(fee, path, wrong);
    const kinds = addition === true ? [licenseClass] : lines;
    for (const kind of kinds) {
      const key = `${applicationType}, ${residency}, ${kind}`;
      // Otherwise a user would pay twice.
      if (seen.has(key)) wrong(path, `expected one fee for ${key}`);
      seen.add(key);
    }
    if (stateFeeCents === undefined && byHomeState === undefined && dependsOn === undefined) {
      wrong(path, 'expected stateFeeCents, byHomeState or dependsOn');
    }
    if (byHomeState !== undefined && dependsOn !== undefined) {
      wrong([...path, 'dependsOn'], 'expected no byHomeState with dependsOn');
    }
    if (residency === 'resident' && (byHomeState ?? retaliatoryFrom) !== undefined) {
      wrong(path, 'expected byHomeState and retaliatoryFrom only for nonResident');
    }
  }
}

/** Finds requirements for lines that a department does not offer. */
function checkNeeds(
  { code, needs, linesOfAuthority }: Jurisdiction,
  wrong: (path: PropertyKey[], message: string) => void,
): void {
  const offered = new Set(linesOfAuthority.map(({ id }) => id));
  for (const [residency, { education = [], exam, fingerprints = [], lines: rules = [] }] of Object.entries(needs)) {
    const lines = [
      ...education.flatMap((course) => [...course.lines, ...(course.unless ?? [])]),
      ...(exam?.lines ?? []),
      ...fingerprints.flatMap((need) => need.lines ?? []),
      ...rules.flatMap((rule) => [...('line' in rule ? [rule.line] : []), ...(rule.lines ?? [])]),
    ];
    for (const line of new Set(lines)) {
      if (!offered.has(line)) wrong(['needs', residency], `expected lines of authority of ${code}, not "${line}"`);
    }
  }
}

/** Fees change: operators who verify one have to find where it was published, and who did it last. */
function checkProvenance(
  { source, sample, confirmed }: Provenance,
  path: PropertyKey[],
  wrong: (path: PropertyKey[], message: string) => void,
): void {
  if (!/https?:\/\//.test(source)) wrong([...path, 'source'], 'expected the URL of a page of the department');
  if (sample === (confirmed === undefined)) return;
  wrong([...path, 'sample'], 'expected false with confirmed, and true without: use "catalogue confirm"');
}

/** Otherwise an entry would be used before it is valid. */
function checkEffective(content: CatalogueContent, report: Report): void {
  const { release, questions, disclosures, attestations, jurisdictions } = content;
  const check = (file: string, path: PropertyKey[], effective: string) => {
    if (effective <= release.effective) return;
    report(file, [...path, 'effective'], `expected no day after that of the release (${release.effective})`);
  };
  for (const [file, entries] of Object.entries({ questions, disclosures, attestations, jurisdictions })) {
    for (const [index, { effective }] of entries.entries()) check(file, [index], effective);
  }
  for (const [index, { fees, processingFee }] of jurisdictions.entries()) {
    check('jurisdictions', [index, 'processingFee'], processingFee.effective);
    for (const [at, { effective }] of fees.entries()) check('jurisdictions', [index, 'fees', at], effective);
  }
}

function checkOnce(
  file: string,
  entries: readonly { id: string }[],
  report: Report,
  path: readonly PropertyKey[] = [],
): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id)) report(file, [...path, index, 'id'], `expected each once, "${id}" is there twice`);
    seen.add(id);
  }
}

const textFileNames = [
  'groups',
  'questions',
  'followUps',
  'disclosures',
  'attestations',
  'linesOfAuthority',
  'feeConditions',
  'jurisdictions',
] as const satisfies (keyof CatalogueTexts)[];

/** The file of texts in the folder of a language. */
export function textFileName(key: keyof CatalogueTexts): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Each id has texts in both languages with the same fields, and there are no other texts. */
function checkTextsOf(content: CatalogueContent, file: keyof CatalogueTexts, report: Report): void {
  const wanted = expectedTexts(content, file);
  const [first, ...others] = languages;
  for (const language of languages) {
    const name = `${language}/${textFileName(file)}`;
    const texts: Record<string, unknown> = content.texts[language][file];
    for (const id of wanted.required) if (!Object.hasOwn(texts, id)) report(name, [], `expected the words of "${id}"`);
    for (const [id, words] of Object.entries(texts)) {
      if (!wanted.allowed.has(id)) report(name, [id], `expected only what the catalogue has, not "${id}"`);
      checkPlaceholders(words, file === 'disclosures', (path) => {
        report(name, [id, ...path], 'expected no other braces than {state} in a disclosure');
      });
    }
  }
  for (const language of others) {
    const [left, right] = [content.texts[first][file], content.texts[language][file]];
    const [leftName, rightName] = [first, language].map((each) => `${each}/${textFileName(file)}`);
    compareKeys(left, right, [], (path) => {
      report(rightName ?? '', path, `expected the same fields as ${leftName ?? ''}.json`);
    });
  }
  if (file === 'questions') checkFollowUpTexts(content, report);
}

function expectedTexts(
  { questions, disclosures, attestations, jurisdictions }: CatalogueContent,
  file: keyof CatalogueTexts,
): { required: ReadonlySet<string>; allowed: ReadonlySet<string> } {
  const none = new Set<string>();
  const exactly = (ids: readonly string[]) => ({ required: new Set(ids), allowed: new Set(ids) });
  switch (file) {
    case 'groups':
      return exactly(questions.map(({ group }) => group));
    case 'questions':
      return exactly(questions.map(({ id }) => id));
    case 'followUps':
      return { required: none, allowed: new Set(questions.flatMap(({ followUps }) => followUps.map(({ id }) => id))) };
    case 'disclosures':
      return exactly(disclosures.map(({ id }) => id));
    case 'attestations':
      return exactly(attestations.map(({ id }) => id));
    case 'linesOfAuthority':
      return exactly(jurisdictions.flatMap(({ linesOfAuthority }) => linesOfAuthority.map(({ id }) => id)));
    case 'feeConditions':
      return exactly(jurisdictions.flatMap(({ fees }) => fees.flatMap(conditionsOf)));
    case 'jurisdictions':
      return { required: none, allowed: new Set(stateCodes) };
  }
}

function conditionsOf({ dependsOn, byHomeState, retaliatoryFrom }: Fee): string[] {
  return [...(dependsOn ? [dependsOn] : []), ...((byHomeState ?? retaliatoryFrom) ? [homeStateFee] : [])];
}

/**
 * Each follow-up has a label and a label for each choice, from its question or from the common
 * texts.
 */
function checkFollowUpTexts({ questions, texts }: CatalogueContent, report: Report): void {
  for (const language of languages) {
    const name = `${language}/questions`;
    const shared = texts[language].followUps;
    for (const { id: question, followUps } of questions) {
      const own = texts[language].questions[question]?.followUps ?? {};
      for (const { id, choices = [] } of followUps) {
        const words = own[id] ?? shared[id];
        const path = own[id] ? [question, 'followUps', id] : [question];
        if (words === undefined) report(name, path, `expected the words of the follow-up "${id}"`);
        const missing = choices.filter((choice) => words !== undefined && words.choices?.[choice] === undefined);
        if (missing.length > 0) report(name, path, `expected words for the choices ${missing.join(', ')} of "${id}"`);
      }
      for (const id of Object.keys(own)) {
        if (followUps.some((followUp) => followUp.id === id)) continue;
        report(name, [question, 'followUps', id], `expected only follow-ups of the question, not "${id}"`);
      }
    }
  }
}

function checkPlaceholders(words: unknown, isStateNamed: boolean, wrong: (path: PropertyKey[]) => void): void {
  if (typeof words === 'string') {
    if (/[{}]/.test(isStateNamed ? words.replaceAll('{state}', '') : words)) wrong([]);
  } else if (words !== null && typeof words === 'object') {
    for (const [key, part] of Object.entries(words)) {
      checkPlaceholders(part, isStateNamed, (path) => {
        wrong([key, ...path]);
      });
    }
  }
}

function compareKeys(left: unknown, right: unknown, path: PropertyKey[], differ: (path: PropertyKey[]) => void): void {
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return;
  const [leftKeys, rightKeys] = [Object.keys(left).sort(), Object.keys(right).sort()];
  // Ids in only one language are reported already.
  if (path.length > 0 && leftKeys.join() !== rightKeys.join()) differ(path);
  for (const key of leftKeys) {
    compareKeys(Reflect.get(left, key), Reflect.get(right, key), [...path, key], differ);
  }
}
