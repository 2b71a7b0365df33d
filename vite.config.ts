import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals';
import { defineConfig, type UserConfig } from 'vite';
import { scriptedPage } from './scripts/scripted-page.js';

/*
 * Each mode builds one part of the packages. `scripts/build.mjs` builds them into folders that they share, so no mode empties one.
 */

/** The entry points of licensing-apply: one file each, without its dependencies. */
const npm: UserConfig = {
  plugins: [scriptedPage],
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: {
        'licensing-apply': 'src/element/define.ts',
        'licensing-applications': 'src/element/list/define.ts',
        element: 'src/element/index.ts',
        react: 'src/react/index.ts',
        hosted: 'src/hosted/index.ts',
        return: 'src/return/index.ts',
        server: 'src/server/index.ts',
        'server-node': 'src/server/node.ts',
        'server-postgres': 'src/server/postgres.ts',
        'server-redis': 'src/server/redis.ts',
        testing: 'src/testing/index.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^lit(\/|$)/, /^@lit\//, 'react', /^zod(\/|$)/, /^node:/],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // The wrapper uses effects, so in a server component it runs in the browser.
        banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
      },
    },
  },
};

/** For pages without a build step: every dependency bundled, minified. */
const cdn: UserConfig = {
  plugins: [minifyTemplateLiterals({ exclude: 'node_modules/**', failOnError: true })],
  build: {
    target: 'es2022',
    sourcemap: true,
    license: { fileName: 'third-party-licenses.md' },
    lib: {
      entry: {
        'licensing-apply': 'src/element/cdn.ts',
        'licensing-applications': 'src/element/list/cdn.ts',
        return: 'src/return/index.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      // Code that the entry shares with its chunks stays in the entry, so that a page loads one file and not two.
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // `build.minify` keeps the white space of ES libraries.
        minify: true,
        // Marks for bundlers, which this file has met already.
        comments: { annotation: false },
      },
    },
  },
};

/** The bridge with the rooms that it shares with the other package. npm installs its dependencies. */
const bridge: UserConfig = {
  build: {
    target: 'node22',
    ssr: true,
    sourcemap: false,
    minify: false,
    rolldownOptions: {
      input: {
        // Two files: `cli.js` runs on an old Node and reports that `run.js` needs a newer one.
        cli: 'src/bridge/cli.ts',
        run: 'src/bridge/cli/run.ts',
        'create-bridge': 'src/bridge/create-bridge.ts',
        conformance: 'src/bridge/conformance/index.ts',
        'adapters/stripe': 'src/bridge/adapters/stripe/stripe-processor.ts',
        // The code of a thread, which `argon2.ts` finds by its name.
        'argon2-thread': 'src/bridge/domain/operators/argon2-thread.ts',
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
};

/** The scripts and the style sheets of the hosted application and of the console. */
const assets: UserConfig = {
  build: {
    target: 'es2022',
    // Lowering `light-dark()` would break pages whose theme is switched by script.
    cssTarget: 'esnext',
    license: { fileName: 'third-party-licenses.md' },
    rolldownOptions: {
      input: {
        apply: 'src/bridge/apply/client/apply.ts',
        style: 'src/bridge/apply/client/apply.css',
        console: 'src/bridge/console/client/console.ts',
        consoleStyle: 'src/bridge/console/client/console.css',
      },
      output: {
        entryFileNames: '[name].js',
        assetFileNames: ({ names }) => (names.includes('consoleStyle.css') ? 'console[extname]' : 'apply[extname]'),
      },
    },
  },
};

const modes: Record<string, UserConfig> = { npm, cdn, bridge, assets };

export default defineConfig(({ mode }) => {
  const config = modes[mode];
  if (!config) throw new Error(`Build with --mode ${Object.keys(modes).join(', --mode ')}.`);
  return { ...config, publicDir: false, build: { emptyOutDir: false, ...config.build } };
});
