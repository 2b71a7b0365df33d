/** Gives tables and code that scroll sideways a tab stop: a keyboard scrolls what has the focus. */
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
});
for (const element of document.querySelectorAll('.sl-markdown-content :is(table, pre)')) observer.observe(element);
