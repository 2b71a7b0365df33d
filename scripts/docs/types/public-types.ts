import ts from 'typescript';
import { root } from '../markdown.js';

/** A declaration that a reader of a package can meet. */
export type PublicDeclaration =
  | ts.InterfaceDeclaration
  | ts.ClassDeclaration
  | ts.TypeAliasDeclaration
  | ts.FunctionDeclaration
  | ts.VariableDeclaration;

/** The public names of entry points: the exported ones, and those that appear in their types. */
export interface PublicNames {
  exported: Map<string, PublicDeclaration>;
  within: Map<string, PublicDeclaration>;
}

let program: ts.Program | undefined;

/** Returns the public names of entry points, such as `src/server/index.ts`. */
export function publicNamesOf(entryPoints: readonly string[], all: readonly string[]): PublicNames {
  program ??= createProgram(all);
  const checker = program.getTypeChecker();
  const exported = new Map<string, PublicDeclaration>();
  for (const path of entryPoints) {
    const file = program.getSourceFile(`${root}${path}`);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${path} exports nothing.`);
    for (const symbol of checker.getExportsOfModule(module)) {
      const found = declarationOf(checker, symbol);
      if (found) exported.set(symbol.name, found);
    }
  }
  return { exported, within: namesWithin(checker, exported) };
}

/** Returns the type of a declaration with the values of its unions. Call {@link publicNamesOf} before. */
export function typeTextOf(declaration: ts.Declaration): string {
  if (!program) throw new Error('The program is created by publicNamesOf.');
  const checker = program.getTypeChecker();
  const flags: ts.TypeFormatFlags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  return checker.typeToString(checker.getTypeAtLocation(declaration), undefined, flags);
}

function createProgram(entryPoints: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(
    entryPoints.map((path) => `${root}${path}`),
    options,
  );
}

/** Follows the types of fields, parameters and results to the other types of the sources. */
function namesWithin(
  checker: ts.TypeChecker,
  exported: ReadonlyMap<string, PublicDeclaration>,
): Map<string, PublicDeclaration> {
  const within = new Map<string, PublicDeclaration>();
  const seen = new Set<ts.Node>(exported.values());
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isJSDoc(node) || isHidden(node)) return;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const symbol = checker.getSymbolAtLocation(ts.isTypeReferenceNode(node) ? node.typeName : node.expression);
      const found = symbol && declarationOf(checker, symbol);
      if (found && !seen.has(found)) {
        seen.add(found);
        within.set(found.name?.getText() ?? '', found);
        visit(found);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const declaration of exported.values()) visit(declaration);
  return within;
}

/** Whether a member is private or internal. */
export function isHidden(node: ts.Node): boolean {
  if ((ts.isClassElement(node) || ts.isTypeElement(node)) && node.name && ts.isPrivateIdentifier(node.name))
    return true;
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
}

function declarationOf(checker: ts.TypeChecker, symbol: ts.Symbol): PublicDeclaration | undefined {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.declarations?.find(isPublicDeclaration);
}

function isPublicDeclaration(node: ts.Declaration): node is PublicDeclaration {
  const isOurs = node.getSourceFile().fileName.startsWith(`${root}src/`);
  return (
    isOurs &&
    (ts.isInterfaceDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isVariableDeclaration(node))
  );
}
