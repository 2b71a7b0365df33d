/**
 * `npm run locales`: after a change of `src/element/locales/catalogue.ts` or of a translation. Brings the XLIFF files up to the
 * catalogue, and makes of them what the element loads.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('../..', import.meta.url));
const locales = 'src/element/locales';
const config = 'test/config/lit-localize.json';
const execute = promisify(execFile);

/** What the files should be. */
export interface FreshLocales {
  /** The texts of the files by their paths. */
  files: Record<string, string>;
  /** Which texts no translator has seen, such as "es message start is missing …". */
  missing: string[];
}

/** Runs the tools of `@lit/localize` on a copy of the catalogue and its translations. */
export async function freshLocales(): Promise<FreshLocales> {
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-locales-'));
  try {
    for (const path of [locales, config]) await cp(join(root, path), join(folder, path), { recursive: true });
    const localize = (command: string) =>
      execute(join(root, 'node_modules/.bin/lit-localize'), [command, '--config', config], { cwd: folder });
    await localize('extract');
    const { stderr } = await localize('build');
    const read = (name: string) => readFile(join(folder, locales, name), 'utf8');
    const ids = entriesOf(await read('en.ts')).map(([id]) => id);
    const names = (await readdir(join(folder, locales))).filter((name) => /\.xlf$|^..\.ts$/.test(name));
    const files = names.map(async (name) => {
      const text = await read(name);
      return [
        `${locales}/${name}`,
        name.endsWith('.ts') ? await ownModule(text, name === 'en.ts' ? undefined : ids) : text,
      ] as const;
    });
    return {
      files: Object.fromEntries(await Promise.all(files)),
      // English is what the others are translated from.
      missing: stderr.split('\n').filter((line) => / is missing/.test(line) && !line.startsWith('en ')),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * `@lit/localize` would bring its own runtime, which has one language for the whole page. A translation is a list in the order of
 * `ids`, the English texts': their names are loaded once.
 */
async function ownModule(text: string, ids: readonly string[] | undefined): Promise<string> {
  const own = (ids ? listed(text, ids) : text)
    .replace(`'@lit/localize'`, `'./phrase.js'`)
    .replace('running lit-localize', '"npm run locales"')
    .replace(/\/\* eslint-disable .*\*\//g, '');
  return format(own, { ...(await resolveConfig(root + locales)), parser: 'typescript' });
}

/** The module with a list of its texts, each on its line. */
function listed(text: string, ids: readonly string[]): string {
  const texts = Object.fromEntries(entriesOf(text));
  const lines = ids.map((id) => `  /* ${id} */ ${texts[id] ?? 'undefined'},`);
  return text.replace(/\{\s*'[^]*\}/, () => `[\n${lines.join('\n')}\n]`);
}

/** The texts that `lit-localize build` wrote, by their ids, as they stand there. */
function entriesOf(text: string): [id: string, said: string][] {
  return [...text.matchAll(/^\s*'(\w+)': (.*),$/gm)].map(([, id = '', said = '']) => [id, said]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, missing } = await freshLocales();
  for (const [path, text] of Object.entries(files)) await writeFile(root + path, text);
  for (const line of missing) console.warn(line);
}
