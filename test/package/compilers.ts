import assert from 'node:assert/strict';
import { type Consumer, developmentTool, testTool } from '../support/consumer.js';

const options = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The `paths` of the compiler for the types of React in this folder: React itself brings none. */
export function reactTypes(folder: string): object {
  return {
    react: [folder],
    'react/jsx-runtime': [`${folder}/jsx-runtime`],
    'react-dom/client': [developmentTool('@types/react-dom/client')],
  };
}

/**
 * Compiles files of a consumer with the compiler of a framework. Returns its errors; "" without
 * errors.
 */
export async function compile(
  consumer: Consumer,
  [tool, ...words]: [tool: string, ...words: string[]],
  files: string[],
  more: { compilerOptions?: object; angularCompilerOptions?: object } = {},
): Promise<string> {
  const config = `tsconfig.${files[0] ?? ''}.json`;
  const compilerOptions = { ...options, ...more.compilerOptions };
  await consumer.write(config, JSON.stringify({ ...more, compilerOptions, files }));
  const { code, stdout, stderr } = await consumer.run('node', [tool, ...words, config]);
  return code === 0 ? '' : stdout + stderr || `${tool} ended with ${code}.`;
}

/** Compiles for Angular, whose compiler writes the input of the bundler. */
export async function compileAngular(consumer: Consumer): Promise<void> {
  const complaint = await compile(
    consumer,
    [testTool('@angular/compiler-cli/bundles/src/bin/ngc.js'), '-p'],
    ['angular.ts', 'apply.component.ts', 'done.component.ts'],
    {
      compilerOptions: { noEmit: false, outDir: 'angular', verbatimModuleSyntax: false, experimentalDecorators: true },
      angularCompilerOptions: { strictTemplates: true },
    },
  );
  assert.equal(complaint, '');
}
