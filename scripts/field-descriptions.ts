/**
 * Generates the field descriptions of `/openapi.json` from the comments of `src/contract`, which do
 * not exist at run time. `npm run docs` writes the file. A test fails when it is out of date.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { createOpenApiDocument } from '../src/bridge/http/openapi/document.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The generated file, from the root. */
export const descriptionsFile = 'src/bridge/http/openapi/field-descriptions.json';

/**
 * Returns the text of the file: the comments of the interfaces after which `/openapi.json` names a
 * schema, and of their fields.
 */
export function generateDescriptions(): string {
  const { schemas } = createOpenApiDocument('').components;
  const described: Record<string, Record<string, string>> = {};
  for (const path of globSync('src/contract/*.ts', { cwd: root }).sort()) {
    const file = ts.createSourceFile(path, readFileSync(`${root}${path}`, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const declaration of file.statements.filter(ts.isInterfaceDeclaration)) {
      const name = declaration.name.text;
      if (name in schemas) described[name] = { '': commentOf(declaration), ...commentsOf(declaration.members, '') };
    }
  }
  return `${JSON.stringify(described, null, 2)}\n`;
}

/** The comments of all members. The fields of an inline object type are named `outer.inner`. */
function commentsOf(members: ts.NodeArray<ts.TypeElement>, prefix: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const member of members) {
    if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name)) continue;
    const name = `${prefix}${member.name.text}`;
    texts[name] = commentOf(member);
    if (member.type && ts.isTypeLiteralNode(member.type))
      Object.assign(texts, commentsOf(member.type.members, `${name}.`));
  }
  return texts;
}

function commentOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  return (ts.getTextOfJSDocComment(comment) ?? '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/(?<!\n)\n(?!\n|- )/g, ' ')
    .trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(`${root}${descriptionsFile}`, generateDescriptions());
