/** The targets of all links and pictures of a page, code left out. */
export function targetsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Whether a target is an address, and not a path or a heading. */
export function isAddress(target: string): boolean {
  return /^[a-z]+:/.test(target);
}

/**
 * The anchors of a page: its headings, as GitHub and the registry name them, and the elements with
 * an id.
 */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id));
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-');
    let [anchor, count] = [slug, 0];
    while (anchors.has(anchor)) anchor = `${slug}-${++count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}
