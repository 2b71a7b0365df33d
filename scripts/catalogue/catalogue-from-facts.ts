/**
 * Writes the fees and requirements of the shipped release of the catalogue from the facts about the
 * states: `node --import tsx scripts/catalogue/catalogue-from-facts.ts [FACTS [DATA]]`. FACTS is a
 * folder of facts, DATA the folder of a release; the defaults are those of the repository. With
 * `--check` it writes nothing, and fails when the release is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Disclosure, Fee, Jurisdiction, Needs, Release } from '../../src/bridge/catalogue/content.js';
import { readFacts, sourceText, urlOf, type Facts, type StateFacts } from './facts.js';

/** The files of a release that are made from facts, by name. */
export interface FactFiles {
  'jurisdictions.json': string;
  'disclosures.json': string;
}

/** Renders the files of a release from facts. `disclosures`: those of the release as they are. */
export function renderFactFiles(facts: Facts, release: Release, disclosures: readonly Disclosure[]): FactFiles {
  const jurisdictions = facts.states.map((state) => jurisdictionFrom(state, facts, release.effective));
  return {
    'jurisdictions.json': list(jurisdictions.map(renderJurisdiction)),
    'disclosures.json': list(disclosures.map((each) => renderEntry(withStates(each, facts), '  '))),
  };
}

/** The license types of the lines of authority. */
const licenseTypesOf: Record<string, { licenseTypes: string[]; optionalFor?: string[] }> = {
  life: { licenseTypes: ['life'] },
  accident_health: { licenseTypes: ['health', 'accident'] },
  // Few applicants for life sell variable products, which need a registration with FINRA.
  variable: { licenseTypes: ['variable', 'life'], optionalFor: ['life'] },
  property: { licenseTypes: ['property', 'pc'] },
  casualty: { licenseTypes: ['casualty', 'pc'] },
  personal_lines: { licenseTypes: ['personal'] },
  credit: { licenseTypes: ['credit'] },
  crop: { licenseTypes: ['crop'] },
  travel: { licenseTypes: ['travel'] },
  car_rental: { licenseTypes: ['rental'] },
  portable_electronics: { licenseTypes: ['electronics'] },
  surety: { licenseTypes: ['surety'] },
  surplus_lines: { licenseTypes: ['surplus', 'excess'] },
  title: { licenseTypes: ['title'] },
  bail: { licenseTypes: ['bail'] },
  adjuster: { licenseTypes: ['adjuster'] },
  public_adjuster: { licenseTypes: ['public_adjuster'] },
  consultant: { licenseTypes: ['consultant', 'counselor'] },
};

function jurisdictionFrom(state: StateFacts, { processingFee }: Facts, effective: string): Jurisdiction {
  const entry = (source: string) => ({ source, effective, sample: true });
  return {
    code: state.code,
    processingFee: { cents: processingFee.cents, ...entry(sourceText(processingFee.source)) },
    fees: state.fees.map((fact): Fee => {
      const { class: licenseClass, cents, source, residency, applicationType, ...rest } = fact;
      const amount = knownCents(cents);
      return {
        residency,
        applicationType,
        licenseClass,
        ...rest,
        ...(amount !== undefined && { stateFeeCents: amount }),
        ...entry(sourcesOf(state, source)),
      };
    }),
    linesOfAuthority: state.lines.map((id) => {
      const found = licenseTypesOf[id];
      if (found === undefined) throw new Error(`${state.code}: "${id}" is not a line of authority.`);
      return { id, ...found };
    }),
    needs: { resident: needsFrom(state, 'resident'), nonResident: needsFrom(state, 'nonResident') },
    department: state.department,
    ...entry(`Public site of the department: ${state.department.url}`),
  };
}

/** Of several amounts, of which `dependsOn` says which applies, the least; of one that varies, none. */
function knownCents(cents: number | number[] | undefined): number | undefined {
  if (!Array.isArray(cents)) return cents;
  return cents.length > 1 ? Math.min(...cents) : undefined;
}

function needsFrom(state: StateFacts, residency: 'resident' | 'nonResident'): Needs {
  const { education, exam, fingerprints, contact, lines } = state.needs[residency];
  const sourced = <Fact extends { source: string[] }>(fact: Fact) => ({ ...fact, source: urlOf(state, fact.source) });
  return {
    ...(education && { education: education.flatMap((course) => ('lines' in course ? [sourced(course)] : [])) }),
    ...(exam && { exam: sourced(exam) }),
    ...(fingerprints && { fingerprints: fingerprints.map(sourced) }),
    ...(contact && { contact: contact.map(sourced) }),
    ...(lines && { lines: lines.map(sourced) }),
  };
}

function sourcesOf(state: StateFacts, keys: readonly string[]): string {
  return keys.flatMap((key) => (state.sources[key] ? [sourceText(state.sources[key])] : [])).join('; ');
}

/**
 * The disclosures about fingerprints and appointments name the states whose facts say so. Those that
 * are known to take no fingerprints from nonresidents are named for residents only.
 */
function withStates(disclosure: Disclosure, { states }: Facts): Disclosure {
  const applies: Record<string, (state: StateFacts) => boolean> = {
    fingerprints: ({ needs }) => Object.values(needs).some(({ fingerprints = [] }) => fingerprints.length > 0),
    appointment: ({ appointments }) => appointments?.required === true && appointments.lines === undefined,
    appointment_limited_lines: ({ appointments }) => appointments?.lines !== undefined,
  };
  const isOne = applies[disclosure.id];
  if (isOne === undefined) return disclosure;
  const named = states.filter(isOne);
  const onlyResidents = named.filter(({ needs }) => needs.nonResident.fingerprints?.length === 0);
  return {
    ...disclosure,
    appliesTo: {
      ...disclosure.appliesTo,
      states: named.map(({ code }) => code),
      ...(disclosure.id === 'fingerprints' && { onlyResidentsOf: onlyResidents.map(({ code }) => code) }),
    },
  };
}

/** A fee a line: one that changes is one line of the diff. */
function renderJurisdiction({ code, processingFee, fees, linesOfAuthority, needs, ...rest }: Jurisdiction): string {
  const { department, ...provenance } = rest;
  const lines = (entries: readonly object[]) =>
    entries.length === 0 ? '[]' : `[\n${entries.map((entry) => `      ${oneLine(entry)}`).join(',\n')}\n    ]`;
  const fields = [
    `"code": ${JSON.stringify(code)}`,
    `"processingFee": ${oneLine(processingFee)}`,
    `"fees": ${lines(fees)}`,
    `"linesOfAuthority": ${lines(linesOfAuthority)}`,
    `"needs": ${renderNeeds(needs)}`,
    `"department": ${oneLine(department)}`,
    ...Object.entries(provenance).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`),
  ];
  return `  {\n${fields.map((field) => `    ${field}`).join(',\n')}\n  }`;
}

function renderNeeds(needs: Jurisdiction['needs']): string {
  const parts = Object.entries(needs).map(([residency, { education, exam, fingerprints, contact, lines }]) => {
    const fields = Object.entries({ education, exam, fingerprints, contact, lines }).flatMap(([key, value]) =>
      value === undefined ? [] : [`        "${key}": ${oneLine(value)}`],
    );
    return `      "${residency}": ${fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n      }`}`;
  });
  return `{\n${parts.join(',\n')}\n    }`;
}

function renderEntry(entry: object, indent: string): string {
  const fields = Object.entries(entry).map(([key, value]) => `${indent}  "${key}": ${oneLine(value as object)}`);
  return `${indent}{\n${fields.join(',\n')}\n${indent}}`;
}

function list(entries: readonly string[]): string {
  return `[\n${entries.join(',\n')}\n]\n`;
}

/** JSON with spaces, in one line. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}: ${oneLine(field)}`],
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The facts of the repository. */
export const keptFacts = here('facts');

/** The data of the shipped release. */
export const shippedData = here('../../src/bridge/catalogue/data');

function main(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } });
  const [facts = keptFacts, data = shippedData] = positionals;
  const read = (name: string): unknown => JSON.parse(readFileSync(join(data, name), 'utf8'));
  const disclosures = read('disclosures.json') as Disclosure[];
  const files = renderFactFiles(readFacts(facts), read('release.json') as Release, disclosures);
  for (const [name, text] of Object.entries(files) as [string, string][]) {
    if (values.check !== true) writeFileSync(join(data, name), text);
    else if (readFileSync(join(data, name), 'utf8') !== text) {
      console.error(`${name} is not what the facts say: run scripts/catalogue/catalogue-from-facts.ts`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) main();
