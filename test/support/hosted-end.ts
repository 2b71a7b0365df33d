import { fileURLToPath } from 'node:url';
import { build } from 'vite';

let bundle: Promise<string> | undefined;

/**
 * Bundles `licensing-apply/hosted` with its packages, like the build of another host of the
 * application.
 */
export function bundleHostedEnd(): Promise<string> {
  return (bundle ??= bundleFile(fileURLToPath(new URL('../../dist/hosted.js', import.meta.url))));
}

async function bundleFile(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['es'] } },
  });
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error('Vite built nothing.');
  return result.output[0].code;
}
