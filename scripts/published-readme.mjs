/**
 * Returns the README of a package as it is published: its relative links and pictures lead to the
 * tag of the release in the repository. The tarball has no `docs/`, so relative ones would lead
 * nowhere in an editor or on a CDN, and on the registry they would follow the newest version.
 *
 * The paths `/blob/` and `/raw/` are those of GitHub. GitLab redirects them to its own.
 *
 * @param {string} readme
 * @param {{ url: string }} repository The `repository` of the manifest.
 * @param {string} tag Such as `v1.2.3`.
 * @returns {string}
 */
export function publishedReadme(readme, repository, tag) {
  const base = addressOf(repository);
  return readme
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : absoluteLinks(part, base, tag)))
    .join('');
}

/**
 * Whether links can lead to the `repository` of a manifest. A text is a shorthand, or an address that
 * publint refuses there.
 *
 * @param {string | { url: string }} repository
 * @returns {boolean}
 */
export function canLinkTo(repository) {
  return typeof repository === 'object' && /^https:\/\/[^/]+\/.+[^/]$/.test(addressOf(repository));
}

function addressOf({ url }) {
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}

function absoluteLinks(text, base, tag) {
  return text.replaceAll(/(!?)(\[[^\]]*\])\(([^)\s]+)\)/g, (whole, picture, label, target) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole;
    return `${picture}${label}(${base}/${picture ? 'raw' : 'blob'}/${tag}/${target})`;
  });
}
