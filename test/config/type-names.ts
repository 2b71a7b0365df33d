import ts from 'typescript';
import { nodesOf } from './said-names.js';

/** The names of all that the exports of a module lead to: properties of properties, arguments and results, and texts of fixed wording. */
export function exportedNames(checker: ts.TypeChecker, door: ts.SourceFile): Set<string> {
  const walk = createWalk(checker);
  for (const symbol of exportsOf(checker, door)) {
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (meant.flags & ts.SymbolFlags.Value) walk.through(checker.getTypeOfSymbol(meant));
    walk.through(checker.getDeclaredTypeOfSymbol(meant));
  }
  return walk.names;
}

/** What a module exports. */
export function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(file);
  return module ? checker.getExportsOfModule(module) : [];
}

/** The names in what a file writes as JSON, and in what it takes something foreign for. */
export function foreignNames(checker: ts.TypeChecker, file: ts.SourceFile): Set<string> {
  const walk = createWalk(checker);
  for (const node of nodesOf(file)) {
    const isWritten = ts.isCallExpression(node) && node.expression.getText() === 'JSON.stringify';
    if (isWritten && node.arguments[0]) walk.through(checker.getTypeAtLocation(node.arguments[0]));
    if (ts.isAsExpression(node)) walk.through(checker.getTypeFromTypeNode(node.type));
  }
  return walk.names;
}

function createWalk(checker: ts.TypeChecker): { names: Set<string>; through(type: ts.Type): void } {
  const names = new Set<string>();
  const seen = new Set<ts.Type>();

  function through(type: ts.Type): void {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isStringLiteral()) names.add(type.value);
    if (type.isUnionOrIntersection()) type.types.forEach(through);
    type.aliasTypeArguments?.forEach(through);
    if (type.flags & ts.TypeFlags.Object) checker.getTypeArguments(type as ts.TypeReference).forEach(through);
    for (const index of checker.getIndexInfosOfType(type)) through(index.type);
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      through(signature.getReturnType());
      for (const parameter of signature.getParameters()) through(checker.getTypeOfSymbol(parameter));
    }
    for (const property of type.getProperties()) {
      if (isPrivateOrForeign(property)) continue;
      names.add(property.name);
      through(checker.getTypeOfSymbol(property));
    }
  }
  return { names, through };
}

/** What the browser and Lit declare is known without a walk through all of it. */
function isPrivateOrForeign({ name, declarations = [] }: ts.Symbol): boolean {
  const isForeign = (node: ts.Node) => node.getSourceFile().fileName.includes('/node_modules/');
  return name.startsWith('#') || (declarations.length > 0 && declarations.every(isForeign));
}
