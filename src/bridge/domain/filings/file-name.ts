/** The name of a downloaded file. */
export interface FileName {
  /** With ASCII letters, digits and hyphens only. */
  plain: string;
  /** With the letters of any language. */
  full: string;
}

/**
 * The name of a downloaded file, which says whom and where: `TX-Garcia-Nunez-Ana-AB2C-3DE4.pdf`. Only
 * letters, digits and hyphens, because the name is part of a header and of a path.
 *
 * @param parts Such as the state, the names and the number of the receipt. Empty ones are omitted.
 * @param extension Without a dot.
 */
export function fileNameOf(parts: readonly string[], extension: string): FileName {
  const join = (wordOf: (part: string) => string) =>
    `${parts
      .map(wordOf)
      .filter((word) => word !== '')
      .join('-')}.${extension}`;
  return {
    plain: join((part) => words(part.normalize('NFKD').replace(/\p{M}/gu, ''), /[^A-Za-z0-9]+/g)),
    full: join((part) => words(part.normalize('NFC'), /[^\p{L}\p{M}\p{N}]+/gu)),
  };
}

/**
 * The value of `Content-Disposition` (RFC 6266). Browsers that know `filename*` save the full name,
 * others the plain one.
 */
export function attachmentHeader({ plain, full }: FileName): string {
  const extended = full === plain ? '' : `; filename*=UTF-8''${encodeURIComponent(full)}`;
  return `attachment; filename="${plain}"${extended}`;
}

/** More than the longest last name that a list of downloads could show. */
const longestPart = 40;

function words(text: string, others: RegExp): string {
  // By code points: half a surrogate pair cannot be encoded.
  return Array.from(text.replace(others, '-'))
    .slice(0, longestPart)
    .join('')
    .replace(/^-+|-+$/g, '');
}
