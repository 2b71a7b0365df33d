/**
 * A test runner of StrykerJS for the tests in the page. One server and one browser of
 * `@web/test-runner` stay open; each page loads the sources anew with its active mutant.
 */
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
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
import { startTestRunner, type TestRunnerConfig, type TestRunnerPlugin } from '@web/test-runner';

type WebTestRunner = NonNullable<Awaited<ReturnType<typeof startTestRunner>>>;
type Coverage = Record<string, number>;
type Middleware = NonNullable<TestRunnerConfig['middleware']>[number];

const activePath = '/__mutant__.js';
const coveragePath = '/__coverage__';

class PageTestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #patterns: string[];
  #runner: WebTestRunner | undefined;
  #activeMutant: string | undefined;
  #coverage: Coverage = {};

  constructor(options: StrykerOptions) {
    this.#patterns = options['testFiles'];
  }

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const { default: config } = (await import(pathToFileURL('test/config/wtr.config.mjs').href)) as {
      default: TestRunnerConfig;
    };
    // The mode that keeps the server and the browser open wants a terminal.
    process.stdout.isTTY = true;
    const runner = await startTestRunner({
      readCliArgs: false,
      readFileConfig: false,
      autoExitProcess: false,
      config: {
        ...config,
        files: this.#patterns,
        plugins: [this.#mutants(), ...(config.plugins ?? [])],
        middleware: [this.#receiveCoverage],
        reporters: [],
        watch: true,
        // A mutant may never finish.
        testsFinishTimeout: 60_000,
        coverage: false,
      },
    });
    if (!runner) throw new Error('@web/test-runner did not start.');
    this.#runner = runner;
    await this.#finished();
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    const perTest: Record<string, Coverage> = {};
    for (const file of this.#files()) {
      this.#coverage = {};
      tests.push(await this.#runFile(file));
      perTest[file] = this.#coverage;
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: {}, perTest } };
  }

  async mutantRun({ activeMutant, testFilter, disableBail }: MutantRunOptions): Promise<MutantRunResult> {
    this.#activeMutant = activeMutant.id;
    const tests: TestResult[] = [];
    for (const file of testFilter ?? this.#files()) {
      const result = await this.#runFile(file);
      tests.push(result);
      if (result.status === TestStatus.Failed && !disableBail) break;
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  }

  async dispose(): Promise<void> {
    await this.#runner?.stop();
  }

  /** Gives every source the active mutant before it runs, and collects what a file executed. */
  #mutants(): TestRunnerPlugin {
    return {
      name: 'mutants',
      serve: ({ path }) => {
        if (path !== activePath) return undefined;
        const { stringify } = JSON;
        const active = this.#activeMutant === undefined ? 'undefined' : stringify(this.#activeMutant);
        return {
          body: `(globalThis.__stryker__ ??= {}).activeMutant = ${active};`,
          type: 'js',
          headers: { 'cache-control': 'no-store' },
        };
      },
      transform: ({ path, body }) => {
        if (typeof body !== 'string') return undefined;
        if (path.startsWith('/src/') && path.endsWith('.ts')) return `import '${activePath}';\n${body}`;
        if (!path.endsWith('.spec.ts')) return undefined;
        const report = `fetch('${coveragePath}', { method: 'POST', body: JSON.stringify(__stryker__.mutantCoverage?.static ?? {}) })`;
        return `import '${activePath}';\n${body}\nafter(() => ${report});`;
      },
    };
  }

  /** Counts what a page reports, once its tests have ended. */
  readonly #receiveCoverage: Middleware = async (context, next) => {
    if (context.path !== coveragePath) {
      await next();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of context.req) chunks.push(chunk as Buffer);
    for (const [id, count] of Object.entries(JSON.parse(Buffer.concat(chunks).toString()) as Coverage)) {
      this.#coverage[id] = (this.#coverage[id] ?? 0) + count;
    }
    context.status = 204;
  };

  #files(): string[] {
    return [...(this.#runner?.testFiles ?? [])].map((path) => relative(process.cwd(), path)).sort();
  }

  async #runFile(file: string): Promise<TestResult> {
    if (!this.#runner) throw new Error('init() comes first.');
    const started = performance.now();
    const sessions = [...this.#runner.sessions.forTestFile(join(process.cwd(), file))];
    const finished = this.#finished();
    await this.#runner.runTests(sessions);
    await finished;
    const [session] = this.#runner.sessions.forTestFile(join(process.cwd(), file));
    const common = { id: file, name: file, fileName: file, timeSpentMs: performance.now() - started };
    if (session?.passed) return { ...common, status: TestStatus.Success };
    const [error] = session?.errors ?? [];
    return { ...common, status: TestStatus.Failed, failureMessage: error?.message ?? 'A test failed.' };
  }

  #finished(): Promise<unknown> {
    return new Promise((resolve) => {
      const onFinished = () => {
        this.#runner?.off('test-run-finished', onFinished);
        // `@web/test-runner` accepts another run after the event.
        setImmediate(resolve);
      };
      this.#runner?.on('test-run-finished', onFinished);
    });
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'page', PageTestRunner)];
