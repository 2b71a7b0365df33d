import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Consumer } from '../support/consumer.js';
import { readExample } from './examples.js';
import { runtimesFolder } from './runtimes.js';

const execute = promisify(execFile);

/** An application of Next.js that is built. */
export interface NextApp {
  folder: string;
  /** The program of Next.js. */
  next: string;
}

const layout = `import type { ReactNode } from 'react';
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

/** What Next.js does not write itself. It reads nothing outside of its root, which holds its packages. */
const config = `export default { turbopack: { root: ${JSON.stringify(runtimesFolder)} } };
`;

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['dom', 'dom.iterable', 'esnext'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    isolatedModules: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    jsx: 'react-jsx',
    plugins: [{ name: 'next' }],
  },
  include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
};

/** Builds an application around the example, with its types checked, beside the packages that it needs. */
export async function buildNextApp(consumer: Consumer): Promise<NextApp> {
  const folder = join(runtimesFolder, 'next-app');
  const route = join(folder, 'app/licensing/[...path]');
  await rm(folder, { recursive: true, force: true });
  await mkdir(route, { recursive: true });
  await cp(join(consumer.folder, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'next-app', private: true, type: 'module' }));
  await writeFile(join(folder, 'next.config.mjs'), config);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(folder, 'app/layout.tsx'), layout);
  await writeFile(join(route, 'licensing.ts'), await readExample('licensing.ts'));
  await writeFile(join(route, 'route.ts'), await readExample('next.ts'));
  const next = join(runtimesFolder, 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  const built = await execute(process.execPath, [next, 'build'], { cwd: folder, env }).then(
    () => '',
    (error: unknown) => JSON.stringify(error, ['stdout', 'stderr']),
  );
  assert.equal(built, '');
  return { folder, next };
}
