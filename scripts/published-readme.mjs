/**
 * Returns the README of a package as it is published: its relative links and pictures lead to the
 * tag of the release in the repository. A tarball has few pages or none, so relative ones would
 * lead nowhere in an editor or on a CDN, and on the registry they would follow the newest version.
 *
 * @param {string} readme
 * @param {{ url: string }} repository The `repository` of the manifest.
 * @param {string} tag Such as `v1.2.3`.
 * @returns {string}
 */
export function publishedReadme(readme, repository, tag) {
  return replaceLinks(
    readme,
    ({ picture, label, target }) => `${picture}${label}(${addressIn(repository, tag, target, picture !== '')})`,
  );
}

/**
 * A link of a page: its whole text, `!` before a picture, its label in brackets, and its target.
 *
 * @typedef {{ whole: string, picture: '' | '!', label: string, target: string }} Link
 */

/**
 * Replaces the links and pictures of a page that lead to another file. Code stays as it is.
 *
 * @param {string} text
 * @param {(link: Link) => string} replace
 * @returns {string}
 */
export function replaceLinks(text, replace) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(/(!?)(\[[^\]]*\])\(([^)\s]+)\)/g, (whole, picture, label, target) =>
            /^(?:[a-z]+:|#)/.test(target) ? whole : replace({ whole, picture, label, target }),
          ),
    )
    .join('');
}

/**
 * The address of a file in the repository. The paths `/blob/` and `/raw/` are those of GitHub.
 * GitLab redirects them to its own.
 *
 * @param {{ url: string }} repository
 * @param {string} tag
 * @param {string} path From the root of the repository, with its heading.
 * @param {boolean} [isPicture]
 * @returns {string}
 */
export function addressIn(repository, tag, path, isPicture = false) {
  return `${baseOf(repository)}/${isPicture ? 'raw' : 'blob'}/${tag}/${path}`;
}

/**
 * Whether links can lead to the `repository` of a manifest. A text is a shorthand, or an address that
 * publint refuses there.
 *
 * @param {string | { url: string }} repository
 * @returns {boolean}
 */
export function canLinkTo(repository) {
  return typeof repository === 'object' && /^https:\/\/[^/]+\/.+[^/]$/.test(baseOf(repository));
}

function baseOf({ url }) {
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}
