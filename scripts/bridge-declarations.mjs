import fs from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, stripInternal: true };

/**
 * Writes the declarations of `licensing-apply/bridge` and `…/conformance` into a folder, one file
 * each. Declarations of the whole bridge would import the packages that are bundled in it and not
 * installed.
 */
export function writeBridgeDeclarations(folder) {
  for (const path of fs.globSync('src/bridge/{create-bridge,ports/*,conformance/*}.ts')) {
    const input = { fileName: path, reportDiagnostics: true, compilerOptions: options };
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(fs.readFileSync(path, 'utf8'), input);
    for (const { messageText } of diagnostics) {
      throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    }
    const target = join(folder, path.replace('src/bridge/', '').replace(/\.ts$/, '.d.ts'));
    fs.mkdirSync(dirname(target), { recursive: true });
    fs.writeFileSync(target, outputText);
  }
}
