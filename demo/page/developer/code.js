// @ts-check

/** What the page says of its own, and what is so without being said. */
const unsaid = ['class', 'open', 'mode="modal"', 'theme="auto"', 'locale=""'];

/**
 * Shows the tags of a page that has the element just as it is here now, also when it changes.
 * @param {HTMLElement} place
 * @param {HTMLElement} element
 */
export function showCode(place, element) {
  const show = () => {
    const { look = '' } = document.documentElement.dataset;
    place.textContent = [
      '<script type="module" src="/licensing-apply.js"></script>',
      `<link rel="stylesheet" href="/looks/${look}.css">`,
      `${tagOf(element)}${[...element.children].map(slotted).join('')}</licensing-apply>`,
    ].join('\n');
  };
  new MutationObserver(show).observe(element, { attributes: true, subtree: true, childList: true });
  new MutationObserver(show).observe(document.documentElement, { attributeFilter: ['data-look'] });
  show();
}

/** @param {Element} child */
function slotted(child) {
  return child.slot && `\n  ${tagOf(child)}…</${child.localName}>\n`;
}

/** @param {Element} element */
function tagOf({ localName, attributes }) {
  const said = [...attributes]
    .map(({ name, value }) => [name, `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`])
    .filter((forms) => !forms.some((form) => unsaid.includes(form)) && !forms[0]?.startsWith('data-'));
  return `<${[localName, ...said.map(([, text]) => text)].join(' ')}>`;
}
