import { minify } from 'terser';
import type { Plugin } from 'vite';
import { shortNames } from './short-names.js';

/** Folds what is called once into its caller, and shortens the names of properties; the bundler's own minifier does neither. */
export function foldFunctions(): Plugin {
  let names: ReadonlyMap<string, string>;
  return {
    name: 'fold-functions',
    buildStart() {
      names = shortNames();
    },
    async renderChunk(code, { fileName }) {
      const { code: folded = '', map } = await fold(code, names);
      for (const [, text = ''] of folded.matchAll(/(?<=[`'"])([\w$]+)(?=[`'"])/g))
        if (names.has(text))
          throw new Error(`${fileName} says "${text}" as a text, and shortens the property of that name.`);
      return { code: folded, map: map as string };
    },
  };
}

function fold(code: string, names: ReadonlyMap<string, string>) {
  const pattern = [...names.keys()].map((name) => name.replaceAll('$', '\\$')).join('|');
  const given = Object.fromEntries([...names].map(([long, short]) => [`$${long}`, short]));
  return minify(code, {
    module: true,
    ecma: 2020,
    // Nothing here asks a function that could be an arrow whether it is one, or a getter to do something; nobody replaces what the
    // language brings.
    compress: {
      passes: 8,
      sequences: false,
      keep_fargs: false,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
      pure_getters: true,
    },
    mangle: { properties: { regex: new RegExp(`^(?:${pattern})$`) } },
    nameCache: { props: { props: given } },
    sourceMap: true,
  });
}
