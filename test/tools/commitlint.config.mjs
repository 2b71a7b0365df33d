const types = ['build', 'ci', 'chore', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];

/** A published commit, whose subject is a character too long. */
const tooLong = 'refactor(audit): describe the tables of the chain, and query them by type';

/**
 * The rules of "Commits" in CONTRIBUTING.md. A reviewer checks that the verb is an imperative.
 */
export default {
  ignores: [(message) => message.startsWith(`${tooLong}\n`)],
  rules: {
    'header-max-length': [2, 'always', 72],
    'header-trim': [2, 'always'],
    'type-empty': [2, 'never'],
    'type-enum': [2, 'always', types],
    'scope-case': [2, 'always', 'kebab-case'],
    'subject-empty': [2, 'never'],
    'subject-case': [2, 'never', ['sentence-case', 'start-case', 'upper-case']],
    'subject-full-stop': [2, 'never', '.'],
    'body-leading-blank': [2, 'always'],
  },
};
