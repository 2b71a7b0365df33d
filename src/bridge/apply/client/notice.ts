/** Says something above the page's content, also to whoever has it read to them; without a text, nothing is there. */
export function showNotice(text = ''): void {
  const notice = document.querySelector<HTMLElement>('#notice');
  if (!notice) return;
  notice.textContent = text;
  notice.hidden = text === '';
}
