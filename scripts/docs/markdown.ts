import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads a file of the repository. */
export function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** Returns a table in Markdown. Line breaks and pipes in cells are escaped. */
export function table(head: string[], rows: (string | undefined)[][]): string {
  if (rows.length === 0) throw new Error(`The table of ${head[0] ?? ''} would be empty.`);
  const line = (cells: (string | undefined)[]) => `| ${cells.map((cell = '') => inCell(cell)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function inCell(text: string): string {
  return plain(text).replaceAll('|', '\\|');
}

/** Returns the text of a comment on one line, with its `{@link …}` as code. */
export function plain(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\{@link ([^}|]+)\}/g, '`$1`');
}

/** Returns a text as code; "" for no text. */
export function code(text: string | undefined): string {
  return text ? `\`${text.replaceAll(/\s*\n\s*/g, ' ')}\`` : '';
}

/** Returns a file of the repository as a block of code. */
export function codeOf(path: string, info = path.slice(path.lastIndexOf('.') + 1)): string {
  return `\`\`\`${info}\n${read(path)}\`\`\``;
}

/** A field of a documented interface or class. */
export interface Field {
  name: string;
  type: string;
  optional: boolean;
  /** The first paragraph of its comment. */
  doc: string;
}

/** Returns the fields of an interface or class, without those that are internal. */
export function fieldsOf(pattern: string, name: string): Field[] {
  for (const path of globSync(pattern, { cwd: root }).sort()) {
    const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
    const found = file.statements.find(
      (statement) =>
        (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name,
    );
    if (!found || !(ts.isInterfaceDeclaration(found) || ts.isClassDeclaration(found))) continue;
    const own = found.members.flatMap((member) => fieldOf(member) ?? []);
    return [...pickedOf(pattern, found), ...own];
  }
  throw new Error(`There is no interface or class ${name} in ${pattern}.`);
}

/** The fields that an interface takes from others by `extends Pick<Other, 'one' | 'another'>`. */
function pickedOf(pattern: string, { heritageClauses }: ts.InterfaceDeclaration | ts.ClassDeclaration): Field[] {
  return (heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments: [from, names] = [] }) => {
      if (expression.getText() !== 'Pick' || from === undefined || names === undefined) return [];
      const picked = [...names.getText().matchAll(/'([^']+)'/g)].map(([, name]) => name);
      return fieldsOf(pattern, from.getText()).filter(({ name }) => picked.includes(name));
    }),
  );
}

/** Returns a member of an interface or class as a field, unless it has no comment or is internal. */
export function fieldOf(member: ts.TypeElement | ts.ClassElement): Field | undefined {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  if (!comment || !ts.isJSDoc(comment) || comment.tags?.some(({ tagName }) => tagName.text === 'internal')) return;
  const doc = (ts.getTextOfJSDocComment(comment.comment) ?? '').split('\n\n', 1)[0] ?? '';
  return { name: nameOf(member), type: typeOf(member), optional: isOptional(member), doc };
}

function nameOf(member: ts.TypeElement | ts.ClassElement): string {
  if (ts.isCallSignatureDeclaration(member)) return '(call)';
  if (ts.isIndexSignatureDeclaration(member)) return `[${member.parameters[0]?.name.getText() ?? ''}]`;
  return member.name?.getText() ?? '';
}

function typeOf(member: ts.TypeElement | ts.ClassElement): string {
  if (ts.isIndexSignatureDeclaration(member)) return member.type.getText();
  if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member) || ts.isCallSignatureDeclaration(member)) {
    return `(${member.parameters.map((each) => each.getText()).join(', ')}) => ${member.type?.getText() ?? 'void'}`;
  }
  if (ts.isPropertySignature(member)) return member.type?.getText() ?? '';
  if (!ts.isPropertyDeclaration(member)) return '';
  return member.type?.getText() ?? member.initializer?.getText() ?? '';
}

function isOptional(member: ts.TypeElement | ts.ClassElement): boolean {
  return 'questionToken' in member && member.questionToken !== undefined;
}

/** Returns a table of options: what is required, and what each one is. */
export function optionsTable(pattern: string, name: string): string {
  const rows = fieldsOf(pattern, name).map(({ name: key, optional, doc }) => [code(key), optional ? '' : 'yes', doc]);
  return table(['Option', 'Required', 'Description'], rows);
}

/** Returns a table of fields with their types. */
export function fieldsTable(pattern: string, names: readonly string[], leftOut: readonly string[] = []): string {
  const fields = names.flatMap((name) => fieldsOf(pattern, name)).filter(({ name }) => !leftOut.includes(name));
  return table(
    ['Field', 'Type', 'Description'],
    fields.map(({ name, type, optional, doc }) => [code(name + (optional ? '?' : '')), code(type), doc]),
  );
}
