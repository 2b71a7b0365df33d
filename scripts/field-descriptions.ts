/**
 * Generates the field descriptions of `/openapi.json` from the comments of `src/contract`, which do not exist at run time.
 * `npm run docs` writes the files. A test fails when they are out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = 'src/bridge/http/openapi/descriptions';

/** The files of `src/contract` whose interfaces `/openapi.json` describes. */
const contractFiles = [
  'account',
  'application',
  'bulk',
  'credential',
  'events',
  'failures',
  'login',
  'onboarding',
  'producer',
  'profile',
  'session',
  'subscription',
  'territory',
];

/** Returns the text of each generated file, by its path. */
export async function generateDescriptions(): Promise<Map<string, string>> {
  const { prettier } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { prettier: object };
  const files = new Map<string, string>();
  for (const name of contractFiles) {
    const fields = Object.fromEntries(interfaceComments(`src/contract/${name}.ts`));
    const constant = `${name}Descriptions`;
    const text = `// Made from the comments of contract/${name}.ts: change them there.

      /** What the interfaces of contract/${name}.ts and their fields mean; \`''\` is the interface itself. */
      export const ${constant} = ${JSON.stringify(fields)} as const;`;
    files.set(`${folder}/${name}.ts`, await format(text, { ...prettier, parser: 'typescript' }));
  }
  return files;
}

function interfaceComments(path: string): [name: string, texts: Record<string, string>][] {
  const file = ts.createSourceFile(path, readFileSync(`${root}${path}`, 'utf8'), ts.ScriptTarget.Latest, true);
  return file.statements.filter(ts.isInterfaceDeclaration).map((declaration) => {
    const texts: Record<string, string> = { '': commentOf(declaration) };
    addMembers(declaration.members, '', texts);
    return [declaration.name.text, texts];
  });
}

/** Adds the comments of all members. The fields of an inline object type are named `outer.inner`. */
function addMembers(members: ts.NodeArray<ts.TypeElement>, prefix: string, texts: Record<string, string>): void {
  for (const member of members) {
    if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name)) continue;
    const name = `${prefix}${member.name.text}`;
    texts[name] = commentOf(member);
    if (member.type && ts.isTypeLiteralNode(member.type)) addMembers(member.type.members, `${name}.`, texts);
  }
}

function commentOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  return (ts.getTextOfJSDocComment(comment) ?? '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/(?<!\n)\n(?!\n|- )/g, ' ')
    .trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}${folder}`, { recursive: true });
  for (const [path, text] of await generateDescriptions()) writeFileSync(`${root}${path}`, text);
}
