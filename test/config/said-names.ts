import ts from 'typescript';

/** A property or method where it is declared, in a type, a class, an object or a pattern. */
export type Member = ts.TypeElement | ts.ClassElement | ts.ObjectLiteralElement | ts.BindingElement;

/** All properties and methods that a file declares. */
export function membersOf(file: ts.SourceFile): Member[] {
  return nodesOf(file).filter(
    (node): node is Member =>
      ts.isTypeElement(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node) || ts.isBindingElement(node),
  );
}

/** The name of a property, if it has one that others can say. */
export function namesOf(member: Member): string[] {
  const name = (ts.isBindingElement(member) && member.propertyName) || member.name;
  return name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? [name.text] : [];
}

/** The names of the properties that a file reads. */
export function readNames(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => (ts.isPropertyAccessExpression(node) ? [node.name.text] : []));
}

/** What stands in quotes, and the properties that a template of Lit's sets. */
export function quotedNames(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    const isBeforeHole = ts.isTemplateHead(node) || ts.isTemplateMiddle(node);
    return isBeforeHole ? [...node.text.matchAll(/\s\.(\w+)=$/g)].map(([, name = '']) => name) : [];
  });
}

/** All nodes of a file. */
export function nodesOf(file: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
