/**
 * The name of a downloaded file, which says whom and where: `package-TX-garcia-nunez-AB2C-3DE4.pdf`.
 * Only letters, digits and hyphens, because the name is part of a header and of a path.
 *
 * @param parts Such as `package`, the state, the last name and the number of the receipt. Empty ones
 *   are omitted.
 * @param extension Without a dot.
 */
export function fileNameOf(parts: readonly string[], extension: string): string {
  const words = parts.map(plainWord).filter((word) => word !== '');
  return `${words.join('-')}.${extension}`;
}

/** More than the longest last name that a list of downloads could show. */
const longestPart = 40;

function plainWord(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, longestPart)
    .replace(/^-+|-+$/g, '');
}
