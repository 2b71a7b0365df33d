import { fileURLToPath } from 'node:url';
import { build } from 'vite';

let bundle: Promise<string> | undefined;

/**
 * Bundles `licensing-apply/hosted` with the packages that it imports, as the build of a host of the
 * application does.
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
