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

interface Node {
  offset: number;
  children?: Map<PropertyKey, Node>;
}

const whiteSpace = /[ \t\n\r]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/**
 * Reads JSON. The errors of `JSON.parse` name no position in some cases, and a value that it returns has none.
 *
 * @throws JsonSyntaxError
 */
export function readJson(text: string): JsonSource {
  const root = scan(text);
  return {
    value: JSON.parse(text) as unknown,
    positionOf(path) {
      let node = root;
      for (const key of path) {
        const child = node.children?.get(key);
        if (child === undefined) break;
        node = child;
      }
      return positionAt(text, node.offset);
    },
  };
}

/** Walks over a text and notes where each value starts. */
function scan(text: string): Node {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const fail = (expected: string): never => {
    throw new JsonSyntaxError(`expected ${expected}`, positionAt(text, at));
  };
  const takeCharacter = (characters: string, expected: string): string => {
    take(whiteSpace);
    const found = text.charAt(at);
    if (found === '' || !characters.includes(found)) fail(expected);
    at += 1;
    return found;
  };
  const isNext = (character: string): boolean => {
    take(whiteSpace);
    return text.charAt(at) === character;
  };

  const readValue = (): Node => {
    take(whiteSpace);
    const offset = at;
    if (isNext('{')) return { offset, children: readObject() };
    if (isNext('[')) return { offset, children: readArray() };
    if ((take(string) ?? take(scalar)) === undefined) fail('a value');
    return { offset };
  };
  const readObject = (): Map<PropertyKey, Node> => {
    const children = new Map<PropertyKey, Node>();
    takeCharacter('{', '{');
    while (!isNext('}')) {
      const keyAt = at;
      const key = JSON.parse(take(string) ?? fail('a key in double quotes')) as string;
      if (children.has(key)) {
        throw new JsonSyntaxError(`expected each key once, "${key}" is there twice`, positionAt(text, keyAt));
      }
      takeCharacter(':', 'a colon after the key');
      children.set(key, readValue());
      if (isNext('}')) break;
      takeCharacter(',', 'a comma or }');
      if (isNext('}')) fail('another key after the comma');
    }
    takeCharacter('}', '}');
    return children;
  };
  const readArray = (): Map<PropertyKey, Node> => {
    const children = new Map<PropertyKey, Node>();
    takeCharacter('[', '[');
    while (!isNext(']')) {
      children.set(children.size, readValue());
      if (isNext(']')) break;
      takeCharacter(',', 'a comma or ]');
    }
    takeCharacter(']', ']');
    return children;
  };

  const root = readValue();
  take(whiteSpace);
  if (at < text.length) fail('nothing after the value');
  return root;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
