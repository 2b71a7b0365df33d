import { createRequire } from 'node:module';

// The packages of the linter are in test/tools: `npm run lint` installs them.
const tools = createRequire(new URL('test/tools/package.json', import.meta.url));
const { defineConfig } = tools('eslint/config');
const { configs: lit } = tools('eslint-plugin-lit');
const { configs: wc } = tools('eslint-plugin-wc');
const tseslint = tools('typescript-eslint');

export default defineConfig(
  // The two examples are not in tsconfig.json, which says why.
  {
    ignores: [
      'dist*',
      'src/bridge/dist',
      '.runtimes',
      '.data',
      '.mutation',
      'site',
      '**/*.mjs',
      '**/*.js',
      'demo/backends/{express,fastify}.ts',
      'demo/stores',
      'test/runtimes/durable-object-worker.ts',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, lit['flat/recommended'], wc['flat/best-practice']],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // `() => void call()` and `() => call()` read the same to us; the rule only adds braces.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // The listeners of an element are typed by an interface with overloads beside the class.
      '@typescript-eslint/no-unsafe-declaration-merging': 'off',
      // `async` also turns what is thrown into a rejection, which is why a function that never
      // waits may have it.
      '@typescript-eslint/require-await': 'off',
      // Our objects come from functions and know no `this`.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['src/bridge/**/*.ts'],
    // The files of the first three are written by the build and by PostgreSQL, not by people.
    ignores: [
      'src/bridge/http/serve-documents.ts',
      'src/bridge/pages/assets.ts',
      'src/bridge/store/embedded/*.ts',
      'src/bridge/store/transaction.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression:matches([callee.name=/^readFile/], [callee.property.name=/^readFile/])[arguments.length>1]',
          message: 'Node replaces what is not UTF-8. Read files of operators with readTextFile of files/text-file.ts.',
        },
        {
          selector: "CallExpression[callee.property.name='transaction'][arguments.length=0]",
          message:
            'Run transactions with inTransaction of store/transaction.ts, which repeats one that the server undid.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'src/bridge/conformance/**/*.ts'],
    rules: {
      // Results of node:test's functions are not awaited; and chai's `equal` is a promise only by
      // the types of a plugin.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            'Equal',
            {
              from: 'package',
              name: ['it', 'describe', 'test', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
              package: 'node:test',
            },
          ],
        },
      ],
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-implied-eval': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      'lit/binding-positions': 'off',
    },
  },
);
