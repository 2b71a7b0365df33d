import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All that becomes the CDN build, and what it meets there, as the compiler sees it. */
export interface ElementProgram {
  checker: ts.TypeChecker;
  /** What is published. */
  doors: readonly ts.SourceFile[];
  /** The element and the channel. */
  sources: readonly ts.SourceFile[];
  /** Those of it that speak with other programs. */
  wires: readonly ts.SourceFile[];
  /** What the language and the browser declare. */
  browser: readonly ts.SourceFile[];
  /** What Lit declares. */
  litTypes: readonly ts.SourceFile[];
  /** Lit as it is loaded. */
  lit: readonly ts.SourceFile[];
}

const litPaths = ['lit-html/lit-html.js', 'lit-element/lit-element.js', '@lit/reactive-element/reactive-element.js'];

/** Reads the sources. */
export function readElementProgram(): ElementProgram {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root);
  const entries = ['element/define', 'return/index', 'contract/index'].map((name) => `${root}src/${name}.ts`);
  const program = ts.createProgram(entries, { ...options, types: [] });
  const under = (place: RegExp) => program.getSourceFiles().filter(({ fileName }) => place.test(fileName));
  return {
    checker: program.getTypeChecker(),
    doors: under(/\/src\/(element\/define|contract\/index)\.ts$/),
    sources: under(/\/src\/(element|channel|return)\//),
    wires: under(/\/src\/(channel|return)\//),
    browser: program.getSourceFiles().filter((file) => program.isSourceFileDefaultLibrary(file)),
    litTypes: under(/\/node_modules\/(lit-html|lit-element|@lit\/reactive-element)\//),
    lit: litPaths.map((path) => {
      const text = readFileSync(`${root}node_modules/${path}`, 'utf8');
      return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    }),
  };
}
