import { fileURLToPath } from 'node:url';
import { defineConfig } from 'eslint/config';
import { configs as lit } from 'eslint-plugin-lit';
import { configs as wc } from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig(
  { ignores: ['dist*', 'coverage', '.data', '**/*.mjs', '**/*.js'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, lit['flat/recommended'], wc['flat/best-practice']],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: rootDir,
      },
    },
    rules: {
      // `() => void call()` and `() => call()` read the same to us; the rule only adds braces.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // node:test's `test()` returns a promise that nobody awaits, and chai's `expect(x).to.be.true` is an expression.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['it', 'describe', 'test', 'suite'], package: 'node:test' },
          ],
        },
      ],
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'lit/binding-positions': 'off',
    },
  },
);
