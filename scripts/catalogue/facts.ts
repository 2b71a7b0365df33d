/**
 * The facts about the states from which the fees and requirements of the catalogue are made: values
 * with the pages that publish them, one file for each state. Values without a page are left out.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  contactRules,
  examTimes,
  fingerprintTimes,
  residencies,
  rulesOfAllLines,
  rulesOfOneLine,
} from '../../src/bridge/catalogue/content.js';
import { stateCodes } from '../../src/contract/index.js';

const source = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** The newest year that the page is known to describe. */
  asOf: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
});

/** The keys of `sources`. */
const sourceKeys = z.array(z.string()).min(1);
const lines = z.array(z.string()).min(1);
const cents = z.int().min(0);
const applicationTypes = ['new', 'renewal', 'reinstatement', 'amendment'] as const;

const fee = z.strictObject({
  residency: z.enum(residencies),
  applicationType: z.enum(applicationTypes),
  /** The name of the class or charge, as the state calls it. */
  class: z.string(),
  /** Our lines of authority of the class. */
  lines,
  per: z.enum(['application', 'line']),
  /** Several amounts: `dependsOn` says which of them applies. A list of one: it changes the amount. */
  cents: z.union([cents, z.array(cents).min(1)]).optional(),
  byHomeState: z.partialRecord(z.enum(stateCodes), cents).optional(),
  retaliatoryFrom: z.array(z.enum(stateCodes)).optional(),
  addition: z.literal(true).optional(),
  fromLines: z.int().optional(),
  unless: lines.optional(),
  dependsOn: z.string().optional(),
  source: sourceKeys,
});

const lineRule = { applicationTypes: z.array(z.enum(applicationTypes)).min(1).optional(), source: sourceKeys };

const needs = z.strictObject({
  /** Empty: the state requires none. Absent: unknown. */
  education: z
    .array(
      z.union([
        /** The page that says that no other course is required. */
        z.strictObject({ hours: z.literal(0), source: sourceKeys }),
        z.strictObject({
          lines,
          /** Absent: a course is required, and its hours are unknown. */
          hours: z.int().min(1).optional(),
          addition: z.literal(true).optional(),
          unless: lines.optional(),
          source: sourceKeys,
        }),
      ]),
    )
    .optional(),
  exam: z
    .strictObject({
      lines,
      when: z.enum(examTimes).optional(),
      vendor: z.string().optional(),
      url: z.url().optional(),
      source: sourceKeys,
    })
    .optional(),
  /** Empty: the state requires none. Absent: unknown. */
  fingerprints: z
    .array(
      z.strictObject({
        lines: lines.optional(),
        when: z.enum(fingerprintTimes).optional(),
        vendor: z.string().optional(),
        url: z.url().optional(),
        code: z.string().optional(),
        cents: cents.optional(),
        source: sourceKeys,
      }),
    )
    .optional(),
  contact: z.array(z.strictObject({ rule: z.enum(contactRules), source: sourceKeys })).optional(),
  lines: z
    .array(
      z.discriminatedUnion('rule', [
        z.strictObject({ rule: z.enum(rulesOfOneLine), line: z.string(), lines, ...lineRule }),
        z.strictObject({ rule: z.enum(rulesOfAllLines), lines: lines.optional(), ...lineRule }),
      ]),
    )
    .optional(),
});

const stateFacts = z.strictObject({
  code: z.enum(stateCodes),
  department: z.strictObject({ name: z.string(), url: z.url() }),
  /** Our lines of authority that the state offers. Empty: unknown. */
  lines: z.array(z.string()),
  appointments: z
    .strictObject({
      required: z.boolean(),
      /** The limited lines that alone require it. Absent: all lines. */
      lines: lines.optional(),
      source: sourceKeys,
    })
    .optional(),
  sources: z.record(z.string(), source),
  fees: z.array(fee),
  needs: z.strictObject({ resident: needs, nonResident: needs }),
});

/** The facts about one state. */
export type StateFacts = z.output<typeof stateFacts>;

/** The page that publishes a fact. */
export type FactSource = z.output<typeof source>;

const processingFee = z.strictObject({ cents, source });

/** All facts. */
export interface Facts {
  /** In the order of the codes. */
  states: StateFacts[];
  /** The charge for sending an application to any state. */
  processingFee: z.output<typeof processingFee>;
}

/**
 * Reads a folder of facts: `XX.json` for each state, and `processing-fee.json`.
 *
 * @throws Error that names the file, when it is missing, has another shape, or names an unknown
 *   source.
 */
export function readFacts(folder: string): Facts {
  const read = <Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> => {
    const parsed = schema.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  };
  const states = stateCodes.map((code) => read(`${code}.json`, stateFacts));
  for (const state of states) assertSources(state);
  return { states, processingFee: read('processing-fee.json', processingFee) };
}

/** Every fact names its sources by keys of the file. */
function assertSources({ code, sources, fees, needs: { resident, nonResident }, appointments }: StateFacts): void {
  const facts = [
    ...fees,
    ...[resident, nonResident].flatMap(
      ({ education = [], exam, fingerprints = [], contact = [], lines: rules = [] }) => [
        ...education,
        ...(exam ? [exam] : []),
        ...fingerprints,
        ...contact,
        ...rules,
      ],
    ),
    ...(appointments ? [appointments] : []),
  ];
  for (const key of facts.flatMap((fact) => fact.source)) {
    if (sources[key] === undefined) throw new Error(`${code}.json: expected the source "${key}"`);
  }
}

/** The URL of the first source of a fact. */
export function urlOf({ sources }: StateFacts, [first = '']: readonly string[]): string {
  return sources[first]?.url ?? '';
}

/** A source in one line, with the year of what it describes. */
export function sourceText({ url, asOf }: FactSource): string {
  return asOf === undefined ? url : `${url} (${asOf})`;
}
