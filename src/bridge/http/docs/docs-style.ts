/** The style of the page: nothing of it is inline, so the page's policy allows nothing inline. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14191c);
  --sheet: light-dark(#f4f3ef, #1c2327);
  --ink: light-dark(#17212b, #e9edee);
  --muted: light-dark(#505d68, #a9b5bb);
  --line: light-dark(#d9dcdc, #364147);
  --accent: light-dark(#0c5460, #7fd0d6);
  --focus: light-dark(#b35c00, #ffc24d);
  --get: light-dark(#1b6b3a, #85d7a1);
  --post: light-dark(#0c5460, #7fd0d6);
  --patch: light-dark(#8a5200, #f2bd6d);
  --delete: light-dark(#a8201a, #ff9c92);
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-block-start: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, h4, p, ul, dl, dd, figure, pre { margin: 0; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.015em; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; padding-block: 3.5rem 0.6rem; }
h3 { font-size: 1.15rem; line-height: 1.3; }
h4 { font-size: 0.95rem; margin-block: 1.6rem 0.4rem; }
section > h3 { margin-block: 1.8rem 0.5rem; }
p + p, ul + p, p + ul { margin-block-start: 0.7rem; }
p, li, dd { max-inline-size: 44rem; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, 'Liberation Mono', Menlo, monospace; }
:not(pre) > code { background: var(--sheet); border-radius: 3px; padding: 0.1em 0.3em; }
a { color: var(--accent); text-underline-offset: 0.16em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
h3 > a { color: inherit; text-decoration: none; }
h3 > a:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
:target { scroll-margin-block-start: 1rem; }
.skip { position: absolute; inset-block-start: -4rem; inset-inline-start: 1rem; background: var(--paper); padding: 0.5rem 1rem; }
.skip:focus { inset-block-start: 0.5rem; }
.masthead {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0.25rem 1.5rem;
  padding: 0.9rem 1.25rem;
  border-block-end: 1px solid var(--line);
}
.masthead p { margin: 0; }
.brand { font-weight: 650; }
.type { color: var(--muted); font-weight: 400; font-size: 0.9rem; }
.lead { margin-block: 0.4rem 1.5rem; }
.contents { padding: 1.25rem; border-block-end: 1px solid var(--line); font-size: 0.925rem; }
.contents ul { list-style: none; padding: 0; }
.contents > ul > li { margin-block-end: 0.9rem; }
.contents > ul > li > a { color: var(--ink); font-weight: 600; text-decoration: none; }
.contents li li a { display: flex; gap: 0.6rem; align-items: baseline; padding-block: 0.18rem; color: var(--ink); text-decoration: none; }
.contents a:hover { text-decoration: underline; }
main { padding: 1.5rem 1.25rem 5rem; }
.operation { padding-block: 2rem; border-block-start: 1px solid var(--line); }
h2 + .operation, h2 + p + .operation { margin-block-start: 1.2rem; }
.operation h3 { margin: 0; }
.address { margin-block: 0.5rem 0.9rem; }
.method { font: 650 0.72rem/1 ui-monospace, SFMono-Regular, 'Liberation Mono', Menlo, monospace; letter-spacing: 0.03em; min-inline-size: 3.4rem; }
.get { color: var(--get); }
.post { color: var(--post); }
.patch { color: var(--patch); }
.delete { color: var(--delete); }
.fields, .statuses { list-style: none; padding: 0; }
.fields > li { padding-block: 0.55rem; border-block-start: 1px solid var(--line); }
.fields .fields { margin: 0.4rem 0 0; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.fields p { margin: 0; }
.field { display: flex; flex-wrap: wrap; gap: 0.1rem 0.7rem; align-items: baseline; }
.field > code { font-weight: 600; background: none; padding: 0; }
.field .type code { background: none; padding: 0; }
.statuses { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; font-size: 0.925rem; }
.statuses a { color: inherit; }
.codes > div { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 1rem; padding-block: 0.35rem; border-block-start: 1px solid var(--line); }
.codes dt code { white-space: nowrap; }
.examples { display: grid; gap: 1rem; align-content: start; margin-block-start: 1.5rem; min-inline-size: 0; }
.code { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.code figcaption { padding: 0.45rem 0.9rem; border-block-end: 1px solid var(--line); color: var(--muted); font-size: 0.85rem; }
.code pre { padding: 0.8rem 0.9rem; overflow: auto; max-block-size: 26rem; }
.code pre:focus-visible { outline-offset: -3px; }
.schema { padding-block: 1.1rem; border-block-start: 1px solid var(--line); max-inline-size: 52rem; }
.schema h3 { margin: 0; }
.schema .fields { margin-block-start: 0.6rem; }
@media (min-width: 62rem) {
  body { display: grid; grid-template: auto 1fr / 19rem minmax(0, 1fr); }
  .masthead { grid-column: 1 / -1; padding-inline: 2rem; }
  .contents { position: sticky; inset-block-start: 0; block-size: 100vh; overflow: auto; padding: 1.75rem 1rem 3rem 2rem; border-block-end: 0; border-inline-end: 1px solid var(--line); }
  main { padding: 1.75rem 2.5rem 6rem; }
}
@media (min-width: 80rem) {
  main { max-inline-size: 84rem; }
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 3rem; }
  .examples { margin: 0; }
}
@media print {
  .contents, .skip { display: none; }
  .code pre { max-block-size: none; white-space: pre-wrap; }
}
`;
