import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Position, positionAt } from '../files/text-file.js';

/** Parsed JSON with the positions of its values. */
export interface JsonSource {
  value: unknown;
  /** The position of a value; for a missing path, of the innermost existing value around it. */
  positionOf(path: readonly PropertyKey[]): Position;
}

/** A text that is not JSON, or has a repeated key, which JSON.parse would ignore. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

/** The expected token, by the names of the parser's errors. */
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
 * Parses JSON with positions. `JSON.parse` reports positions only for some errors, and not for
 * values.
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
