import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { errorCodes, LicensingApplyError } from '../../src/element/errors.js';
import { code, fieldsOf, plain, read, root, table } from './markdown.js';

interface ManifestEntry {
  name: string;
  description?: string;
  type?: { text: string };
  default?: string;
  kind?: string;
  fieldName?: string;
  return?: { type?: { text: string } };
  parameters?: { name: string; optional?: boolean }[];
}

interface ElementDeclaration {
  tagName?: string;
  attributes?: ManifestEntry[];
  members?: ManifestEntry[];
  events?: ManifestEntry[];
  slots?: ManifestEntry[];
  cssParts?: ManifestEntry[];
  cssProperties?: ManifestEntry[];
  cssStates?: ManifestEntry[];
}

/**
 * The generated parts about the element, by the name of their marker. Most come from the manifest
 * in `dist/`.
 */
export const elementTables: Record<string, () => string> = {
  sizes: () =>
    table(
      ['What a page loads', 'Minified and gzipped'],
      [
        ['the element with Lit, when the page loads', kilobytes(['dist/cdn/licensing-apply.js'])],
        [
          'everything that it ever loads',
          kilobytes(['dist/cdn/licensing-apply.js', ...globSync('dist/cdn/chunks/*.js', { cwd: root })]),
        ],
        ['the list of applications, in addition', kilobytes(['dist/cdn/licensing-applications.js'])],
        ['the script of the return page', kilobytes(['dist/cdn/return.js'])],
      ],
    ),
  ...tablesOf('licensing-apply', ''),
  ...tablesOf('licensing-applications', 'list-'),
  'custom-properties': () =>
    table(
      ['Custom property', 'Default', 'Use'],
      (element('licensing-apply').cssProperties ?? []).map((each) => [
        code(each.name),
        code(each.default),
        each.description,
      ]),
    ),
  'event-fields': () => (element('licensing-apply').events ?? []).map(eventSection).join('\n\n'),
  'error-sections': () => errorCodes.map(errorSection).join('\n\n'),
};

/** The tables of one tag. The names of their markers have the prefix. */
function tablesOf(tagName: string, prefix: string): Record<string, () => string> {
  return {
    [`${prefix}attributes`]: () =>
      table(
        ['Attribute', 'Property', 'Type', 'Default', 'Description'],
        (element(tagName).attributes ?? []).map((each) => [
          code(each.name),
          each.fieldName && each.fieldName !== each.name ? code(each.fieldName) : '',
          code(each.type?.text),
          code(each.default),
          each.description,
        ]),
      ),
    [`${prefix}properties`]: () => {
      const attributes = (element(tagName).attributes ?? []).map(({ fieldName }) => fieldName);
      const others = (element(tagName).members ?? []).filter(
        ({ kind, name, description }) => kind === 'field' && description && !attributes.includes(name),
      );
      return table(
        ['Property', 'Type', 'Description'],
        others.map((each) => [code(each.name), code(each.type?.text), each.description]),
      );
    },
    [`${prefix}methods`]: () =>
      table(
        ['Method', 'Returns', 'Description'],
        (element(tagName).members ?? [])
          .filter(({ kind, description }) => kind === 'method' && description)
          .map((each) => [
            code(`${each.name}(${parametersOf(each)})`),
            code(each.return?.type?.text),
            each.description,
          ]),
      ),
    [`${prefix}events`]: () =>
      table(
        ['Event', 'Type', 'Description'],
        (element(tagName).events ?? []).map((each) => [
          prefix ? code(each.name) : `[${code(each.name)}](#${each.name})`,
          code(each.type?.text),
          each.description,
        ]),
      ),
    [`${prefix}slots`]: () =>
      table(
        ['Slot', 'Content'],
        (element(tagName).slots ?? []).map((each) => [each.name ? code(each.name) : '(default)', each.description]),
      ),
    [`${prefix}parts`]: () =>
      table(
        ['Part', 'Element'],
        (element(tagName).cssParts ?? []).map((each) => [code(each.name), each.description]),
      ),
    [`${prefix}custom-states`]: () =>
      table(
        ['State', 'Meaning'],
        (element(tagName).cssStates ?? []).map((each) => [code(`:state(${each.name})`), each.description]),
      ),
  };
}

function element(tagName: string): ElementDeclaration {
  const { modules } = JSON.parse(read('dist/custom-elements.json')) as {
    modules: { declarations?: ElementDeclaration[] }[];
  };
  const found = modules
    .flatMap(({ declarations = [] }) => declarations)
    .find((declaration) => declaration.tagName === tagName);
  if (!found) throw new Error(`dist/custom-elements.json does not describe <${tagName}>.`);
  return found;
}

function parametersOf({ parameters = [] }: ManifestEntry): string {
  return parameters.map(({ name, optional }) => name + (optional ? '?' : '')).join(', ');
}

function eventSection({ name, type, description = '' }: ManifestEntry): string {
  const rows = fieldsOf('src/element/events.ts', type?.text ?? '').map((field) => [
    code(field.name),
    code(field.type),
    field.doc,
  ]);
  const fields =
    rows.length > 0 ? table(['Field', 'Type', 'Description'], rows) : 'The event has no additional fields.';
  return `#### ${name}\n\n${plain(description)}\n\n${fields}`;
}

function errorSection(name: (typeof errorCodes)[number]): string {
  const { category, recoverable, message } = new LicensingApplyError(name);
  const facts = `Category: \`${category}\`. Recoverable: ${recoverable ? 'yes' : 'no'}.`;
  return `### ${name}\n\n${message}\n\n${facts}`;
}

function kilobytes(paths: string[]): string {
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(`${root}${path}`), { level: 9 }).length, 0);
  return `${(bytes / 1000).toFixed(1)} kB`;
}
