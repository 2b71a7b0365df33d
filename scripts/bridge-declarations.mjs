import fs from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, stripInternal: true };

/**
 * Writes the declarations of `licensing-bridge`, its conformance suites and its adapters into a folder,
 * with a copy of those of `contract`, which they import. Declarations of the whole bridge would
 * import types of packages that operators do not install, such as `@types/pg`.
 */
export function writeBridgeDeclarations(folder, contract) {
  fs.cpSync(contract, join(folder, 'contract'), { recursive: true });
  for (const path of fs.globSync(
    'src/bridge/{create-bridge,ports/*,conformance/*,adapters/stripe/stripe-processor}.ts',
  )) {
    const input = { fileName: path, reportDiagnostics: true, compilerOptions: options };
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(fs.readFileSync(path, 'utf8'), input);
    for (const { messageText } of diagnostics) {
      throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    }
    const target = join(folder, path.replace('src/', '').replace(/\.ts$/, '.d.ts'));
    fs.mkdirSync(dirname(target), { recursive: true });
    fs.writeFileSync(target, outputText);
  }
}
