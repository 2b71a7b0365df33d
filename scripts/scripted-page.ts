import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const entry = fileURLToPath(new URL('../src/testing/page/main.ts', import.meta.url));

/**
 * Inlines the script of the scripted hosted page into `licensing-apply/testing`, whose
 * `createScriptedPage()` serves it without reading files.
 */
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
  if (!chunk) throw new Error('The build of src/testing/page/main.ts has no chunk.');
  return chunk.code;
}
