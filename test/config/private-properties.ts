import type { Plugin } from 'vite';

/**
 * Shortens the custom properties that only the element's own styles use, those that begin with `--_`, to their first letters.
 * Nobody else sees them: what is declared on the host is overridden by whoever declares the published ones.
 */
export function privateProperties(): Plugin {
  const owners = new Map<string, string>();
  return {
    name: 'private-properties',
    enforce: 'pre',
    transform(code, id) {
      if (!/src\/element\/.*styles\.ts$/.test(id)) return null;
      return { code: code.replaceAll(/--_(\w+)/g, (_, name: string) => `--${shortened(name)}`), map: null };
    },
  };

  function shortened(name: string): string {
    const short = name.slice(0, 2);
    const owner = owners.get(short) ?? name;
    if (owner !== name) throw new Error(`--_${name} and --_${owner} would have the same short name.`);
    owners.set(short, owner);
    return short;
  }
}
