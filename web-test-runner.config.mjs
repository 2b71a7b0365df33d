import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { chromiumArguments, programPath } from './test/support/programs.ts';
import { plainReporter } from './test/support/plain-reporter.mjs';

const rootDir = fileURLToPath(new URL('.', import.meta.url));

/** The fixtures with the headers of cross-origin isolation. */
async function isolatePages(context, next) {
  await next();
  if (!/\/isolated[-\w]*\.html$/.test(context.path)) return;
  context.set('cross-origin-embedder-policy', 'require-corp');
  context.set('cross-origin-resource-policy', 'cross-origin');
}

export default {
  rootDir,
  files: ['test/**/*.spec.ts', '!**/node_modules/**'],
  middleware: [isolatePages],
  // Pages are served from `localhost`. The server listens on every loopback name, so
  // `http://127.0.0.1:{port}` is another site and `http://anything.localhost:{port}` another origin
  // without a second server.
  hostname: 'localhost',
  nodeResolve: { exportConditions: ['browser', 'development'] },
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: `${rootDir}tsconfig.json` })],
  browsers: [
    chromeLauncher({
      concurrency: 2,
      async createPage({ context }) {
        const page = await context.newPage();
        // Only one of two pages has the real focus, so concurrent tests with keys and focus would
        // fail at random.
        await page.emulateFocusedPage(true);
        return page;
      },
      launchOptions: { executablePath: programPath('chromium'), args: chromiumArguments },
    }),
  ],
  reporters: [defaultReporter({ reportTestProgress: false }), plainReporter()],
  // Each frame or window of another site starts a process, which is slow on a busy machine.
  testFramework: { config: { timeout: 15_000 } },
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
};
