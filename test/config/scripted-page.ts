import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const entry = fileURLToPath(new URL('../../src/testing/page/main.ts', import.meta.url));

/** The script of the scripted page, as one text inside of `licensing-apply/testing`: a function cannot serve files. */
export const scriptedPage: Plugin = {
  name: 'scripted-page',
  async config() {
    return { define: { scriptOfPage: JSON.stringify(await bundle()) } };
  },
};

async function bundle(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { target: 'es2022', write: false, lib: { entry, formats: ['es'], fileName: 'page' } },
  })) as Rolldown.RolldownOutput[];
  const chunk = built.flatMap(({ output }) => output).find((each) => each.type === 'chunk');
  if (!chunk) throw new Error('The script of the scripted page was not built.');
  return chunk.code;
}
