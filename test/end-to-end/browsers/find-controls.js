// Runs in a page of WebKit: finds the visible elements of a list of steps, through shadow roots.
// The accessible name is read from the element, because WebDriver cannot search the accessibility
// tree.

const roles = {
  button: 'button, input[type=submit], [role=button]',
  checkbox: 'input[type=checkbox]',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a[href]',
  listitem: 'li',
  textbox: 'textarea, input:not([type]), input[type=text], input[type=email], input[type=tel]',
};

const matchers = {
  css:
    ({ css }) =>
    (element) =>
      element.matches(css),
  label:
    ({ text, exact }) =>
    (element) =>
      labelsOf(element).some((label) => isCalled(label, text, exact)),
  role:
    ({ role, name, exact, level }) =>
    (element) =>
      element.matches(level ? `h${level}` : roles[role]) && (!name || isCalled(nameOf(element), name, exact)),
  // The innermost element with the text, not its ancestors.
  text:
    ({ text }) =>
    (element) =>
      isCalled(textOf(element), text) && ![...element.children].some((child) => isCalled(textOf(child), text)),
};

function findControls(steps, scopes = [document]) {
  let found = scopes;
  for (const step of steps) {
    if (step.by === 'nth') found = found.slice(step.index, step.index + 1);
    else if (step.by === 'filter') found = found.filter((element) => isCalled(textOf(element), step.hasText));
    else if (step.by === 'or') found = [...new Set([...found, ...findControls(step.steps)])];
    else {
      const matches = matchers[step.by](step);
      found = [...new Set(found.flatMap((scope) => [...descendants(scope)]))].filter(
        (element) => isVisible(element) && matches(element),
      );
    }
  }
  return found;
}

function* descendants(scope) {
  for (const root of [scope.shadowRoot, scope])
    for (const child of root?.children ?? []) {
      yield child;
      yield* descendants(child);
    }
}

function isVisible(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

function isCalled(said, wanted, exact = false) {
  if (typeof wanted !== 'string') return new RegExp(wanted.source, wanted.flags).test(said);
  return exact ? said === wanted : said.toLowerCase().includes(wanted.toLowerCase());
}

function labelsOf(element) {
  const own = element.getAttribute('aria-label');
  return [...((element.labels ?? []).values?.() ?? [])].map(textOf).concat(own ?? []);
}

function nameOf(element) {
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const named = ids.map((id) => element.getRootNode().getElementById(id)).filter(Boolean);
  return named.length > 0 ? named.map(textOf).join(' ') : (element.getAttribute('aria-label') ?? textOf(element));
}

function textOf(element) {
  return element.textContent.replace(/\s+/g, ' ').trim();
}
