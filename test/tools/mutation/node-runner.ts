/**
 * A test runner of StrykerJS for the tests of Node. It runs test files again and again in one
 * process: the sources stay loaded, so that a mutant costs what its tests take and not the start of
 * a process for each file. Of a file only the tests run that execute the mutant.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import { register } from 'tsx/esm/api';
import { deferred } from '../../support/deferred.ts';

declare global {
  // Instrumented sources read the active mutant here, and count here what they execute.
  var __stryker__: InstrumenterContext;
  var testFile: { isLoaded: boolean; hasFailed: boolean; names: Set<string>; onHooksEnded: () => void };
}

/** The hooks of a mutant may fail, or hang. */
const hooksTimeoutMs = 5_000;

class NodeTestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #files: string[];
  #runs = 0;

  constructor(options: StrykerOptions) {
    this.#files = options['testFiles'].flatMap((pattern) => globSync(pattern).sort());
  }

  capabilities(): TestRunnerCapabilities {
    // Code that runs when a module loads runs once: its mutants need a new process.
    return { reloadEnvironment: false };
  }

  init(): Promise<void> {
    globalThis.__stryker__ = {};
    register();
    return Promise.resolve();
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    for (const file of this.#files) {
      tests.push(await this.#runTests(file));
      const names = [...testFile.names];
      const alone: TestResult[] = [];
      for (const name of names) alone.push({ ...(await this.#runTests(file, [name])), id: testId(file, name) });
      // A test that needs the one before it cannot run alone: then the file stays one test.
      if (alone.some(({ status }) => status === TestStatus.Failed)) joinCoverage(file);
      else tests.push(...alone);
    }
    const { mutantCoverage } = __stryker__;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage && { mutantCoverage }) };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }: MutantRunOptions): Promise<MutantRunResult> {
    Object.assign(__stryker__, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    const tests: TestResult[] = [];
    for (const [file, names] of byFile(testFilter ?? this.#files)) {
      const result = await this.#runTests(file, names);
      const limit = determineHitLimitReached(__stryker__.hitCount, hitLimit);
      if (limit) return toMutantRunResult(limit);
      tests.push(result);
      if (result.status === TestStatus.Failed && !disableBail) break;
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  }

  /**
   * Runs all tests of a file, or those with these full names, in a copy of the file, because a
   * module with the same URL would not be evaluated again.
   */
  async #runTests(file: string, names?: readonly string[]): Promise<TestResult> {
    const started = performance.now();
    const copy = resolve(dirname(file), `.${(this.#runs += 1)}-${basename(file)}`);
    writeFileSync(copy, readFileSync(file, 'utf8') + lastLines(file));
    const hooksEnded = deferred();
    globalThis.testFile = { isLoaded: false, hasFailed: false, names: new Set(), onHooksEnded: hooksEnded.resolve };
    const failures: string[] = [];
    let open = 0;
    const testNamePatterns = names?.map((name) => new RegExp(`^${escapePattern(name)}$`));
    const events = run({
      files: [copy],
      isolation: 'none',
      concurrency: 1,
      timeout: 60_000,
      ...(testNamePatterns && { testNamePatterns }),
    });
    events.on('test:fail', ({ name, details }) => {
      failures.push(`${name}: ${String(details.error.cause)}`);
      testFile.hasFailed = true;
    });
    events.on('test:enqueue', ({ nesting }) => (open += nesting === 0 ? 1 : 0));
    events.on('test:complete', ({ nesting }) => {
      open -= nesting === 0 ? 1 : 0;
      // node:test ends a run when nothing keeps the process alive. The channel to StrykerJS does.
      if (open === 0) setImmediate(() => process.emit('beforeExit', 0));
    });
    for await (const _event of events);
    // The stream may end before the hooks of the file do.
    if (testFile.isLoaded) await Promise.race([hooksEnded.promise, setTimeout(hooksTimeoutMs)]);
    delete __stryker__.currentTestId;
    rmSync(copy, { force: true });
    const common = {
      id: file,
      name: file,
      fileName: join(process.cwd(), file),
      timeSpentMs: performance.now() - started,
    };
    return failures.length === 0
      ? { ...common, status: TestStatus.Success }
      : { ...common, status: TestStatus.Failed, failureMessage: failures[0] ?? '' };
  }
}

/**
 * What loads before the first test belongs to no test: it is static. What hooks execute belongs to
 * the whole file. After the first failure the other tests of the file fail at once, because the
 * mutant is dead. The last hook ends the file.
 */
function lastLines(file: string): string {
  return `
    import { after as afterHooks, afterEach as afterEachTest, beforeEach as beforeEachTest } from 'node:test';
    beforeEachTest(({ fullName }) => {
      if (testFile.hasFailed) throw new Error('Another test has failed.');
      const name = fullName.replaceAll(' > ', ' ');
      testFile.names.add(name);
      __stryker__.currentTestId = ${JSON.stringify(testId(file, ''))} + name;
    });
    afterEachTest(() => (__stryker__.currentTestId = ${JSON.stringify(file)}));
    afterHooks(() => testFile.onHooksEnded());
    testFile.isLoaded = true;
    __stryker__.currentTestId = ${JSON.stringify(file)};`;
}

function testId(file: string, name: string): string {
  return `${file}#${name}`;
}

/** The tests to run by file: a file itself means all of its tests. */
function byFile(ids: readonly string[]): Map<string, string[] | undefined> {
  const files = new Map<string, string[] | undefined>();
  for (const id of ids) {
    const [file = '', name] = id.split(/#(.*)/s);
    const names = files.get(file);
    if (name === undefined || (files.has(file) && !names)) files.set(file, undefined);
    else files.set(file, [...(names ?? []), name]);
  }
  return files;
}

/** Counts what single tests of a file execute for the file. */
function joinCoverage(file: string): void {
  const perTest = __stryker__.mutantCoverage?.perTest ?? {};
  for (const [id, covered] of Object.entries(perTest)) {
    if (!id.startsWith(testId(file, ''))) continue;
    perTest[file] = { ...covered, ...perTest[file] };
    Reflect.deleteProperty(perTest, id);
  }
}

/** The test runner joins names with a space, and matches them with patterns. */
function escapePattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'node-test', NodeTestRunner)];
