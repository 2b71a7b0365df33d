/**
 * Generates the tables of README.md from the sources and from `dist/`. `npm run docs` writes them between their markers.
 * `npm run docs:check` fails when they are out of date.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { format } from 'prettier';
import ts from 'typescript';
import { auditActions } from '../src/bridge/domain/audit.js';
import { environmentVariables } from '../src/bridge/environment.js';
import {
  failures,
  operations,
  returnStatuses,
  testBankAccounts,
  testCards,
  testSsns,
  webhookEvents,
} from '../src/contract/index.js';
import { errorCodes, LicensingApplyError } from '../src/element/errors.js';
import { httpErrors } from '../src/server/http/reply.js';
import { httpErrorGuide } from './http-error-guide.js';
import { inputLimitRows, rateLimitRows } from './limit-rows.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

interface ManifestEntry {
  name: string;
  description?: string;
  type?: { text: string };
  default?: string;
  kind?: string;
  fieldName?: string;
  readonly?: boolean;
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

/** Returns README.md with all tables generated again. Needs `dist/`. */
export async function generateReadme(): Promise<string> {
  const sections = /(<!-- begin:([a-z-]+) -->\n)[\s\S]*?(<!-- end:\2 -->)/g;
  const text = read('README.md').replace(sections, (_whole, begin: string, name: string, end: string) => {
    const generate = tables[name];
    if (!generate) throw new Error(`README.md has a marker for "${name}", but scripts/readme.ts has no such table.`);
    return `${begin}\n${generate()}\n\n${end}`;
  });
  const options = (JSON.parse(read('package.json')) as { prettier: object }).prettier;
  return format(text, { ...options, parser: 'markdown' });
}

const tables: Record<string, () => string> = {
  sizes: () =>
    table(
      ['What a page loads', 'Minified and gzipped'],
      [
        ['the element with Lit, when the page loads', kilobytes(['dist/cdn/licensing-apply.js'])],
        [
          'everything that it ever loads',
          kilobytes(['dist/cdn/licensing-apply.js', ...globSync('dist/cdn/chunks/*.js', { cwd: root })]),
        ],
        ['the script of the return page', kilobytes(['dist/cdn/return.js'])],
      ],
    ),
  attributes: () =>
    table(
      ['Attribute', 'Property', 'Type', 'Default', ''],
      (element().attributes ?? []).map((each) => [
        code(each.name),
        each.fieldName && each.fieldName !== each.name ? code(each.fieldName) : '',
        code(each.type?.text),
        code(each.default),
        each.description,
      ]),
    ),
  properties: () => {
    const attributes = (element().attributes ?? []).map(({ fieldName }) => fieldName);
    const others = (element().members ?? []).filter(
      ({ kind, name, description }) => kind === 'field' && description && !attributes.includes(name),
    );
    return table(
      ['Property', 'Type', ''],
      others.map((each) => [code(each.name), code(each.type?.text), each.description]),
    );
  },
  methods: () =>
    table(
      ['Method', 'Answer', ''],
      (element().members ?? [])
        .filter(({ kind, description }) => kind === 'method' && description)
        .map((each) => [
          code(
            `${each.name}(${(each.parameters ?? []).map(({ name, optional }) => name + (optional ? '?' : '')).join(', ')})`,
          ),
          code(each.return?.type?.text),
          each.description,
        ]),
    ),
  events: () =>
    table(
      ['Event', 'Type', ''],
      (element().events ?? []).map((each) => [code(each.name), code(each.type?.text), each.description]),
    ),
  'element-errors': () =>
    table(
      ['Code', 'Who can act', 'Trying again helps', ''],
      errorCodes.map((name) => {
        const { category, recoverable, message } = new LicensingApplyError(name);
        // The anchor is what the event's `docsUrl` points to.
        return [`<a id="error-${name}"></a>${code(name)}`, category, recoverable ? 'yes' : 'no', message];
      }),
    ),
  slots: () =>
    table(
      ['Slot', ''],
      (element().slots ?? []).map((each) => [each.name ? code(each.name) : '(default)', each.description]),
    ),
  parts: () =>
    table(
      ['Part', ''],
      (element().cssParts ?? []).map((each) => [code(each.name), each.description]),
    ),
  'custom-properties': () =>
    table(
      ['Custom property', 'Default', ''],
      (element().cssProperties ?? []).map((each) => [code(each.name), code(each.default), each.description]),
    ),
  'custom-states': () =>
    table(
      ['State', ''],
      (element().cssStates ?? []).map((each) => [code(`:state(${each.name})`), each.description]),
    ),
  'client-options': () => interfaceTable('src/server', 'BridgeClientOptions'),
  'handler-options': () => interfaceTable('src/server', 'LicensingHandlerOptions'),
  'client-errors': () => {
    // Editors show the same comment.
    const listed = read('src/server/client/bridge-client-error.ts').matchAll(/^ \* - (`\w+`): (.+)$/gm);
    return table(
      ['Code', ''],
      [...listed].map(([, name, meaning = '']) => [name, meaning.charAt(0).toUpperCase() + meaning.slice(1)]),
    );
  },
  'http-errors': () =>
    table(
      ['Status', 'Code', 'Routes', 'When', 'What to do'],
      httpErrorGuide.map(({ code: name, routes, when }) => {
        const [status, message] = httpErrors[name];
        return [String(status), code(name), routes.map(code).join('<br>'), when, message];
      }),
    ),
  'hosted-options': () => interfaceTable('src/hosted', 'HostedPageOptions'),
  backends: () =>
    ['licensing', 'node', 'express', 'fastify', 'hono', 'next', 'bun', 'deno', 'workers']
      .map((name) => `\`demo/backends/${name}.ts\`:\n\n\`\`\`ts\n${read(`demo/backends/${name}.ts`)}\`\`\``)
      .join('\n\n'),
  // The suite `runtimes` runs a backend on it.
  'own-store': () => `\`demo/stores/durable-object.ts\`:\n\n\`\`\`ts\n${read('demo/stores/durable-object.ts')}\`\`\``,
  operations: () =>
    table(
      ['No.', 'Operation', 'Call', 'Token', ''],
      Object.entries(operations).map(([id, { number, method, path, auth, summary }]) => [
        number === 0 ? '–' : String(number),
        code(id),
        code(`${method} ${path}`),
        { none: 'none', bearer: 'yes', optional: 'optional', test: 'test' }[auth],
        summary,
      ]),
    ),
  failures: () =>
    table(
      ['Code', 'Name', 'Sentence'],
      Object.entries(failures).map(([name, [number, sentence]]) => [String(number), code(name), sentence]),
    ),
  'webhook-events': () =>
    table(
      ['Type', 'Sent when'],
      Object.entries(webhookEvents).map(([type, when]) => [code(type), when]),
    ),
  'return-statuses': () => returnStatuses.map((status) => `- ${code(status)}`).join('\n'),
  'test-ssns': () =>
    table(
      ['SSN', 'The departments answer'],
      testSsns.map(({ ssn, what }) => [code(ssn), what]),
    ),
  'test-cards': () =>
    table(
      ['Card or bank account', ''],
      [
        ...testCards.map(({ number, what }) => [code(number), what]),
        ...testBankAccounts.map(({ routingNumber, accountNumber, what }) => [
          `${code(routingNumber)}, ${code(accountNumber)}`,
          what,
        ]),
      ],
    ),
  environment: () =>
    table(
      ['Variable', 'Default', ''],
      Object.entries(environmentVariables).map(([name, { default: byDefault, doc }]) => [
        code(name),
        code(byDefault),
        doc,
      ]),
    ),
  'rate-limits': () => table(['At most', 'Within', 'Counted by'], rateLimitRows()),
  'input-limits': () => table(['An instance takes at most', ''], inputLimitRows()),
  'audit-actions': () =>
    table(
      ['Action', 'Recorded when, and its result'],
      Object.entries(auditActions).map(([action, doc]) => [code(action), doc]),
    ),
  commands: () =>
    [
      '```text',
      execFileSync('node', [`${root}dist/bridge/cli.js`, '--help'], { encoding: 'utf8' })
        .split('\n\nEnvironment:', 1)[0]
        ?.trim(),
      '```',
    ].join('\n'),
};

function element(): ElementDeclaration {
  const { modules } = JSON.parse(read('dist/custom-elements.json')) as {
    modules: { declarations?: ElementDeclaration[] }[];
  };
  const found = modules
    .flatMap(({ declarations = [] }) => declarations)
    .find(({ tagName }) => tagName === 'licensing-apply');
  if (!found) throw new Error('dist/custom-elements.json does not describe <licensing-apply>.');
  return found;
}

function kilobytes(paths: string[]): string {
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(`${root}${path}`), { level: 9 }).length, 0);
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Returns a table of the fields of an interface, with the first paragraph of each comment. */
function interfaceTable(folder: string, name: string): string {
  for (const path of globSync(`${folder}/**/*.ts`, { cwd: root })) {
    const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
    const found = file.statements.find(
      (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
    );
    if (!found || !ts.isInterfaceDeclaration(found)) continue;
    const rows = found.members.map((member) => {
      const [comment] = ts.getJSDocCommentsAndTags(member);
      const text = comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : undefined;
      const key = member.name?.getText() ?? '';
      return [code(key), member.questionToken ? '' : 'yes', text?.split('\n\n', 1)[0]];
    });
    return table(['Option', 'Required', ''], rows);
  }
  throw new Error(`There is no interface ${name} in ${folder}.`);
}

function table(head: string[], rows: (string | undefined)[][]): string {
  if (rows.length === 0) throw new Error(`The table of ${head[0] ?? ''} would be empty.`);
  const line = (cells: (string | undefined)[]) =>
    `| ${cells
      .map((cell = '') =>
        cell
          .replaceAll(/\s*\n\s*/g, ' ')
          .replaceAll('|', '\\|')
          .replaceAll(/\{@link ([^}|]+)\}/g, '`$1`'),
      )
      .join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string | undefined): string {
  return text ? `\`${text.replaceAll(/\s*\n\s*/g, ' ')}\`` : '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const generated = await generateReadme();
  if (generated === read('README.md')) {
    console.log('README.md is up to date.');
  } else if (process.argv.includes('--check')) {
    console.error('README.md is out of date. Run "npm run docs".');
    process.exitCode = 1;
  } else {
    writeFileSync(`${root}README.md`, generated);
    console.log('Wrote README.md.');
  }
}
