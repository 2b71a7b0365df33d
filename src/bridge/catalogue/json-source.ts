import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A place in a text. Both are counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** JSON that remembers where its parts are. */
export interface JsonSource {
  value: unknown;
  /** Where a value starts; of a path that is not there, the innermost value around it that is. */
  positionOf(path: readonly PropertyKey[]): Position;
}

/** A text that is not JSON, or has a key twice, which JSON.parse would pass over in silence. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

/** The expected token where a text is not JSON, by the names of the parser's errors. */
const expected: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes',
  ValueExpected: 'a value',
  ColonExpected: 'a colon after the key',
  CommaExpected: 'a comma',
  CloseBraceExpected: 'a comma or }',
  CloseBracketExpected: 'a comma or ]',
  EndOfFileExpected: 'nothing after the value',
  InvalidSymbol: 'a value',
  InvalidCharacter: 'no control character',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfString: 'the end of the text in double quotes',
};

/**
 * Reads JSON. The errors of `JSON.parse` name no position in some cases, and a value that it returns has none.
 *
 * @throws JsonSyntaxError
 */
export function readJson(text: string): JsonSource {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const code = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error);
    const what = expected[code] ?? `JSON, found ${code}`;
    throw new JsonSyntaxError(`expected ${what}`, positionAt(text, first?.offset ?? 0));
  }
  refuseKeysTwice(text, root);
  return {
    value: JSON.parse(text) as unknown,
    positionOf(path) {
      const segments = path.map((key) => (typeof key === 'number' ? key : String(key)));
      let length = segments.length;
      let found: Node | undefined;
      while (found === undefined && length >= 0) {
        found = findNodeAtLocation(root, segments.slice(0, length));
        length -= 1;
      }
      return positionAt(text, found?.offset ?? 0);
    },
  };
}

function refuseKeysTwice(text: string, node: Node): void {
  const keys = new Set<string>();
  for (const child of node.children ?? []) {
    const [key] = child.type === 'property' ? (child.children ?? []) : [];
    if (key !== undefined) {
      const name = String(key.value);
      if (keys.has(name)) {
        throw new JsonSyntaxError(`expected each key once, "${name}" is there twice`, positionAt(text, key.offset));
      }
      keys.add(name);
    }
    refuseKeysTwice(text, child);
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
