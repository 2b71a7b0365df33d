import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { type Consumer, developmentTool, testTool } from '../support/consumer.js';
import { svelte, vue } from '../tools/vite-plugins.js';
import { snippet } from './snippets.js';

/** The files of the documentation that are compiled with a framework. */
const recipes = [
  ...['Apply.tsx', 'Applications.tsx', 'ApplyTag.tsx', 'Apply.vue', 'Apply.svelte', 'apply.component.ts', 'render.ts'],
  ...['Done.tsx', 'Done.vue', 'Done.svelte', 'done.component.ts'],
];

/**
 * The code around the documented files in each framework. The title of the page shows the result.
 */
const mains = {
  'react.tsx': reactMain('Apply'),
  'react-tag.tsx': reactMain('ApplyTag'),
  'vue.ts': `
    import { createApp, h } from 'vue';
    import Apply from './Apply.vue';
    createApp({ render: () => h(Apply, { onLicensed: (id: string) => (document.title = id) }) }).mount('#app');`,
  'svelte.ts': `
    import { mount } from 'svelte';
    import Apply from './Apply.svelte';
    mount(Apply, { target: document.querySelector('#app')!, props: { onlicensed: (id) => (document.title = id) } });`,
  // Angular's packages are partially compiled. Without Angular's bundler, the browser compiles the
  // rest.
  'angular.ts': `
    import '@angular/compiler';
    import { Component, provideZonelessChangeDetection } from '@angular/core';
    import { bootstrapApplication } from '@angular/platform-browser';
    import { ApplyComponent } from './apply.component';
    @Component({
      selector: 'app-root', imports: [ApplyComponent], template: '<app-apply (licensed)="title($event)"></app-apply>',
    })
    class Root { title(id: string) { document.title = id; } }
    void bootstrapApplication(Root, { providers: [provideZonelessChangeDetection()] });`,
  'hydrated.ts': `
    import '@lit-labs/ssr-client/lit-element-hydrate-support.js';
    import 'licensing-apply';
    document.addEventListener('licensing-complete', ({ applicationId }) => (document.title = applicationId));`,
};

function reactMain(component: string): string {
  return `
    import { StrictMode } from 'react';
    import { createRoot } from 'react-dom/client';
    import { ${component} } from './${component}';
    createRoot(document.querySelector('#app')!).render(
      <StrictMode><${component} onLicensed={(id) => { document.title = id; }} /></StrictMode>,
    );`;
}

const frameworks = {
  packages: [
    ...['react', 'react-dom'].map((name) => [name, developmentTool(name)] as const),
    ...['vue', 'svelte', 'rxjs', 'tslib', '@angular', '@lit-labs/ssr', '@lit-labs/ssr-client'].map(
      (name) => [name, testTool(name)] as const,
    ),
  ],
  /** The name of React 18 here, beside the current version. */
  react18: { react: testTool('react-18'), 'react-dom': testTool('react-dom-18') },
};

/**
 * Writes the recipes and their entry files into the folder of a consumer, with the frameworks in
 * its `node_modules`.
 */
export async function writeApps(consumer: Consumer): Promise<void> {
  for (const name of recipes) await consumer.write(name, snippet(name));
  for (const [name, text] of Object.entries(mains)) await consumer.write(name, text);
  for (const [name, path] of frameworks.packages) {
    const link = join(consumer.folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(path, link);
  }
}

/**
 * Builds a page for each framework into `site/`, as its users do: with Vite, after Angular's
 * compiler.
 */
export async function buildApps(consumer: Consumer): Promise<void> {
  await buildPages(consumer, {
    react: 'react.tsx',
    'react-tag': 'react-tag.tsx',
    vue: 'vue.ts',
    svelte: 'svelte.ts',
    angular: 'angular/angular.js',
    hydrated: 'hydrated.ts',
  });
  await buildPages(consumer, { 'react-18': 'react.tsx' }, { alias: frameworks.react18 });
}

async function buildPages(
  consumer: Consumer,
  pages: Record<string, string>,
  resolve: NonNullable<InlineConfig['resolve']> = {},
): Promise<void> {
  const input = Object.keys(pages).map((name) => join(consumer.folder, `${name}.html`));
  for (const [name, main] of Object.entries(pages)) await consumer.write(`${name}.html`, documentOf(main));
  await build({
    root: consumer.folder,
    configFile: false,
    logLevel: 'error',
    resolve,
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'licensing-apply' } } }),
      svelte({ configFile: false }),
    ],
    build: { outDir: 'site', emptyOutDir: false, minify: false, rolldownOptions: { input } },
  });
}

function documentOf(main: string): string {
  return `<!doctype html>
<html lang="en">
  <head><title>Nobody</title><link rel="icon" href="data:," /></head>
  <body>
    <div id="app"><app-root></app-root></div>
    <script type="module" src="./${main}"></script>
  </body>
</html>`;
}
