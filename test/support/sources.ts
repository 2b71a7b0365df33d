import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** One `import`, `export … from` or `import()` of a source file. */
export interface SourceImport {
  /** The text between the quotes; `(computed)` where it is known at run time only. */
  specifier: string;
  /** `type`: erased by the compiler. `value`: loads the module. `dynamic`: loads it later. */
  kind: 'type' | 'value' | 'dynamic';
  /** The imported values; `*` for all of them, empty for an import for its effect. */
  names: string[];
}

/** The parts of a source file that the rules of the architecture check. */
export interface Source {
  /** The path from the root of the repository, with slashes. */
  path: string;
  imports: SourceImport[];
  /**
   * The side effects of a file on import, and its syntax outside of the house style, one line each.
   */
  statements: string[];
  banned: string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads all files that match a pattern, except installed and built ones. */
export function readSources(pattern: string): Source[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', 'src/bridge/dist'] })
    .sort()
    .map((path) => parseSource(path, readFileSync(`${root}${path}`, 'utf8')));
}

/** The name of the package of a specifier, without the path inside of it. */
export function packageNameOf(specifier: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Reads one file from its text. */
export function parseSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const source: Source = { path, imports: [], statements: [], banned: [] };
  for (const statement of file.statements) {
    if (isEffect(statement)) source.statements.push(firstLine(statement));
  }
  const visit = (node: ts.Node) => {
    const found = importOf(node);
    if (found) source.imports.push(found);
    const name = bannedSyntax(node);
    if (name) source.banned.push(`${name}: ${firstLine(node)}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return source;
}

function importOf(node: ts.Node): SourceImport | undefined {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    const bindings = clause?.namedBindings;
    const elements = bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
    const names = valueNames(elements);
    if (clause?.name) names.push('default');
    if (bindings && ts.isNamespaceImport(bindings)) names.push('*');
    const onlyTypes =
      clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || (elements.length > 0 && names.length === 0);
    return { specifier: textOf(node.moduleSpecifier), kind: onlyTypes ? 'type' : 'value', names };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    const elements = node.exportClause && ts.isNamedExports(node.exportClause) ? [...node.exportClause.elements] : [];
    const names = elements.length > 0 ? valueNames(elements) : ['*'];
    const onlyTypes = node.isTypeOnly || names.length === 0;
    return { specifier: textOf(node.moduleSpecifier), kind: onlyTypes ? 'type' : 'value', names };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: textOf(node.argument.literal), kind: 'type', names: [] };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return {
      specifier: argument && ts.isStringLiteralLike(argument) ? argument.text : '(computed)',
      kind: 'dynamic',
      names: ['*'],
    };
  }
  return undefined;
}

function valueNames(elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): string[] {
  return elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ propertyName, name }) => (propertyName ?? name).text);
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : node.getText();
}

function bannedSyntax(node: ts.Node): string | undefined {
  if (ts.isEnumDeclaration(node)) return 'enum';
  // Inside `declare module`, a namespace extends another package's, which has no other syntax.
  if (ts.isModuleDeclaration(node) && node.flags & ts.NodeFlags.Namespace && !ts.isModuleBlock(node.parent)) {
    return 'namespace';
  }
  if (ts.isExportAssignment(node)) return 'default export';
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) {
    return 'default export';
  }
  return undefined;
}

/** Whether a top-level statement has an effect, instead of declaring something. */
function isEffect(statement: ts.Statement): boolean {
  return !(
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isModuleDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
  );
}

function firstLine(node: ts.Node): string {
  return node.getText().split('\n', 1)[0] ?? '';
}
