import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { absolute, pageIds, read, resolveLink } from './pages.mjs';

/**
 * Loads the pages of the repository. They are plain Markdown for a code host, without front matter. The site needs four changes:
 *
 * 1. The first heading becomes the title, which the layout shows.
 * 2. A link to a page becomes its URL. A link to any other file becomes plain text.
 * 3. The name of a file in the first line of a code block becomes the title of its frame.
 * 4. A diagram becomes an element that `diagrams.mjs` draws.
 */
export function markdownLoader() {
  return {
    name: 'markdown-loader',
    async load({ config, store, parseData, renderMarkdown, generateDigest, watcher }) {
      const ids = pageIds();
      const loadPage = async (path, id) => {
        const text = read(path);
        const filePath = absolute(path);
        const title = /^# (.+)$/m.exec(text)?.[1];
        if (!title) throw new Error(`${path} has no heading of level 1.`);
        const description = descriptionOf(text);
        const data = await parseData({ id, data: { title, ...(description && { description }) }, filePath });
        const body = adapt(text, path, ids);
        const rendered = await renderMarkdown(body, { fileURL: pathToFileURL(filePath) });
        store.set({
          id,
          data,
          body,
          filePath: relative(fileURLToPath(config.root), filePath),
          digest: generateDigest(text),
          rendered,
          assetImports: rendered.metadata.imagePaths,
        });
      };
      store.clear();
      for (const [path, id] of ids) await loadPage(path, id);
      for (const path of ids.keys()) watcher?.add(absolute(path));
      watcher?.on('change', async (changed) => {
        for (const [path, id] of ids) if (absolute(path) === changed) await loadPage(path, id);
      });
    },
  };
}

/** The first paragraph, as plain text. */
function descriptionOf(text) {
  const paragraph = text.split('\n\n').find((each) => /^[A-Z`]/.test(each.trim()));
  return paragraph
    ?.trim()
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*]/g, '');
}

function adapt(text, path, ids) {
  return text
    .replace(/^# .+\n/m, '')
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? adaptCode(part) : adaptLinks(part, path, ids)))
    .join('');
}

function adaptCode(block) {
  const diagram = /^```mermaid\n([\s\S]*)\n```$/.exec(block)?.[1];
  if (diagram === undefined) return block.replace(/^(```\w+) file=(\S+)/, '$1 title="$2"');
  const escaped = diagram.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<pre class="diagram">${escaped}</pre>`;
}

function adaptLinks(text, path, ids) {
  return text.replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, label, link) => {
    if (/^[a-z]+:/.test(link) || link.startsWith('#')) return whole;
    const url = resolveLink(path, link, ids);
    return url === undefined ? label : `[${label}](${url})`;
  });
}
