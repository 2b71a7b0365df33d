import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The queries of a top-level function in a source file. */
export interface QueryingFunction {
  /** The file and the function, such as `src/bridge/store/accounts/agency-store.ts lockAgency`. */
  name: string;
  /** The tables that it reads, changes or deletes from. Inserts do not count. */
  tables: Set<string>;
  /** The tables whose rows `ownedBy` restricts to the caller. */
  scoped: Set<string>;
  /** Whether a condition of `scope.ts` restricts it to the agencies of an operator. */
  isInScope: boolean;
  /** Whether it compares an agency without `ownedBy`. */
  namesAgency: boolean;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The methods of the query builder whose first argument is a table. */
const tableMethods = new Set([
  'selectFrom',
  'updateTable',
  'deleteFrom',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'using',
]);
const conditionMethods = new Set(['where', 'whereRef', 'on', 'onRef']);

/** The name of a table of SQL in TypeScript, such as `webhookEvent` for `webhook_event`. */
export function typedName(table: string): string {
  return table.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Every function with a query in the files that match a pattern. */
export function readQueries(pattern: string): QueryingFunction[] {
  return globSync(pattern, { cwd: root })
    .sort()
    .flatMap((path) => parseQueries(path, readFileSync(`${root}${path}`, 'utf8')))
    .filter(({ tables, scoped, namesAgency }) => tables.size > 0 || scoped.size > 0 || namesAgency);
}

/** Every function at the top of a file, from its text. */
function parseQueries(path: string, text: string): QueryingFunction[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) =>
    nameOf(statement).map((name) => {
      const found = {
        name: `${path} ${name}`,
        tables: new Set<string>(),
        scoped: new Set<string>(),
        isInScope: false,
        namesAgency: false,
      };
      collect(statement, found);
      return found;
    }),
  );
}

/** The literals of an exported union type of a file. */
export function literalsOf(path: string, type: string): Set<string> {
  const file = ts.createSourceFile(path, readFileSync(`${root}${path}`, 'utf8'), ts.ScriptTarget.Latest, true);
  const alias = file.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === type,
  );
  const literals = new Set<string>();
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteral(node)) literals.add(node.text);
    ts.forEachChild(node, visit);
  };
  if (alias !== undefined) visit(alias);
  return literals;
}

function nameOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? ''];
  if (ts.isVariableStatement(statement)) return [statement.declarationList.declarations[0]?.name.getText() ?? ''];
  return [];
}

function collect(node: ts.Node, found: QueryingFunction): void {
  if (ts.isCallExpression(node)) {
    const method = ts.isPropertyAccessExpression(node.expression)
      ? node.expression.name.text
      : node.expression.getText();
    const [first, second] = node.arguments.map((argument) =>
      ts.isStringLiteral(argument) ? argument.text : undefined,
    );
    if (tableMethods.has(method) && first !== undefined) found.tables.add(first.replace(/ as .*$/, ''));
    if (method === 'agencyInScope' || method === 'applicationInScope') found.isInScope = true;
    if (method === 'ownedBy' && second !== undefined) found.scoped.add(second);
    if (conditionMethods.has(method) && /(^|\.)agencyId$/.test(first ?? '')) found.namesAgency = true;
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText().startsWith('sql')) {
    const text = node.template.getText();
    for (const [, table = ''] of text.matchAll(/\b(?:from|join|update|using)\s+([a-z_]+)/g))
      found.tables.add(typedName(table));
    if (/agency_id\s*(=|in\b)/.test(text)) found.namesAgency = true;
  }
  ts.forEachChild(node, (child) => {
    collect(child, found);
  });
}
