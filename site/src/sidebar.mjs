import { read, resolveLink } from './pages.mjs';

const index = 'docs/index.md';

/**
 * Makes the sidebar of the lists of `docs/index.md`. A heading is a group. An item with one link is a page. An item with several
 * links after a colon, such as "Runtimes: …", is a group within.
 */
export function readSidebar() {
  const [, ...sections] = read(index).split(/^## /m);
  const groups = sections.map((section) => {
    const [label, ...lines] = section.split('\n');
    const items = lines.join('\n').split(/^- /m).slice(1);
    return { label, items: items.flatMap(itemOf) };
  });
  return [{ label: 'Overview', link: '/' }, ...groups];
}

function itemOf(item) {
  const links = [...item.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label, link]) => ({
    label: label.replaceAll('`', ''),
    link: resolveLink(index, link),
  }));
  if (item.startsWith('[')) return links.slice(0, 1);
  return [{ label: item.slice(0, item.indexOf(':')), collapsed: true, items: links }];
}
